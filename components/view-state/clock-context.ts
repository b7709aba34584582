import { createContext, use } from "react";
import type { Side } from "./compared.ts";
import type { Segment, StepHours, TimeWindow } from "./time-window.ts";

/** Times of the map, Unix seconds. */
export interface Clock {
  /** Weather clock of the service; 0 until it is known. */
  now: number;
  /** Weather clock when the service last answered: that of now while it does. */
  answered?: number | undefined;
  /** Instant that the map is to show; undefined until it is known. */
  time: number | undefined;
  /**
   * Instant of what is drawn: an earlier `time` while the frames of a new one are on their way or cannot be read; undefined
   * while a film plays.
   */
  drawn: number | undefined;
  /** Instants that can be shown in the window and a day on either side, ascending. */
  instants: readonly number[];
  /** The instant nearest to now; undefined where none can be shown. */
  present: number | undefined;
  /** What the time bar shows. */
  window: TimeWindow;
  /** The parts of the window by what answers. */
  segments: readonly Segment[];
  /** Step of the time bar. */
  stepHours: StepHours;
  setTime(time: number): void;
  /** Of the sampled point alone: the picture whose time this is, where two are compared. */
  side?: { sampled: Side; choose(side: Side): void } | undefined;
}

export const ClockContext = createContext<Clock>({
  now: 0,
  time: undefined,
  drawn: undefined,
  instants: [],
  present: undefined,
  window: { from: 0, to: 0, isPast: false },
  segments: [],
  stepHours: undefined,
  setTime: () => undefined,
});

export function useClock(): Clock {
  return use(ClockContext);
}
