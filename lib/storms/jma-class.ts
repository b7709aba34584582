import type { TrackPoint } from "#lib/contract/storm-form.ts";

/** A class of the JMA. */
export interface JmaClass {
  /** As in its bulletins. */
  code: "TD" | "TS" | "STS" | "TY";
  /** Of a typhoon with a known wind. */
  strength?: "strong" | "veryStrong" | "violent";
}

/** Lowest 10-minute winds of the JMA's classes of typhoons, kt, the strongest first. */
const typhoons = [
  [105, "violent"],
  [85, "veryStrong"],
  [64, "strong"],
] as const;

const SEVERE_KT = 48;

/**
 * Class of a tropical cyclone by the JMA's own scale of 10-minute winds (RSMC Tokyo: TD, TS, STS, TY; typhoons are strong
 * from 64 kt, very strong from 85 kt, violent from 105 kt). The Saffir-Simpson scale is one of 1-minute winds.
 *
 * @returns undefined if it is not a tropical cyclone, or its stage is unknown.
 */
export function jmaClass({ type, vmax_kt }: Pick<TrackPoint, "type" | "vmax_kt">): JmaClass | undefined {
  const wind = vmax_kt ?? Number.NaN;
  if (type === "HU") {
    const strength = typhoons.find(([least]) => wind >= least)?.[1];
    return strength ? { code: "TY", strength } : { code: "TY" };
  }
  if (type === "TS") return { code: wind >= SEVERE_KT ? "STS" : "TS" };
  return type === "TD" ? { code: "TD" } : undefined;
}
