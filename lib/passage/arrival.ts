import { nightsAt, sunAltitude } from "@open-metocean/geo/sun";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { DAY_S, formatInstant } from "#lib/time.ts";
import type { PassedGate } from "./gates.ts";
import type { Daylight } from "./limits.ts";
import type { Passage, Passing } from "./march.ts";
import { lightAt } from "./piece-state.ts";
import type { MissedArrival } from "./verdict.ts";

/**
 * How a passage should arrive. High water is a gate at the last waypoint: see `PassageQuestion.highWater`.
 *
 * @see by Unix seconds. @see daylight Where the sun should be up: at the arrival, or at the departure too.
 */
export interface ArrivalWish {
  by?: number | undefined;
  daylight?: Daylight | undefined;
}

interface ArrivedAs {
  wire: NonNullable<PassagePlan["arrive"]>;
  missed: MissedArrival | undefined;
}

/**
 * Compares an arrival with what was wished. The sun is that at sea level, at the place and time.
 *
 * @param start First waypoint.
 * @param highWater The gate of high water at the last waypoint; undefined if none was wished.
 */
export function arrivedAs(
  { by, daylight }: ArrivalWish,
  { ending, end, passes }: Pick<Passage, "ending" | "end" | "passes">,
  start: Passing,
  highWater: PassedGate | undefined,
): ArrivedAs {
  if (ending !== "arrived")
    return { wire: { meets: false, spare_s: null, sunrise: null, sunset: null }, missed: undefined };
  const time = Math.round(end.time);
  const spare = by === undefined ? null : by - time;
  const leaves = { ...start, time: passes[0]?.time ?? start.time };
  const sun = nextSun(end);
  const missed = firstMissed();
  return {
    wire: {
      meets: missed === undefined && (highWater === undefined || highWater.wire.holds === true),
      spare_s: spare,
      sunrise: instant(sun.rises),
      sunset: instant(sun.sets),
    },
    missed,
  };

  function firstMissed(): MissedArrival | undefined {
    if (spare !== null && spare < 0)
      return {
        by: "arrives_late",
        text: `Arrives ${span(-spare)} after ${formatInstant(by!)}, the latest wished`,
        at: end,
      };
    if (daylight && !isDay(end)) {
      const rises = sun.rises === undefined ? "does not rise within a day" : `rises ${instant(sun.rises)}`;
      return { by: "arrives_in_dark", text: `Arrives while the sun is down; it ${rises}`, at: end };
    }
    if (daylight === "both_ends" && !isDay(leaves))
      return { by: "leaves_in_dark", text: "Leaves while the sun is down", at: leaves };
    return undefined;
  }
}

const instant = (time: number | undefined) => (time === undefined ? null : formatInstant(Math.round(time)));

const isDay = (at: Passing) => lightAt(sunAltitude(at.time, at)) === "day";

/** The next sunrise and sunset within a day, Unix seconds; undefined for none, as in polar day and night. */
function nextSun(at: Passing): { rises: number | undefined; sets: number | undefined } {
  const [from, to] = [at.time, at.time + DAY_S];
  const nights = nightsAt(at, from, to);
  return {
    rises: nights.find((night) => night.to < to)?.to,
    sets: nights.find((night) => night.from > from)?.from,
  };
}

/** `2 h 10 min` */
function span(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(" ");
}
