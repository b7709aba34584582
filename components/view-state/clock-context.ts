import { createContext, use } from "react";
import { HOUR_S } from "#lib/time.ts";
import type { Compared, Side } from "./compared.ts";
import { type Selectable, sharedState } from "./shared-state.ts";
import type { Segment, StepHours, TimeWindow } from "./time-window.ts";

/** Times of the map, Unix seconds. */
export interface Clock {
  /** Weather clock of the service; 0 until it is known. */
  now: number;
  /** Weather clock when the service last answered; equal to `now` while it answers. */
  answered?: number | undefined;
  /** Instant that the map should show; undefined until it is known. */
  time: number | undefined;
  /**
   * Instant of the drawn field: an earlier `time` while new frames are loading or cannot be read; undefined
   * while a film plays.
   */
  drawn: number | undefined;
  /** Instants that can be shown in the window and a day on either side, ascending. */
  instants: readonly number[];
  /** The instant nearest to now; undefined if none can be shown. */
  present: number | undefined;
  /** Time span of the time bar. */
  window: TimeWindow;
  /** Segments of the window by the dataset that answers. */
  segments: readonly Segment[];
  /** Interval of the time bar. */
  stepHours: StepHours;
  setTime(time: number): void;
  /** Only for the sampled point while two pictures are compared: the picture to which this time belongs. */
  side?: { sampled: Side; choose(side: Side): void } | undefined;
}

const unknown: Clock = {
  now: 0,
  time: undefined,
  drawn: undefined,
  instants: [],
  present: undefined,
  window: { from: 0, to: 0, isPast: false },
  segments: [],
  stepHours: undefined,
  setTime: () => undefined,
};

export const ClockContext = createContext<Selectable<Clock>>(sharedState(unknown));

/** Fields of the clock. */
export function useClock<Name extends keyof Clock>(...names: Name[]): Pick<Clock, Name> {
  return use(ClockContext).use(...names);
}

/**
 * The clock of the sampled point while two pictures are compared: that of the side on which it was sampled.
 * Choosing a time with it, such as an hour of the chart, sets the map's own time, which is that of A, so that
 * the side shows the chosen time.
 *
 * @param clock Clock of the map.
 */
export function sampledClock(
  clock: Clock,
  { hours, sampled }: Pick<Compared, "hours" | "sampled">,
  choose: (side: Side) => void,
): Clock {
  const side = { sampled, choose };
  if (sampled === "a") return { ...clock, side };
  const shift = hours * HOUR_S;
  const later = (time: number | undefined) => time && time + shift;
  return {
    ...clock,
    side,
    time: later(clock.time),
    drawn: later(clock.drawn),
    instants: clock.instants.map((instant) => instant + shift),
    setTime: (time) => clock.setTime(time - shift),
  };
}
