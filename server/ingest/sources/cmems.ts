import { windField, windHeights } from "#lib/catalog/wind.ts";
import { combinedDirection, combinedHeight, combinedPeriod, unchanged } from "./convert.ts";
import { copernicusCurrents } from "./smoc.ts";
import { type Conversion, choice, modelName, rule, type Selector, type Source, variable } from "./source.ts";
import { bearing, waveRules } from "./wave-rules.ts";

const waves = waveRules(
  "sea_surface_wave",
  [choice([variable("VHM0", "m")], unchanged)],
  [
    choice([variable("VTM10", "s")], unchanged),
    choice([variable("VTPK", "s")], unchanged, "period of the spectral peak, in place of the mean period"),
  ],
  bearing(variable("VMDR", "degree")),
);

const windSea = waveRules(
  "sea_surface_wind_wave",
  [choice([variable("VHM0_WW", "m")], unchanged)],
  [choice([variable("VTM01_WW", "s")], unchanged)],
  bearing(variable("VMDR_WW", "degree")),
);

const swellHeight = (n: number) => variable(`VHM0_SW${n}`, "m");

/** Both swell partitions, or the first if a file has no second. */
const swellChoices = (needs: (n: number) => Selector[], convert: Conversion) => [
  choice([1, 2].flatMap(needs), convert, "swell partitions 1 and 2 together, weighted by energy"),
  choice(needs(1), convert, "swell partition 1"),
];

const swell = waveRules(
  "sea_surface_swell_wave",
  swellChoices((n) => [swellHeight(n)], combinedHeight),
  swellChoices((n) => [swellHeight(n), variable(`VTM01_SW${n}`, "s")], combinedPeriod),
  (part) => swellChoices((n) => [swellHeight(n), variable(`VMDR_SW${n}`, "degree")], combinedDirection(part)),
);

const carriedWind = "GFS wind carried in the same file";
const winds = windHeights.flatMap((height) =>
  (["eastward", "northward"] as const).map((toward) => {
    const component = `${toward === "eastward" ? "u" : "v"}-component_of_wind_height_above_ground`;
    return rule(
      windField(toward, height),
      choice([variable(component, "m s-1", height)], unchanged, carriedWind),
    );
  }),
);

/**
 * Copernicus Marine: SMOC currents, waves, sea temperature, and GFS wind in files that include it.
 *
 * VMDR and its likes are directions that waves come FROM.
 */
export const cmems: Source = {
  name: "cmems",
  title: "Copernicus Marine: currents with tides, waves, sea temperature (NetCDF)",
  dataset: "Forecast",
  model: modelName("Copernicus Marine"),
  rules: [
    ...copernicusCurrents,
    ...waves,
    ...windSea,
    ...swell,
    rule(
      "sea_surface_temperature",
      choice([variable("thetao", "degC")], unchanged, "potential temperature of the uppermost model level"),
      choice([variable("sst", "degC")], unchanged),
      choice([variable("analysed_sst", "degC")], unchanged),
    ),
    ...winds,
    rule(
      "wind_speed_of_gust",
      choice([variable("Wind_speed_gust_surface", "m s-1")], unchanged, carriedWind),
    ),
    rule(
      "air_pressure_at_mean_sea_level",
      choice(
        [variable("Pressure_reduced_to_MSL_msl", "hPa")],
        unchanged,
        "GFS pressure carried in the same file",
      ),
    ),
  ],
};
