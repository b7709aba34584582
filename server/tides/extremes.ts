import type { TideExtremes } from "#lib/watches/tide-extreme.ts";
import type { Catalog, Station } from "./catalog.ts";
import { coefficientsOf } from "./coefficient.ts";
import { PredictionError } from "./errors.ts";
import { nameOf } from "./names.ts";
import { centi, type Period, withinPeriod } from "./period.ts";
import { levelOf, regimeOf, tideCurve } from "./tide.ts";

export interface ExtremesQuestion extends Period {
  /** Datum of the heights; chart datum by default. */
  datum?: string | undefined;
}

/** High and low waters of a station, for watches. @throws PredictionError */
export function tideExtremes(
  catalog: Catalog,
  station: Station,
  { datum: asked, ...period }: ExtremesQuestion,
): TideExtremes {
  if (station.kind !== "tide") throw new PredictionError("station: it has streams, and no heights");
  const { datum, level } = levelOf(station, asked);
  const sum = catalog.sum(station);
  const { regime } = regimeOf(sum.terms);
  if (regime === "none")
    throw new PredictionError("station: there is hardly any tide here, and no high or low water");
  const coefficients = regime === "semidiurnal" ? coefficientsOf(catalog, station) : undefined;
  const all = tideCurve(sum, station, level, period.from, period.to).extremes;
  const ofHighs = all.map(({ time, isHigh }) => (isHigh ? coefficients?.at(time) : undefined));
  const known = all.map(({ time, value, isHigh }, at) => ({
    time: Math.round(time / 60) * 60,
    type: isHigh ? ("high" as const) : ("low" as const),
    value: centi(value),
    ...(coefficients && {
      coefficient: isHigh ? ofHighs[at] : Math.max(ofHighs[at - 1] ?? 0, ofHighs[at + 1] ?? 0),
    }),
  }));
  const { latitude, longitude, timezone, attribution } = station;
  return {
    station: nameOf(station),
    at: { latitude: Number(latitude.toFixed(4)), longitude: Number(longitude.toFixed(4)) },
    timezone,
    datum,
    attribution,
    hasCoefficients: coefficients !== undefined,
    extremes: withinPeriod(known, period),
  };
}
