import type { Grid } from "@open-metocean/geo/grid";
import { openCatalog } from "#server/archive/catalog.ts";
import { pushArchive } from "#server/archive/push.ts";
import { openReader } from "#server/archive/reader.ts";
import {
  type BlockCache,
  noCache,
  type ObjectSource,
  remoteStore,
} from "#server/archive/remote/remote-store.ts";
import { beginRun } from "#server/archive/writer.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { newRun, randomSteps } from "./archive.ts";
import { seeded } from "./seeded.ts";

const { signal } = new AbortController();

export const REMOTE_FIELDS = ["eastward_wind_10m", "northward_wind_10m", "air_temperature"] as const;
export const REMOTE_GRID: Grid = {
  latitude: { start: -15, step: 0.5, count: 61 },
  longitude: { start: 0, step: 0.5, count: 180 },
};

/** Publishes a run of random fields, with frames, in a folder. */
export async function publishRandom(root: string, source = "gfs", seed = 1) {
  const random = seeded(seed);
  const writer = await beginRun(root, newRun(REMOTE_GRID, 10, source));
  for (const name of REMOTE_FIELDS) {
    const steps = randomSteps(REMOTE_GRID, 10, random);
    await writer.writeField(name, {}, async (time) => steps[time]);
  }
  await writer.writeFrames();
  return writer.publish();
}

export const quiet = { copied() {}, removed() {} };

export const push = (root: string, store: BlobStore, now = 0) =>
  pushArchive(root, store, quiet, signal, { clock: { now: () => now } });

/** A reader of a remote archive with an empty cache. */
export function openRemote(source: ObjectSource, cache: BlockCache = noCache) {
  const store = remoteStore(source, cache);
  const reader = openReader(store, { cacheBytes: 1 << 24 });
  return { ...openCatalog(store), store, reader };
}
