import path from "node:path";
import { type Catalog, openCatalog } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { DamagedManifestError } from "#server/archive/errors.ts";
import { type ArchiveReader, openReader } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { openStoredFrames } from "#server/archive/stored-frames.ts";
import { withDemo } from "#server/demo/demo-archive.ts";
import { demoPool } from "#server/demo/pool.ts";
import { DEMO_SOURCE } from "#server/demo/runs.ts";
import { demoStore } from "#server/demo/store.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Env } from "#server/platform/env.ts";

/** Of the memory for chunks, for those of the demo world that came along with others. */
const KEPT_SHARE = 0.25;

/** What has to be known to open the archive; it can be handed to a thread. */
export type ArchiveSettings = Pick<
  Env,
  "archiveDir" | "dataDir" | "chunkCacheBytes" | "demo" | "demoSeed" | "frozenAt"
> & {
  /** Memory of the demo world, where another thread has it already. */
  demoWorld?: SharedArrayBuffer;
};

export interface OpenedArchive extends Catalog, Pick<ArchiveReader, "valuesAt" | "mapStep"> {
  /** Whether the demo world answers now. */
  isSynthetic(): Promise<boolean>;
  storedFrame: ReturnType<typeof openStoredFrames>;
  /** Decoded chunks and their tables, bytes. */
  memoryBytes(): number;
  /** Memory of the demo world for archives of other threads; undefined where it did not answer at the start. */
  demoWorld: SharedArrayBuffer | undefined;
  close(): Promise<void>;
}

/**
 * Opens the archive, with the demo world in the place of an empty one.
 *
 * @param demoThreads Most threads that compute the demo world.
 */
export async function openArchive(
  settings: ArchiveSettings,
  weather: Clock,
  demoThreads?: number,
): Promise<OpenedArchive> {
  const { archiveDir, dataDir, chunkCacheBytes, demo: mode, demoSeed } = settings;
  const files = directoryStore(archiveDir);
  const reader = openReader(files, { cacheBytes: chunkCacheBytes });
  const published = openCatalog(files, { onChange: ({ runs }) => reader.forgetAllBut(runs) });

  const demo = demoPool(
    { seed: demoSeed, folder: path.join(dataDir, "demo") },
    demoThreads,
    settings.demoWorld,
  );
  // One of the two readers answers, and the memory of the other stays untouched.
  const demoReader = openReader(demoStore(demo, KEPT_SHARE * chunkCacheBytes), {
    cacheBytes: chunkCacheBytes,
  });
  const catalog = withDemo(published, mode, () => weather.now());
  // The first start ever makes the planet: better now than while somebody waits for the weather.
  const demoWorld = (await isSynthetic(catalog)) ? await demo.warm() : undefined;

  const readerOf = ({ source }: Run) => (source === DEMO_SOURCE ? demoReader : reader);
  return {
    ...catalog,
    valuesAt: (run, ...asked) => readerOf(run).valuesAt(run, ...asked),
    mapStep: (run, ...asked) => readerOf(run).mapStep(run, ...asked),
    isSynthetic: () => isSynthetic(catalog),
    storedFrame: openStoredFrames(files),
    memoryBytes: () => reader.memory().bytes + demoReader.memory().bytes,
    demoWorld,
    close: () => demo.close(),
  };
}

/** Whether the demo world answers. An archive that cannot be read is for `ready` to tell. */
async function isSynthetic(catalog: Catalog): Promise<boolean> {
  try {
    return (await catalog.manifest()).synthetic === true;
  } catch (error) {
    if (error instanceof DamagedManifestError) return false;
    throw error;
  }
}
