import { windField, windHeights } from "#lib/catalog/wind.ts";
import { fields as waves } from "#server/ingest/publishers/cmemswave/fields.ts";
import { fields as currents } from "#server/ingest/publishers/smoc/fields.ts";
import { choice, type FieldRule, rule, unchanged, variable } from "#server/ingest/sources/source.ts";

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
 * Currents, waves and sea temperature by the names of Copernicus Marine, and the wind of GFS in files that include it.
 */
export const fields: readonly FieldRule[] = [
  ...currents,
  ...waves,
  rule(
    "sea_surface_temperature",
    choice([variable("thetao", "degC")], unchanged, "potential temperature of the uppermost model level"),
    choice([variable("sst", "degC")], unchanged),
    choice([variable("analysed_sst", "degC")], unchanged),
  ),
  ...winds,
  rule("wind_speed_of_gust", choice([variable("Wind_speed_gust_surface", "m s-1")], unchanged, carriedWind)),
  rule(
    "air_pressure_at_mean_sea_level",
    choice(
      [variable("Pressure_reduced_to_MSL_msl", "hPa")],
      unchanged,
      "GFS pressure carried in the same file",
    ),
  ),
];
