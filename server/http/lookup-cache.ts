/**
 * Remembers for some seconds what a hash was found to be, bounded in number, so that a request costs no query. Readings
 * under way are shared. What was not found is kept apart: a flood of wrong keys cannot push out the right ones.
 */
export class LookupCache<V> {
  readonly #seconds: number;
  readonly #most: number;
  readonly #found = new Map<string, Entry<V>>();
  readonly #missing = new Map<string, Entry<V>>();
  readonly #reading = new Map<string, Promise<V | undefined>>();
  /** Counts clearings, so that a reading begun before one is not remembered after it. */
  #generation = 0;

  /** @param most Entries of each kind; the oldest goes first. */
  constructor(seconds: number, most = 10_000) {
    this.#seconds = seconds;
    this.#most = most;
  }

  /**
   * @param now Unix seconds.
   * @returns The value with what it was found to be, the reading under way, or undefined when nothing is known.
   */
  get(hash: string, now: number): { value: V | undefined } | Promise<V | undefined> | undefined {
    const entry = this.#found.get(hash) ?? this.#missing.get(hash);
    if (entry && now < entry.until && now >= entry.since) return entry;
    return this.#reading.get(hash);
  }

  /**
   * Shares a reading while it is under way and keeps its result; a failed one is not kept.
   *
   * @param now Unix seconds, asked before the reading counts.
   */
  remember(hash: string, reading: Promise<V | undefined>, now: () => number): void {
    const generation = this.#generation;
    const since = now();
    this.#reading.set(hash, reading);
    const settle = () => {
      if (this.#reading.get(hash) === reading) this.#reading.delete(hash);
    };
    reading.then((value) => {
      settle();
      if (generation !== this.#generation) return;
      const entries = value === undefined ? this.#missing : this.#found;
      this.#found.delete(hash);
      this.#missing.delete(hash);
      entries.set(hash, { value, since, until: since + this.#seconds });
      if (entries.size > this.#most) entries.delete(entries.keys().next().value!);
    }, settle);
  }

  /** Forgets everything, readings under way included. */
  clear(): void {
    this.#generation++;
    this.#found.clear();
    this.#missing.clear();
    this.#reading.clear();
  }
}

interface Entry<V> {
  value: V | undefined;
  /** Unix seconds; a clock set back must not keep an entry alive. */
  since: number;
  until: number;
}
