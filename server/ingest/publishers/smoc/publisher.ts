import { DAY_S, HOUR_S } from "#lib/time.ts";
import { byProfile, range } from "#server/ingest/feeds/field-feed.ts";
import { around, publisher } from "#server/ingest/publishers/publisher.ts";
import { mirrors, objects } from "./addresses.ts";
import { fields } from "./fields.ts";

/** Days from the base time, and hours between steps. A run has ten days. */
const extent = byProfile({ days: 5, every: 3 }, { days: 10, every: 3 }, { days: 10, every: 1 });

/** Bytes of both components of one step, compressed; measured by others in 2026, on a part of the grid at 1/12°. */
const STEP_BYTES_THIRD = 1_340_000;
const STEP_BYTES_TWELFTH = 23_000_000;

/**
 * Copernicus SMOC, one part a day: the anonymous Zarr v2 stores at 1/12°, or 1/3° for `lite`. Where no store answers,
 * the daily files of all components at 1/12° are used, which have several times as many bytes.
 *
 * Each daily run overwrites the stores, and nothing in them names the run: only the age of a chunk shows that it
 * belongs to the previous run. Not verified here: the hour of the update, and which of the two hosts of the stores is
 * current (the bucket and version are those that others used in 2026).
 */
export const smoc = publisher({
  name: "smoc",
  title: "Copernicus SMOC",
  remark: "with tides and Stokes drift",
  model: "Copernicus SMOC",
  licence: "Copernicus Marine licence",
  credit: "Generated using E.U. Copernicus Marine Service Information, https://doi.org/10.48670/moi-00016",
  fields,
  feed: {
    inProfile: "lite",
    grid: byProfile(around(1 / 3, -80), around(1 / 12, -80)),
    cycles: { every: DAY_S, offset: 0 },
    delay: { first: 12 * HOUR_S, whole: 14 * HOUR_S },
    parts: (cycle, profile) =>
      range(0, extent[profile].days - 1, 1).map((day) => ({
        cycle,
        index: day,
        times: range(0, 23, extent[profile].every).map((hour) => cycle + day * DAY_S + hour * HOUR_S),
      })),
    mirrors,
    objects,
    partBytes: (profile) =>
      (24 / extent[profile].every) * (profile === "lite" ? STEP_BYTES_THIRD : STEP_BYTES_TWELFTH),
  },
});
