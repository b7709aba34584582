import { HOUR_S } from "#lib/time.ts";
import { byProfile, partsAt, range } from "#server/ingest/feeds/field-feed.ts";
import { around, publisher } from "#server/ingest/publishers/publisher.ts";
import { mirrors, STORE } from "./addresses.ts";
import { fields } from "./fields.ts";

/**
 * Longest leads, hours. A run has ten days. The end of those of 12 UTC is not documented, so their last half day is not
 * waited for.
 */
const last = byProfile(120, 228);

/**
 * Approximate bytes of an array at one step: 16 bits of 1080 × 511 nodes with the spectrum of waves, by Blosc (lz4,
 * shuffle).
 */
const ARRAY_BYTES = 350_000;

/**
 * Copernicus Marine's global waves by Météo-France, two runs a day, from the anonymous Zarr v2 store at 1/3°: a second
 * opinion for a fifth of the bytes of a source of 0.25°. The store of 1/12° takes about 4 MB per array and step.
 *
 * Not verified here: the hour of the update. Public code of 2026 waits for eleven hours.
 */
export const cmemswave = publisher({
  name: "cmemswave",
  title: "Copernicus Marine MFWAM",
  remark: "with a true mean period",
  model: "Copernicus MFWAM",
  licence: "Copernicus Marine licence",
  credit: "Generated using E.U. Copernicus Marine Service Information, https://doi.org/10.48670/moi-00017",
  fields,
  feed: {
    inProfile: "lite",
    grid: around(1 / 3, -80),
    cycles: { every: 12 * HOUR_S, offset: 0 },
    delay: { first: 11 * HOUR_S, whole: 13 * HOUR_S },
    parts: (cycle, profile) => partsAt(cycle, range(0, last[profile], 3)),
    mirrors,
    store: STORE,
    writtenAfter: 5 * HOUR_S,
    arrayBytes: ARRAY_BYTES,
  },
});
