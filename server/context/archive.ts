import path from "node:path";
import { type Catalog, openCatalog } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { openStoredFrames, type ReadStoredFrame } from "#server/archive/map-frames.ts";
import { type ArchiveReader, openReader, type PointSource } from "#server/archive/reader.ts";
import type { OnDamage } from "#server/archive/report-damage.ts";
import { isSynthetic, type Run } from "#server/archive/run.ts";
import { withSourceOrder } from "#server/archive/source-order.ts";
import type { ChunkStore } from "#server/archive/store.ts";
import { withDemo } from "#server/demo/demo-catalog.ts";
import { demoPool } from "#server/demo/pool.ts";
import { demoStore } from "#server/demo/store.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Env } from "#server/platform/env.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import type { Logger } from "#server/platform/log.ts";

/** Share of the memory for chunks that the demo store uses for fields computed together with the requested one. */
const SIBLING_SHARE = 0.25;

/** Everything needed to open the archive. Can be posted to a thread. */
export type ArchiveSettings = Pick<
  Env,
  "archive" | "dataDir" | "demo" | "demoSeed" | "frozenAt" | "sourceOrder"
> & {
  /** Memory for decoded chunks. */
  chunkCacheBytes: number;
  /** Memory of the demo world, if another thread has loaded it already. */
  demoWorld?: SharedArrayBuffer;
};

export interface OpenedArchive extends PointSource, Pick<ArchiveReader, "mapStep"> {
  /** Whether the archive is synthetic at the moment. */
  isSynthetic(): Promise<boolean>;
  storedFrame: ReadStoredFrame;
  /** Decoded chunks and their tables, bytes. */
  memoryBytes(): number;
  /** Memory of the demo world for archives of other threads; undefined if the demo was not used at start. */
  demoWorld: SharedArrayBuffer | undefined;
  close(): Promise<void>;
}

/**
 * Opens the archive, with the demo world in place of an empty one.
 *
 * @param demoThreads Maximum number of threads that compute the demo world.
 * @param log For damaged map frames.
 */
export async function openArchive(
  settings: ArchiveSettings,
  weather: Clock,
  demoThreads?: number,
  log?: Pick<Logger, "error">,
): Promise<OpenedArchive> {
  const { archive, dataDir, chunkCacheBytes, demo: mode, demoSeed } = settings;
  const { store: files, close } = await openStore(archive, dataDir);
  const onDamage: OnDamage = ({ detail }) =>
    log?.error({ detail }, "stored frames of the map are damaged; the points are read instead");
  const reader = openReader(files, { cacheBytes: chunkCacheBytes, onDamage });
  const published = openCatalog(files, { onChange: ({ runs }) => reader.retainOnly(runs) });

  const demo = demoPool(
    { seed: demoSeed, folder: path.join(dataDir, "demo") },
    demoThreads,
    settings.demoWorld,
  );
  // Two readers, so that neither evicts chunks of the other. Only one is in use; the other's memory is never touched.
  const demoReader = openReader(demoStore(demo, SIBLING_SHARE * chunkCacheBytes), {
    cacheBytes: chunkCacheBytes,
  });
  const catalog = withSourceOrder(
    withDemo(published, mode, () => weather.now()),
    settings.sourceOrder,
  );
  // The very first start derives the static world: at start rather than during the first request.
  const demoWorld = (await answersSynthetic(catalog)) ? await demo.warm() : undefined;

  const readerOf = ({ provenance }: Run) => (provenance === "synthetic" ? demoReader : reader);
  return {
    ...catalog,
    valuesAt: (run, ...rest) => readerOf(run).valuesAt(run, ...rest),
    isRemote: files.getChanged !== undefined,
    mapStep: (run, ...rest) => readerOf(run).mapStep(run, ...rest),
    isSynthetic: () => answersSynthetic(catalog),
    storedFrame: openStoredFrames(files, { onDamage }),
    memoryBytes: () => reader.memory().bytes + demoReader.memory().bytes,
    demoWorld,
    async close() {
      await demo.close();
      close();
    },
  };
}

async function openStore(
  { place, ...options }: Env["archive"],
  dataDir: string,
): Promise<{ store: ChunkStore; close(): void }> {
  if (place.kind === "folder") {
    const store = directoryStore(place.folder);
    return { store, close: () => store.release() };
  }
  const { openRemoteStore } = await import("#server/archive/remote/open-remote.ts");
  const store = await openRemoteStore(place, { dataDir, ...options });
  return { store, close: () => store.close() };
}

/** Whether the catalog is synthetic. An unreadable archive is reported by the readiness check. */
async function answersSynthetic(catalog: Catalog): Promise<boolean> {
  try {
    return isSynthetic(await catalog.manifest());
  } catch (error) {
    if (error instanceof UnavailableError) return false;
    throw error;
  }
}
