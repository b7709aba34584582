import {
  choice,
  type FieldRule,
  rule,
  unchanged,
  variable,
  windToward,
} from "#server/ingest/sources/source.ts";

const wind = [variable("wind_speed", "m s-1"), variable("wind_from_direction", "degree")];
const rate = "kg m-2 h-1";

/** Fields by the CF names that the files have for their variables. Gusts are those of the instant. */
export const fields: readonly FieldRule[] = [
  rule("eastward_wind_10m", choice(wind, windToward("east"))),
  rule("northward_wind_10m", choice(wind, windToward("north"))),
  rule("wind_speed_of_gust", choice([variable("wind_speed_of_gust", "m s-1")], unchanged)),
  rule(
    "precipitation_flux",
    choice([variable("lwe_precipitation_rate", rate)], unchanged),
    choice([variable("precipitation_flux", rate)], unchanged),
  ),
  rule("air_temperature", choice([variable("air_temperature", "degC")], unchanged)),
  rule(
    "cloud_area_fraction",
    choice([variable("cloud_area_fraction", "%")], unchanged),
    choice([variable("cloud_amount_of_total_cloud", "%")], unchanged),
  ),
  rule("air_pressure_at_mean_sea_level", choice([variable("air_pressure_at_sea_level", "hPa")], unchanged)),
];
