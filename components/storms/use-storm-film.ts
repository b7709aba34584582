import type { PastBulletin } from "@open-metocean/storms/forecast-error";
import type { StormEntry } from "@open-metocean/storms/schema";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useMediaQuery } from "#components/view-state/use-browser.ts";
import { useChangeView, useRenderedView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { Words } from "#lib/messages/words.ts";
import { type StormFilm, stormFilm } from "#lib/storm-answers/film.ts";

/** Film time per second of playing, s. */
const PACE = 12 * 3600;

/** Least time between two frames, and the most time by which one frame advances, ms. */
const [FRAME_MS, MAX_FRAME_MS] = [60, 250];

/** Dwell on a stop with reduced motion, ms. */
const STOP_MS = 1200;

/** How long the slider must rest before its time goes into the link, ms. */
const REST_MS = 150;

/** Whether a film plays. The caller holds this state, because no field is drawn while it plays. */
export interface FilmPlayback {
  playing: boolean;
  setPlaying(playing: boolean): void;
}

export interface FilmControl extends FilmPlayback {
  /** undefined until the bulletins are read. */
  film: StormFilm | undefined;
  clock: FilmClock;
  /** The user opened it (not a link), so its controls take the focus. */
  openedByUser: boolean;
  /** Plays or pauses it; a film that has ended restarts at its beginning. */
  toggle(): void;
  /** Moves to the next or the previous fix or bulletin. */
  step(by: 1 | -1): void;
  /** @param time Unix seconds. */
  seek(time: number): void;
  close(): void;
}

const NO_MOTION = "(prefers-reduced-motion: reduce)";

/**
 * The film of the view's storm; its time goes into the link while it rests.
 *
 * @param history Bulletins of the storm, oldest first; undefined until they are read.
 * @param failed Whether they cannot be read.
 */
export function useStormFilm(
  history: readonly PastBulletin[] | undefined,
  failed: boolean,
  { playing, setPlaying }: FilmPlayback,
) {
  const view = useRenderedView();
  const changeView = useChangeView();
  const words = useWords();
  const isStill = useMediaQuery(NO_MOTION) === true;
  const [clock] = useState(() => new FilmClock(view.film ?? 0));
  const [openedByUser, setOpenedByUser] = useState(false);
  const isOpen = view.film !== null && view.storm !== null;
  const film = useMemo(() => (isOpen && history ? stormFilm(history) : undefined), [isOpen, history]);
  const stops = useMemo(() => (film ? filmStops(film) : []), [film]);
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);

  const rest = useCallback(
    (time: number) => {
      setPlaying(false);
      changeView({ film: Math.round(time) });
    },
    [changeView, setPlaying],
  );
  useEffect(() => () => clearTimeout(resting.current), []);
  useEffect(() => {
    if (!isOpen || failed) setPlaying(false);
  }, [isOpen, failed, setPlaying]);
  useEffect(() => {
    if (!film || playing || view.film === null) return;
    const time = Math.max(film.begins, Math.min(film.ends, view.film));
    clock.set(time);
    // The link's time also selects the field on the map.
    if (time !== view.film) changeView({ film: time });
  }, [film, playing, view.film, clock, changeView]);

  useEffect(() => {
    if (!playing || !film) return;
    const advance = (time: number) => {
      clock.set(Math.min(film.ends, time));
      if (time >= film.ends) rest(film.ends);
    };
    if (isStill) {
      const timer = setInterval(() => advance(nextStop(stops, clock.time, 1) ?? film.ends), STOP_MS);
      return () => clearInterval(timer);
    }
    let last = performance.now();
    let frame = requestAnimationFrame(function draw(now) {
      frame = requestAnimationFrame(draw);
      if (now - last < FRAME_MS) return;
      const seconds = Math.min(now - last, MAX_FRAME_MS) / 1000;
      last = now;
      advance(clock.time + PACE * seconds);
    });
    return () => cancelAnimationFrame(frame);
  }, [playing, film, stops, isStill, clock, rest]);

  /** Opens the film of a storm at a time, and plays it unless reduced motion is requested. */
  const open = useCallback(
    (begins: number) => {
      clock.set(begins);
      setOpenedByUser(true);
      changeView({ film: begins });
      // The setting is read here, because the last rendering may be older than a change of it.
      setPlaying(!window.matchMedia(NO_MOTION).matches);
    },
    [clock, changeView, setPlaying],
  );
  const control = useMemo<FilmControl | undefined>(() => {
    if (!isOpen) return undefined;
    return {
      film,
      clock,
      playing,
      setPlaying,
      openedByUser,
      toggle() {
        clearTimeout(resting.current);
        if (playing) return rest(clock.time);
        if (film && clock.time >= film.ends) clock.set(film.begins);
        setPlaying(true);
      },
      step(by) {
        clearTimeout(resting.current);
        const stop = nextStop(stops, clock.time, by);
        if (stop === undefined) return;
        clock.set(stop);
        rest(stop);
      },
      seek(time) {
        if (!film) return;
        clearTimeout(resting.current);
        setPlaying(false);
        clock.set(Math.max(film.begins, Math.min(film.ends, time)));
        resting.current = setTimeout(() => rest(clock.time), REST_MS);
      },
      close() {
        clearTimeout(resting.current);
        setPlaying(false);
        setOpenedByUser(false);
        changeView({ film: null });
      },
    };
  }, [isOpen, film, clock, playing, setPlaying, openedByUser, stops, rest, changeView]);
  const last = history?.at(-1)?.entry;
  const scene = useMemo<FilmScene | undefined>(
    () => film && last && { film, clock, entry: last, words },
    [film, clock, last, words],
  );
  return { control, scene, open };
}

/** Stops for stepping through a film: each fix and each bulletin, ascending, Unix seconds. */
export function filmStops(film: StormFilm): number[] {
  const fixes = film.at(film.ends).observed.map(({ time }) => time);
  return [...new Set([...fixes, ...film.issues, film.ends])].sort((one, other) => one - other);
}

/** The next stop after a time, or the last one before it; undefined at the end. @param by 1 or −1. */
export function nextStop(stops: readonly number[], time: number, by: 1 | -1): number | undefined {
  return by > 0 ? stops.find((stop) => stop > time) : stops.findLast((stop) => stop < time);
}

/** A film with its clock. */
export interface FilmScene {
  film: StormFilm;
  clock: FilmClock;
  /** The storm in its last bulletin. */
  entry: StormEntry;
  /** Words of its labels. */
  words: Words;
}

/** The time of a film. It runs outside React's state, so that only components that show it render again. */
class FilmClock {
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

  /** @returns Function that ends the subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
}
