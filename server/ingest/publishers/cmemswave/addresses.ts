import type { Mirror } from "#server/ingest/feeds/field-feed.ts";
import { copernicusStores } from "#server/ingest/publishers/smoc/addresses.ts";

export const STORE =
  "mdl-arco-time-015/arco/GLOBAL_ANALYSISFORECAST_WAV_001_027/cmems_mod_glo_wav_anfc_0.083deg_PT3H-i_202411/downsampled4.zarr";
/** Start of the store's time axis in 2026. */
const FIRST_CYCLE = Date.UTC(2022, 10, 1, 12) / 1000;

export const mirrors: readonly Mirror[] = copernicusStores(FIRST_CYCLE);
