import { DAY_S, HOUR_S } from "#lib/time.ts";
import { range, stamp } from "#server/ingest/feeds/cycle.ts";
import type { FieldFeed, Mirror, Part, PartObjects, Profile } from "#server/ingest/feeds/field-feed.ts";
import { smoc } from "./smoc.ts";

const DATASET = "GLOBAL_ANALYSISFORECAST_PHY_001_024/cmems_mod_glo_phy_anfc_merged-uv_PT1H-i_202211";
const STORES = `mdl-arco-time-015/arco/${DATASET}`;
const FILES = `mdl-native-14/native/${DATASET}`;
/** Where the product begins. The stores may begin later: their time axis says. */
const FIRST_DAY = Date.UTC(2020, 10, 1) / 1000;
const files = {
  name: "Copernicus files",
  base: "https://s3.waw3-1.cloudferro.com",
  since: FIRST_DAY,
  form: "files",
} as const;

/** The hosts of the anonymous stores. @param since Where a product begins, Unix seconds. */
export function copernicusStores(since: number): Mirror[] {
  return [
    { name: "Copernicus stores", base: "https://s3.waw3-1.cloudferro.com", since },
    { name: "Copernicus stores, second host", base: "https://s3.waw4-1.cloudferro.com", since },
  ];
}

/** Days from the base time on, and hours between steps. A run has ten days. */
const extent: Readonly<Record<Profile, { days: number; every: number }>> = {
  lite: { days: 5, every: 3 },
  standard: { days: 10, every: 3 },
  full: { days: 10, every: 1 },
};

/** Bytes of both components of one step, compressed: measured by others in 2026, on a part of the grid at 1/12°. */
const STEP_BYTES_THIRD = 1_340_000;
const STEP_BYTES_TWELFTH = 23_000_000;

/** Runs after the one asked for that may have rewritten a past day: one in seven runs rewrites two weeks. */
const LATER_RUNS = 7;

/**
 * Copernicus SMOC, one part a day: the anonymous Zarr v2 stores at 1/12°, or 1/3° for `lite`; the daily files of all
 * components at 1/12°, several times as many bytes, where no store answers.
 *
 * The stores are overwritten by each daily run, and nothing in them names the run: only the age of a chunk tells that it
 * is of the run before. Not verified here: the hour of the update, and which of the two hosts of the stores is current
 * (the bucket and version are those that others used in 2026).
 */
export const smocFeed: FieldFeed = {
  name: "smoc",
  title: "Copernicus SMOC: surface currents with tides and Stokes drift",
  resolution: { lite: "1/3°", standard: "1/12°", full: "1/12°" },
  nodes: { lite: 1080 * 511, standard: 4320 * 2041, full: 4320 * 2041 },
  credit: "Generated using E.U. Copernicus Marine Service Information, https://doi.org/10.48670/moi-00016",
  source: smoc,
  cycles: { every: DAY_S, offset: 0 },
  delay: { first: 12 * HOUR_S, whole: 14 * HOUR_S },
  mirrors: [...copernicusStores(FIRST_DAY), files],
  parts: (cycle, profile) =>
    range(0, extent[profile].days - 1, 1).map((day) => ({
      cycle,
      index: day,
      times: range(0, 23, extent[profile].every).map((hour) => cycle + day * DAY_S + hour * HOUR_S),
    })),
  objects(part, profile, mirror): PartObjects | undefined {
    if (mirror.form === "files") return profile === "lite" ? undefined : daily(part);
    const store = profile === "lite" ? "downsampled4.zarr" : "timeChunked.zarr";
    return {
      kind: "zarr",
      store: `${STORES}/${store}`,
      arrays: ["utotal", "vtotal"],
      writtenFrom: part.cycle + 6 * HOUR_S,
    };
  },
  partBytes: (profile) =>
    (24 / extent[profile].every) * (profile === "lite" ? STEP_BYTES_THIRD : STEP_BYTES_TWELFTH),
};

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
