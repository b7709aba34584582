/** What lanes have in common: how much is computed in all of them. */
export class Activity {
  #running = 0;
  #begun = 0;

  /** @returns Its number; to be told when it has ended. */
  begin(): number {
    this.#running++;
    return ++this.#begun;
  }

  end(): void {
    this.#running--;
  }

  /** Whether a computation that runs is the only one, and no other has begun since it did. */
  isAlone(number: number): boolean {
    return this.#running === 1 && this.#begun === number;
  }
}
