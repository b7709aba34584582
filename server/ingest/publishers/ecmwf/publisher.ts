import { HOUR_S } from "#lib/time.ts";
import { type Profile, partsAt, range } from "#server/ingest/feeds/field-feed.ts";
import { around, publisher } from "#server/ingest/publishers/publisher.ts";
import { filesOf, mirrors } from "./addresses.ts";
import { fields } from "./fields.ts";

export const licence = "CC BY 4.0";
export const credit =
  "Contains modified ECMWF open data, © European Centre for Medium-Range Weather Forecasts, CC BY 4.0";

/** Publication times of both streams of the open data. */
export const rhythm = {
  cycles: { every: 6 * HOUR_S, offset: 0 },
  delay: { first: 6.5 * HOUR_S, whole: 8 * HOUR_S },
};

/**
 * Leads, hours: three-hourly to 144 h, then six-hourly. They are six-hourly in `lite`, where GFS is preferred. The
 * cycles of 06 and 18 UTC end at 144 h.
 *
 * @param cycle Unix seconds.
 */
export function leads(cycle: number, profile: Profile): number[] {
  if (profile === "lite") return range(0, 120, 6);
  const long = cycle % (12 * HOUR_S) === 0;
  const last = profile === "standard" ? 240 : 360;
  return long ? [...range(0, 144, 3), ...range(150, last, 6)] : range(0, 144, 3);
}

/** ECMWF's open data, the high-resolution forecast at 0.25°. The longitudes of its files begin at 180° E. */
export const ecmwf = publisher({
  name: "ecmwf",
  title: "ECMWF IFS open data",
  model: "ECMWF IFS",
  licence,
  credit,
  fields,
  feed: {
    inProfile: "lite",
    grid: around(0.25),
    ...rhythm,
    parts: (cycle, profile) => partsAt(cycle, leads(cycle, profile)),
    mirrors,
    files: (part) => filesOf("oper", part),
    index: "ecmwf",
    absentAtStart: ["wind_speed_of_gust", "precipitation_flux"],
  },
});
