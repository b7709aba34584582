import { DAY_S, HOUR_S } from "#lib/time.ts";
import {
  type Mirror,
  type Part,
  type PartObjects,
  type Profile,
  range,
  stamp,
} from "#server/ingest/feeds/field-feed.ts";

const DATASET = "GLOBAL_ANALYSISFORECAST_PHY_001_024/cmems_mod_glo_phy_anfc_merged-uv_PT1H-i_202211";
const STORES = `mdl-arco-time-015/arco/${DATASET}`;
const FILES = `mdl-native-14/native/${DATASET}`;
/** First day of the product. The stores may begin later, as their time axes show. */
const FIRST_DAY = Date.UTC(2020, 10, 1) / 1000;
const files = {
  name: "Copernicus files",
  base: "https://s3.waw3-1.cloudferro.com",
  since: FIRST_DAY,
  form: "files",
} as const;

/** The hosts of the anonymous stores. @param since First time of a product, Unix seconds. */
export function copernicusStores(since: number): Mirror[] {
  return [
    { name: "Copernicus stores", base: "https://s3.waw3-1.cloudferro.com", since },
    { name: "Copernicus stores, second host", base: "https://s3.waw4-1.cloudferro.com", since },
  ];
}

export const mirrors: readonly Mirror[] = [...copernicusStores(FIRST_DAY), files];

/** Number of later runs that may have rewritten a past day: one in seven runs rewrites two weeks. */
const LATER_RUNS = 7;

/** The arrays of a store or, except in `lite`, the daily files. */
export function objects(part: Part, profile: Profile, mirror: Mirror): PartObjects | undefined {
  if (mirror.form === "files") return profile === "lite" ? undefined : daily(part);
  const store = profile === "lite" ? "downsampled4.zarr" : "timeChunked.zarr";
  return {
    kind: "zarr",
    store: `${STORES}/${store}`,
    arrays: ["utotal", "vtotal"],
    writtenFrom: part.cycle + 6 * HOUR_S,
  };
}

/** The file of a day by the run of the cycle; of a past day, by the next weekly run if only that is left. */
function daily(part: Part): PartObjects {
  const { day } = stamp(part.times[0]!);
  const folder = `${FILES}/${day.slice(0, 4)}/${day.slice(4, 6)}`;
  const runs = part.index === 0 ? range(0, LATER_RUNS, 1) : [0];
  return {
    kind: "file",
    objects: runs.map((later) => `${folder}/SMOC_${day}_R${stamp(part.cycle + later * DAY_S).day}.nc`),
  };
}
