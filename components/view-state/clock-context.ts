import { createContext, use } from "react";
import { HOUR_S } from "#lib/time.ts";
import type { Compared, Side } from "./compared.ts";
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

/**
 * The clock of the sampled point while two pictures are compared: that of the side on which it was sampled. What is chosen by
 * it, such as an hour of the chart, moves the map's own time, that of A, so that the side shows the chosen one.
 *
 * @param clock Of the map.
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
