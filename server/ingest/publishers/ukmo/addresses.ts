import { DAY_S } from "#lib/time.ts";
import type { Mirror } from "#server/ingest/feeds/field-feed.ts";

/** The bucket has two years. */
export const mirrors: readonly Mirror[] = [
  {
    name: "AWS",
    base: "https://met-office-atmospheric-model-data.s3.eu-west-2.amazonaws.com",
    youngerThan: 2 * 365 * DAY_S,
  },
];

export const files =
  "global-deterministic-10km/{YYYY}{MM}{DD}T{HH}00Z/{VYYYY}{VMM}{VDD}T{VHH}00Z-PT{FFFF}H00M-{param}.nc";

/**
 * The names of files by the CF name of the only variable in each, with its bytes at 2025-06-14 00 UTC + 1 h. Speed and
 * direction of the wind are two files.
 */
export const contents = {
  wind_speed: { param: "wind_speed_at_10m", bytes: 5_956_000 },
  wind_from_direction: { param: "wind_direction_at_10m", bytes: 9_430_000 },
  wind_speed_of_gust: { param: "wind_gust_at_10m", bytes: 5_546_000 },
  air_pressure_at_sea_level: { param: "pressure_at_mean_sea_level", bytes: 8_039_000 },
  air_temperature: { param: "temperature_at_screen_level", bytes: 7_285_000 },
  cloud_area_fraction: { param: "cloud_amount_of_total_cloud", bytes: 3_442_000 },
  lwe_precipitation_rate: { param: "precipitation_rate", bytes: 2_497_000 },
};
