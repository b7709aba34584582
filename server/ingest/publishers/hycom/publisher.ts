import { DAY_S, HOUR_S } from "#lib/time.ts";
import { byProfile, partsAt, range } from "#server/ingest/feeds/field-feed.ts";
import { around, publisher } from "#server/ingest/publishers/publisher.ts";
import { mirrors, subset } from "./addresses.ts";
import { fields } from "./fields.ts";

/**
 * Every n-th point of the grid of 0.08° × 0.04° is fetched, because its whole surface is too much for a subset service.
 */
const stride = byProfile(6, 3);
const days = byProfile(5, 7);
const everyHours = byProfile(6, 3);

/** Bytes of the whole grid: columns and rows, and 16 bits of each of two components. */
const GRID_BYTES = 4500 * 4251 * 2 * 2;

const everyNth = (n: number) => around({ rows: n * 0.04, columns: n * 0.08 }, -80);

/**
 * HYCOM's "best" series, as an alternative to SMOC: one subset per step by the NetCDF Subset Service, in plain HTTPS.
 *
 * The series has the newest run's value at each time. Which run that was is not requested, and the base time is ours.
 * Not verified here: the form of the request against the present service (public code uses it), its largest subset, the
 * hours at which runs appear, and whether the model has tides. No tides are added.
 */
export const hycom = publisher({
  name: "hycom",
  title: "HYCOM ESPC-D-V02",
  remark: "no tides added",
  model: "HYCOM ESPC",
  licence: "public domain",
  credit: "HYCOM.org, US Navy ESPC-D-V02, public domain",
  fields,
  feed: {
    inProfile: "lite",
    grid: byProfile(everyNth(stride.lite), everyNth(stride.standard)),
    cycles: { every: DAY_S, offset: 12 * HOUR_S },
    delay: { first: 30 * HOUR_S, whole: 36 * HOUR_S },
    parts: (cycle, profile) => partsAt(cycle, range(0, days[profile] * 24, everyHours[profile])),
    mirrors,
    objects: (part, profile) => subset(part, stride[profile]),
    partBytes: (profile) => Math.round(GRID_BYTES / stride[profile] ** 2),
  },
});
