import {
  bearing,
  choice,
  type FieldRule,
  grib,
  unchanged,
  waveRules,
} from "#server/ingest/sources/source.ts";

const ofSeaSurface = (element: string, number: number) =>
  grib({ codes: [10, 0, number], element }, { type: 1, words: "sfc" });

/**
 * Fields of the `wave-fc` files, land masked. `mwp` is the mean period from the moment of order −1 (the energy period),
 * a true mean; `mwd` is the mean direction that waves come FROM. The open data has no partitions of swell and wind
 * waves.
 */
export const fields: readonly FieldRule[] = waveRules(
  "sea_surface_wave",
  [choice([ofSeaSurface("swh", 3)], unchanged)],
  [choice([ofSeaSurface("mwp", 15)], unchanged, "mean period by energy (mwp)")],
  bearing(ofSeaSurface("mwd", 14)),
);
