import { HOUR_S } from "#lib/time.ts";
import type { Clock } from "./clock-context.ts";
import type { Compared, Side } from "./compared.ts";

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
