import { MILE_KM } from "#lib/geo/sphere.ts";

/** The Japanese phrases of JMA's bulletins. */

const COURSES =
  "北 北北東 北東 東北東 東 東南東 南東 南南東 南 南南西 南西 西南西 西 西北西 北西 北北西".split(" ");

/** Below these speeds a storm is "almost stationary", without a course, or "slow", km/h. */
const STATIONARY = 4;
const SLOW = 10;

/** Course and speed as in a bulletin: numbers, or words for a nearly stationary storm. */
export function motion(heading: number, knots: number) {
  const kmh = knots * MILE_KM;
  if (kmh < STATIONARY) {
    return { course: "不定", speed: { note: { jp: "ほとんど停滞", en: "Almost stationary" } } };
  }
  const course = COURSES[Math.round(heading / 22.5) % 16]!;
  if (kmh < SLOW) return { course, speed: { note: { jp: "ゆっくり", en: "Slow" } } };
  return { course, speed: { "km/h": String(5 * Math.round(kmh / 5)), kt: String(Math.round(knots)) } };
}

/** @param knots 10-minute wind. */
export function category(knots: number, extratropical: boolean) {
  if (extratropical) return { jp: "温帯低気圧", en: "LOW" };
  if (knots < 34) return { jp: "熱帯低気圧", en: "TD" };
  return { jp: "台風", en: knots < 48 ? "TS" : knots < 64 ? "STS" : "TY" };
}

/** @param knots 10-minute wind. */
export function intensity(knots: number, extratropical: boolean): string {
  if (extratropical || knots < 64) return "-";
  return knots < 85 ? "強い" : knots < 105 ? "非常に強い" : "猛烈な";
}

/** Metres per second as JMA rounds them: whole below 25, multiples of 5 above. */
export function metresPerSecond(knots: number): string {
  const exact = knots * 0.514444;
  return String(exact < 24.5 ? Math.round(exact) : 5 * Math.round(exact / 5));
}

export function partName(hour: number) {
  if (hour === 0) return { jp: "実況", en: "Analysis" };
  const wide = String(hour).replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
  return { jp: `予報　${wide}時間後`, en: `Forecast for ${hour} hours ahead` };
}

/** A time in both time zones of the feed. */
export function clocks(time: number) {
  const utc = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19);
  return { JST: `${utc(time + 9 * 3600)}+09:00`, UTC: `${utc(time)}Z` };
}
