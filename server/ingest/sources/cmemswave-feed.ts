import type { FieldName } from "#lib/catalog/fields.ts";
import { fieldsOf } from "#lib/catalog/fields.ts";
import { HOUR_S } from "#lib/time.ts";
import { partsAt, range } from "#server/ingest/feeds/cycle.ts";
import type { FieldFeed, Profile } from "#server/ingest/feeds/field-feed.ts";
import { arraysInstead, wantedArrays } from "#server/ingest/feeds/wanted.ts";
import { cmemswave } from "./cmemswave.ts";
import { copernicusStores } from "./smoc-feed.ts";

const STORE =
  "mdl-arco-time-015/arco/GLOBAL_ANALYSISFORECAST_WAV_001_027/cmems_mod_glo_wav_anfc_0.083deg_PT3H-i_202411/downsampled4.zarr";
/** Where the store's time axis began in 2026. */
const FIRST_CYCLE = Date.UTC(2022, 10, 1, 12) / 1000;

const all: FieldName[] = [...fieldsOf("wave"), ...fieldsOf("extra_wave")];

const arrays: Readonly<Record<Profile, readonly string[]>> = {
  lite: wantedArrays(cmemswave, fieldsOf("wave")),
  standard: wantedArrays(cmemswave, all),
  full: wantedArrays(cmemswave, all),
};

const instead = arraysInstead(cmemswave);

/**
 * Leads, hours. A run has ten days; where those of 12 UTC end is not documented, so that their last half day is not
 * waited for.
 */
const last: Readonly<Record<Profile, number>> = { lite: 120, standard: 228, full: 228 };

/** Bytes of an array at one step, about: 16 bits of 1080 × 511 nodes with the spectrum of waves, by Blosc (lz4, shuffle). */
const ARRAY_BYTES = 350_000;

/**
 * Copernicus Marine's global waves by Météo-France, two runs a day, from the anonymous Zarr v2 store at 1/3°: a second
 * opinion at a fifth of the bytes of a source of 0.25°. That of 1/12° takes some 4 MB an array and step.
 *
 * Not verified here: the hour of the update. Public code of 2026 waits for eleven hours.
 */
export const cmemswaveFeed: FieldFeed = {
  name: "cmemswave",
  title: "Copernicus Marine waves 1/3°: combined with a true mean period, swell, wind waves",
  nodes: { lite: 1080 * 511, standard: 1080 * 511, full: 1080 * 511 },
  credit: "Generated using E.U. Copernicus Marine Service Information, https://doi.org/10.48670/moi-00017",
  source: cmemswave,
  cycles: { every: 12 * HOUR_S, offset: 0 },
  delay: { first: 11 * HOUR_S, whole: 13 * HOUR_S },
  mirrors: copernicusStores(FIRST_CYCLE),
  parts: (cycle, profile) => partsAt(cycle, range(0, last[profile], 3)),
  objects: ({ cycle }, profile) => ({
    kind: "zarr",
    store: STORE,
    arrays: arrays[profile],
    instead,
    writtenFrom: cycle + 5 * HOUR_S,
  }),
  partBytes: (profile) => arrays[profile].length * ARRAY_BYTES,
};
