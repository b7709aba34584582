import { unchanged } from "./convert.ts";
import { choice, grib, modelName, type Source } from "./source.ts";
import { bearing, waveRules } from "./wave-rules.ts";

const ofSeaSurface = (element: string, number: number) =>
  grib({ codes: [10, 0, number], element }, { type: 1, words: "sfc" });

/**
 * ECMWF's open data of its wave model: `wave-fc` files, land masked.
 *
 * `mwp` is the mean period from the moment of order −1 (the energy period), a true mean; `mwd` is the mean direction that
 * waves come FROM. The open data has no partitions of swell and wind waves.
 */
export const ecmwfwave: Source = {
  name: "ecmwfwave",
  title: "ECMWF open data: combined waves with a true mean period (GRIB2)",
  dataset: "Forecast",
  model: modelName("ECMWF WAM"),
  rules: waveRules(
    "sea_surface_wave",
    [choice([ofSeaSurface("swh", 3)], unchanged)],
    [choice([ofSeaSurface("mwp", 15)], unchanged, "mean period by energy (mwp)")],
    bearing(ofSeaSurface("mwd", 14)),
  ),
};
