import type { DangerDistance } from "@open-metocean/storms/danger";
import type { BetterRoute, PassagePlan } from "#lib/contract/passage-reply.ts";
import type { Limits, Objective } from "#lib/passage/limits.ts";
import type { Passage, Passing } from "#lib/passage/march.ts";
import { judgePieces } from "#lib/passage/verdict.ts";

export interface Order {
  limits: Limits;
  objective: Objective;
  /** The danger areas of the storms at a time; storms far from the place may be left out. */
  stormsAt(at: Passing): readonly DangerDistance[];
}

/** The properties by which passages are compared. Times in seconds. */
export interface Score {
  arrives: boolean;
  seconds: number;
  /** Time beyond any limit, including that of storms. */
  over: number;
  /** Time beyond the limits of the objective, weighted by severity. */
  weighted: number;
  /** The route comes too near to the coast although there is room. */
  isNearCoast: boolean;
}

/** An hour beyond a limit counts as this many additional hours of passage, multiplied by its severity. */
export const OVER_COUNTS = 8;

/** Severity no longer increases above this multiple of a limit. */
const MAX_RATIO = 4;

/** Equivalent multiples of a limit at the edge of a storm's danger area and in the storm's centre. */
const [AT_EDGE, IN_CENTRE] = [2, 6];

/** A difference in time below this is not worth a change of route, s. */
const WORTH_S = 600;

/**
 * Severity of a value beyond a limit: the square of how many times it is exceeded, as the force of wind and
 * waves grows; 0 within the limit.
 *
 * @param ratio Value divided by limit.
 * @param share Share of the limit that may be used.
 */
export function severityOf(ratio: number, share = 1): number {
  return ratio > share ? Math.min(MAX_RATIO, Math.max(1, ratio)) ** 2 : 0;
}

/**
 * Severity of storms at their distance at that time: 0 beyond the least accepted distance, rising from 1
 * there to 4 at the edge of the danger area, and to 36 in the centre.
 */
export function stormSeverity(
  storms: readonly DangerDistance[],
  { storm_km: limit }: Limits,
  share = 1,
): number {
  if (limit === null) return 0;
  const least = Math.max(1, limit);
  return storms.reduce((most, { km, radiusKm }) => {
    if (km * share >= least) return most;
    const ratio =
      km < 0
        ? AT_EDGE + (IN_CENTRE - AT_EDGE) * Math.min(1, -km / radiusKm)
        : 1 + (AT_EDGE - 1) * Math.max(0, 1 - km / least);
    return Math.max(most, ratio * ratio);
  }, 0);
}

/**
 * The score of a passage.
 *
 * @param share Share of the limits that may be used; less than 1 if the passage will still be changed.
 */
export function scoreOf(
  { pieces, ending, end }: Passage,
  departure: number,
  { limits, objective, stormsAt }: Order,
  share = 1,
): Score {
  const score: Score = {
    arrives: ending === "arrived",
    seconds: end.time - departure,
    over: 0,
    weighted: 0,
    isNearCoast: false,
  };
  for (const { piece, measured } of judgePieces(pieces, limits)) {
    const storms = stormsAt(piece.at);
    const ratio = measured[0]?.ratio ?? 0;
    if (ratio > 1 || stormSeverity(storms, limits) > 0) score.over += piece.seconds;
    const severity = Math.max(
      stormSeverity(storms, limits, share),
      objective === "within_limits" ? severityOf(ratio, share) : 0,
    );
    score.weighted += piece.seconds * severity;
  }
  return score;
}

/**
 * Compares two routes; negative if the first is better. In this order: a route that arrives; one that stays
 * within the limits all the way (for `fastest` clear of storms); one that keeps off the coast; the shorter
 * time, after adding eight times the weighted time beyond the limits.
 */
export function compareScores(one: Score, other: Score): number {
  if (!one.arrives || !other.arrives) return Number(other.arrives) - Number(one.arrives);
  const keeps = Number(one.weighted > 0) - Number(other.weighted > 0);
  const off = Number(one.isNearCoast) - Number(other.isNearCoast);
  return keeps || off || costOf(one) - costOf(other);
}

/** Whether a route is enough of an improvement to be worth a change. */
export function isWorthwhile(one: Score, other: Score): boolean {
  if (compareScores(one, other) >= 0) return false;
  const alike =
    one.arrives === other.arrives &&
    one.weighted > 0 === other.weighted > 0 &&
    one.isNearCoast === other.isNearCoast;
  return !alike || costOf(other) - costOf(one) >= WORTH_S;
}

function costOf({ seconds, weighted }: Score): number {
  return seconds + OVER_COUNTS * weighted;
}

type Totals = PassagePlan["totals"];

/** Differences below these are not mentioned. */
const [SAME_S, SAME_NM, SAME_M, SAME_KT] = [WORTH_S, 1, 0.1, 1];
const SAME_FUEL_SHARE = 0.01;

const fuelTotals = ["fuel_l", "fuel_t", "co2_t"] as const;

