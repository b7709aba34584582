import type { TrackPoint } from "#lib/contract/storm-form.ts";

/** A class of the JMA, short as in its bulletins and in words. */
export interface JmaClass {
  code: "TD" | "TS" | "STS" | "TY";
  title: string;
}

/** Lowest 10-minute winds of the JMA's classes of typhoons, kt, the strongest first. */
const typhoons = [
  [105, "Typhoon, violent"],
  [85, "Typhoon, very strong"],
  [64, "Typhoon, strong"],
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
    const title = typhoons.find(([least]) => wind >= least)?.[1] ?? "Typhoon";
    return { code: "TY", title };
  }
  if (type === "TS")
    return wind >= SEVERE_KT
      ? { code: "STS", title: "Severe tropical storm" }
      : { code: "TS", title: "Tropical storm" };
  return type === "TD" ? { code: "TD", title: "Tropical depression" } : undefined;
}
