import { createContext, use } from "react";

/** Times of the map, Unix seconds. */
export interface Clock {
  /** Weather clock of the service; 0 until it is known. */
  now: number;
  /** Instant that the map shows; undefined until it is known. */
  time: number | undefined;
  /** Instants that can be shown, ascending. */
  instants: readonly number[];
  setTime(time: number): void;
}

export const ClockContext = createContext<Clock>({
  now: 0,
  time: undefined,
  instants: [],
  setTime: () => undefined,
});

export function useClock(): Clock {
  return use(ClockContext);
}
