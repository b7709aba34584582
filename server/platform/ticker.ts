/**
 * A timer that many short waits share: making and clearing a timer for each costs more than what most of them wait for.
 * Runs only while there is something to look at.
 */
export class Ticker {
  readonly #look: () => boolean;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param look Called every `everyMs`. @returns Whether there is still something to look at. */
  constructor(look: () => boolean, everyMs: number) {
    this.#look = look;
    this.#everyMs = everyMs;
  }

  /** To be called whenever there is something to look at. */
  start(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => {
      if (this.#look()) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    }, this.#everyMs);
    this.#timer.unref();
  }
}
