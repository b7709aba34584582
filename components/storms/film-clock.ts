import type { StormEntry } from "#lib/contract/storm-form.ts";
import type { Words } from "#lib/messages/words.ts";
import type { StormFilm } from "#lib/storms/film.ts";

/** A film, and where it is. */
export interface FilmScene {
  film: StormFilm;
  clock: FilmClock;
  /** The storm in its last bulletin. */
  entry: StormEntry;
  /** Of its labels. */
  words: Words;
}

/** The time of a film. It runs outside React's state: only what shows the time listens to it. */
export class FilmClock {
  #time: number;
  readonly #listeners = new Set<() => void>();

  /** @param time Unix seconds. */
  constructor(time: number) {
    this.#time = time;
  }

  /** Unix seconds. */
  get time(): number {
    return this.#time;
  }

  set(time: number): void {
    if (time === this.#time) return;
    this.#time = time;
    for (const listener of [...this.#listeners]) listener();
  }

  /** @returns Ends the subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
}
