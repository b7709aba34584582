import type { BetterRoute, PassagePlan } from "#lib/contract/passage-reply.ts";

type Totals = PassagePlan["totals"];

/** Below these, differences are not worth words. */
const [SAME_S, SAME_M, SAME_KT] = [600, 0.1, 1];

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

/** `6 h later, worst sea 2.1 m instead of 4.3 m`, in English. Of a plan that does not arrive there is no time to compare. */
export function differenceText(
  own: PassagePlan,
  better: PassagePlan,
  over: BetterRoute["over_limits_s"],
): string {
  const parts: string[] = [];
  const seconds = better.totals.duration_s - own.totals.duration_s;
  if (own.ending !== "arrived") {
    if (better.ending === "arrived") parts.push("arrives, which the own route does not");
  } else if (Math.abs(seconds) >= SAME_S)
    parts.push(`${hours(seconds)} ${seconds > 0 ? "later" : "earlier"}`);
  const [sea, ownSea] = [better.totals.max_height_m, own.totals.max_height_m];
  if (sea !== null && ownSea !== null && Math.abs(sea - ownSea) >= SAME_M)
    parts.push(`worst sea ${sea.toFixed(1)} m instead of ${ownSea.toFixed(1)} m`);
  const [wind, ownWind] = [better.totals.max_wind_kt, own.totals.max_wind_kt];
  if (wind !== null && ownWind !== null && Math.abs(wind - ownWind) >= SAME_KT)
    parts.push(`worst wind ${Math.round(wind)} kt instead of ${Math.round(ownWind)} kt`);
  if (Math.abs(over.better - over.own) >= SAME_S)
    parts.push(`${hours(over.better)} beyond the limits instead of ${hours(over.own)}`);
  return parts.length > 0 ? parts.join(", ") : "about the same";
}

function hours(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
