import type { BetterRoute, PassagePlan } from "#lib/contract/passage-reply.ts";
import { WORTH_S } from "./order.ts";

type Totals = PassagePlan["totals"];

/** Below these, differences are not worth words. */
const [SAME_S, SAME_NM, SAME_M, SAME_KT] = [WORTH_S, 1, 0.1, 1];

/** The second plan less the first. @param over Time beyond any limit, s. */
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
  };
}

/** What is different enough to be worth words. @see difference Better less own, s or nautical miles. */
export type DifferencePart =
  | { of: "arrival" }
  | { of: "duration" | "distance"; difference: number }
  | { of: "sea" | "wind" | "over" | "weighted"; better: number; own: number };

/**
 * The differences that are worth words, the most telling first: heights in m, wind in kt, times in s. Of a plan that does not
 * arrive there is no time to compare.
 */
export function differencesOf(
  own: PassagePlan,
  better: PassagePlan,
  over: BetterRoute["over_limits_s"],
  weighted: BetterRoute["weighted_over_limits_s"],
): DifferencePart[] {
  const parts: DifferencePart[] = [];
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
  if (Math.abs(over.better - over.own) >= SAME_S) parts.push({ of: "over", ...over });
  if (Math.abs(weighted.better - weighted.own) >= SAME_S) parts.push({ of: "weighted", ...weighted });
  return parts;
}

/** `6 h later, 12 n mi longer, worst sea 2.1 m instead of 4.3 m`, in English. */
export function differenceText(...plans: Parameters<typeof differencesOf>): string {
  const parts = differencesOf(...plans).map(partText);
  return parts.length > 0 ? parts.join(", ") : "about the same";
}

function partText(part: DifferencePart): string {
  switch (part.of) {
    case "arrival":
      return "arrives, which the own route does not";
    case "duration":
      return `${hours(part.difference)} ${part.difference > 0 ? "later" : "earlier"}`;
    case "distance":
      return `${Math.round(Math.abs(part.difference))} n mi ${part.difference > 0 ? "longer" : "shorter"}`;
    case "sea":
      return `worst sea ${part.better.toFixed(1)} m instead of ${part.own.toFixed(1)} m`;
    case "wind":
      return `worst wind ${Math.round(part.better)} kt instead of ${Math.round(part.own)} kt`;
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
