import type { Frame } from "#lib/field/frame.ts";

/** How a field is drawn as lines. */
export interface IsolineSet {
  band: number;
  /** Distance of levels, in the unit of the field. */
  step: number;
  /** Levels drawn bold: multiples of this. */
  boldEvery: number;
  /** Written behind the number. */
  unit: string;
  /** Highs and lows are marked when they stand out by this much; undefined marks none. */
  prominence: number | undefined;
}

const sets: Record<string, Omit<IsolineSet, "band">> = {
  // Isobars as on surface charts: each 4 hPa, 1000 bold.
  air_pressure_at_mean_sea_level: { step: 4, boldEvery: 1000, unit: "", prominence: 0.6 },
  sea_surface_wave_significant_height: { step: 1, boldEvery: 5, unit: "\u202fm", prominence: undefined },
};

/** Lines for the first band of a frame that is drawn as lines; undefined where none is. */
export function isolineSetOf({ bands }: Frame): IsolineSet | undefined {
  const band = bands.findIndex(({ name }) => name in sets);
  const set = sets[bands[band]?.name ?? ""];
  return set && { ...set, band };
}
