import { createContext, use } from "react";

/** Times of the map, Unix seconds. */
export interface Clock {
  /** Weather clock of the service; 0 until it is known. */
  now: number;
  /** Instant that the map is to show; undefined until it is known. */
  time: number | undefined;
  /** Instant of what is drawn: an earlier `time` while the frames of a new one are on their way or cannot be read. */
  drawn: number | undefined;
  /** Instants that can be shown, ascending. */
  instants: readonly number[];
  setTime(time: number): void;
}

export const ClockContext = createContext<Clock>({
  now: 0,
  time: undefined,
  drawn: undefined,
  instants: [],
  setTime: () => undefined,
});

export function useClock(): Clock {
  return use(ClockContext);
}