/** Second plan minus the first. @param over Time beyond any limit, s. */
export function differenceOf(
  own: Totals,
  better: Totals,
  over: BetterRoute["over_limits_s"],
): BetterRoute["difference"] {
  const less = (name: "max_wind_kt" | "max_gust_kt" | "max_height_m" | "max_acceleration_g") => {
    const [one, other] = [own[name], better[name]];
    return one === null || other === null ? null : Math.round((other - one) * 1000) / 1000 + 0;
  };
  return {
    duration_s: better.duration_s - own.duration_s,
    distance_nm: Math.round((better.distance_nm - own.distance_nm) * 100) / 100 + 0,
    over_limits_s: over.better - over.own,
    max_wind_kt: less("max_wind_kt"),
    max_gust_kt: less("max_gust_kt"),
    max_height_m: less("max_height_m"),
    max_acceleration_g: less("max_acceleration_g"),
    motor_s: better.motor_s - own.motor_s,
    ...Object.fromEntries(
      fuelTotals.flatMap((name) => {
        const [one, other] = [own[name], better[name]];
        return one === undefined || other === undefined
          ? []
          : [[name, Math.round((other - one) * 1000) / 1000 + 0]];
      }),
    ),
  };
}

/** A difference that is large enough to mention. @see difference Better minus own, s or nautical miles. */
export type DifferencePart =
  | { of: "arrival" }
  | { of: "gates"; better: number; own: number }
  | { of: "waiting"; seconds: number }
  | { of: "duration" | "distance"; difference: number }
  | { of: "sea" | "wind" | "over" | "weighted" | "litres" | "tonnes"; better: number; own: number };

/**
 * The differences large enough to mention, most important first: heights in m, wind in kt, times in s, fuel in litres or tonnes. If a
 * plan does not arrive, times are not compared.
 */
export function differencesOf(
  own: PassagePlan,
  better: PassagePlan,
  over: BetterRoute["over_limits_s"],
  weighted: BetterRoute["weighted_over_limits_s"],
): DifferencePart[] {
  const parts: DifferencePart[] = [];
  const [missed, less] = [missedGates(own), missedGates(better)];
  if (missed !== less) parts.push({ of: "gates", own: missed, better: less });
  const seconds = better.gates?.reduce((sum, { waited_s }) => sum + waited_s, 0) ?? 0;
  if (seconds > 0) parts.push({ of: "waiting", seconds });
  if (own.ending !== "arrived") {
    if (better.ending === "arrived") parts.push({ of: "arrival" });
  } else {
    const seconds = better.totals.duration_s - own.totals.duration_s;
    if (Math.abs(seconds) >= SAME_S) parts.push({ of: "duration", difference: seconds });
    const miles = better.totals.distance_nm - own.totals.distance_nm;
    if (Math.abs(miles) >= SAME_NM) parts.push({ of: "distance", difference: miles });
  }
  const compared = (of: "sea" | "wind", name: "max_height_m" | "max_wind_kt", same: number) => {
    const [one, other] = [own.totals[name], better.totals[name]];
    if (one !== null && other !== null && Math.abs(other - one) >= same)
      parts.push({ of, better: other, own: one });
  };
  compared("sea", "max_height_m", SAME_M);
  compared("wind", "max_wind_kt", SAME_KT);
  const fuel = (of: "litres" | "tonnes", name: "fuel_l" | "fuel_t") => {
    const [one = 0, other = 0] = [own.totals[name], better.totals[name]];
    if (Math.abs(other - one) >= SAME_FUEL_SHARE * Math.max(one, other) && one !== other)
      parts.push({ of, better: other, own: one });
  };
  fuel("litres", "fuel_l");
  fuel("tonnes", "fuel_t");
  if (Math.abs(over.better - over.own) >= SAME_S) parts.push({ of: "over", ...over });
  if (Math.abs(weighted.better - weighted.own) >= SAME_S) parts.push({ of: "weighted", ...weighted });
  return parts;
}

export const missedGates = ({ gates = [] }: PassagePlan): number =>
  gates.filter(({ holds }) => holds === false).length;

/** `6 h later, 12 n mi longer, worst sea 2.1 m instead of 4.3 m`, in English. */
export function differenceText(...plans: Parameters<typeof differencesOf>): string {
  const parts = differencesOf(...plans).map(partText);
  return parts.length > 0 ? parts.join(", ") : "about the same";
}

function partText(part: DifferencePart): string {
  switch (part.of) {
    case "arrival":
      return "arrives, which the own route does not";
    case "gates":
      return `misses ${part.better} gates instead of ${part.own}`;
    case "waiting":
      return `waits ${hours(part.seconds)} before gates`;
    case "duration":
      return `${hours(part.difference)} ${part.difference > 0 ? "later" : "earlier"}`;
    case "distance":
      return `${Math.round(Math.abs(part.difference))} n mi ${part.difference > 0 ? "longer" : "shorter"}`;
    case "sea":
      return `worst sea ${part.better.toFixed(1)} m instead of ${part.own.toFixed(1)} m`;
    case "wind":
      return `worst wind ${Math.round(part.better)} kt instead of ${Math.round(part.own)} kt`;
    case "litres":
      return `${part.better.toFixed(1)} l of fuel instead of ${part.own.toFixed(1)} l`;
    case "tonnes":
      return `${part.better.toFixed(2)} t of fuel instead of ${part.own.toFixed(2)} t`;
    case "over":
      return `${hours(part.better)} beyond the limits instead of ${hours(part.own)}`;
    case "weighted":
      return `weighted by how far, ${hours(part.better)} instead of ${hours(part.own)}`;
  }
}

function hours(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
