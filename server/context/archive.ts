import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Catalog, openCatalog, withSources } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import type { OnDamage } from "#server/archive/errors.ts";
import type { ManifestSource } from "#server/archive/manifest.ts";
import { offeredManifest } from "#server/archive/manifest-channel.ts";
import { openStoredFrames, type ReadStoredFrame } from "#server/archive/map-frames.ts";
import { type ArchiveReader, openReader, type PointSource } from "#server/archive/reader.ts";
import type { RemoteStore } from "#server/archive/remote/remote-store.ts";
import { isSynthetic, type Run } from "#server/archive/run.ts";
import type { ChunkStore } from "#server/archive/store.ts";
import { withDemo } from "#server/demo/runs.ts";
import { demoPool, demoStore } from "#server/demo/store.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Env } from "#server/platform/env.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import type { Logger } from "#server/platform/log.ts";
import { knownSources } from "./sources.ts";

/** Share of the chunk memory that the demo store uses for fields computed together with the requested one. */
const SIBLING_SHARE = 0.25;

/**
 * Least memory for them, bytes: a step of all waves of the North Atlantic Ocean takes 5 MB, and where it does not fit, each
 * of its fields is computed anew.
 */
const MIN_SIBLING_BYTES = 8 * 2 ** 20;

/** Everything needed to open the archive. It can be posted to a thread. */
export type ArchiveSettings = Pick<
  Env,
  "archive" | "dataDir" | "demo" | "demoSeed" | "frozenAt" | "sourceOrder"
> & {
  /** Memory for decoded chunks. */
  chunkCacheBytes: number;
  /** Memory of the demo, if another thread has loaded it already. */
  demoWorld?: SharedArrayBuffer;
  /** Channel on which a thread requests the catalog of another one; see `offerManifest`. */
  catalogChannel?: string | undefined;
};

export interface OpenArchiveOptions {
  /** Most threads that compute the demo. */
  demoThreads?: number;
  /** Receives damaged map frames and problems of the list of runs. */
  log?: Pick<Logger, "error" | "warn" | "info">;
  /** Source of the list of runs, where it is not the store's own `manifest.json`. */
  source?: ManifestSource | undefined;
  /** Called with each manifest that replaces another. */
  onChange?: () => void;
}

export interface OpenedArchive extends PointSource, Pick<ArchiveReader, "mapStep" | "memberSteps"> {
  /**
   * Describes a problem for the operator while known or cached data is still answered; undefined where there is none.
   * Rejects where nothing can be answered.
   */
  condition(): Promise<string | undefined>;
  /** Whether the demo answers at the moment. */
  isSynthetic(): Promise<boolean>;
  storedFrame: ReadStoredFrame;
  /** Memory of decoded chunks and their tables, bytes. */
  memoryBytes(): number;
  /**
   * Memory of the demo for archives of other threads, once a thread has loaded it; undefined if the demo was not used
   * at the start.
   */
  demoWorld: Promise<SharedArrayBuffer> | undefined;
  /** The published runs, without the demo. */
  published: Catalog;
  close(): Promise<void>;
}

/** Opens the archive, with the demo in place of an empty one. */
export async function openArchive(
  settings: ArchiveSettings,
  weather: Clock,
  { demoThreads, log, source, onChange }: OpenArchiveOptions = {},
): Promise<OpenedArchive> {
  const { archive, dataDir, chunkCacheBytes, demo: mode, demoSeed, catalogChannel } = settings;
  const { store: files, close, remote } = await openStore(archive, dataDir);
  const onDamage: OnDamage = ({ detail }) =>
    log?.error({ detail }, "stored frames of the map are damaged; the points are read instead");
  const reader = openReader(files, { cacheBytes: chunkCacheBytes, onDamage });
  let problem: string | undefined;
  const published = openCatalog(files, {
    source: source ?? (catalogChannel === undefined ? undefined : offeredManifest(catalogChannel)),
    onChange: ({ runs }) => {
      reader.retainOnly(runs);
      onChange?.();
    },
    onProblem(words, err) {
      problem = words;
      if (words === undefined) log?.info("the list of runs is read again");
      else log?.warn({ err }, words);
    },
  });

  const demo = demoPool(
    { seed: demoSeed, folder: path.join(dataDir, "demo") },
    demoThreads,
    settings.demoWorld,
  );
  // Two readers prevent that one evicts chunks of the other. Only one is in use, and the memory of the other is never
  // touched.
  const demoReader = openReader(
    demoStore(demo, Math.max(MIN_SIBLING_BYTES, SIBLING_SHARE * chunkCacheBytes)),
    {
      cacheBytes: chunkCacheBytes,
    },
  );
  const catalog = withSources(
    withDemo(published, mode, () => weather.now()),
    knownSources(settings.sourceOrder),
  );
  // The very first start derives the static fields now rather than during the first request.
  const demoWorld = (await answersSynthetic(catalog)) ? demo.warm() : undefined;
  // Whatever awaits the demo gets the error, and so does each request that needs it; this handler only prevents an
  // unhandled rejection.
  demoWorld?.catch(() => undefined);

  const readerOf = ({ provenance }: Run) => (provenance === "synthetic" ? demoReader : reader);
  return {
    ...catalog,
    valuesAt: (run, ...rest) => readerOf(run).valuesAt(run, ...rest),
    waitsFor: ({ provenance }) => provenance === "synthetic" || files.getChanged !== undefined,
    mapStep: (run, ...rest) => readerOf(run).mapStep(run, ...rest),
    memberSteps: (run, ...rest) => readerOf(run).memberSteps(run, ...rest),
    async condition() {
      const look = published.refresh();
      // With a remote store the known catalog is enough, so the caller does not wait for a slow store.
      if (remote && published.isKnown())
        await Promise.race([
          Promise.allSettled([look, remote.probe()]),
          wait(CONDITION_MS, undefined, { ref: false }),
        ]);
      else await look;
      return problem ?? (remote?.isAway() ? STORE_AWAY : undefined);
    },
    isSynthetic: () => answersSynthetic(catalog),
    storedFrame: openStoredFrames(files, { onDamage }),
    memoryBytes: () => reader.memory().bytes + demoReader.memory().bytes,
    demoWorld,
    published,
    async close() {
      await demo.close();
      await published.close();
      close();
    },
  };
}

/** How long the state of a remote store is waited for, milliseconds. */
const CONDITION_MS = 1000;
const STORE_AWAY = "the store does not answer: only what is cached is answered";

/** @returns `remote` is the state of a remote store. */
async function openStore(
  { place, ...options }: Env["archive"],
  dataDir: string,
): Promise<{ store: ChunkStore; close(): void; remote?: Pick<RemoteStore, "isAway" | "probe"> }> {
  if (place.kind === "folder") {
    const store = directoryStore(place.folder);
    return { store, close: () => store.release() };
  }
  const { openRemoteStore } = await import("#server/archive/remote/open-remote.ts");
  const store = await openRemoteStore(place, { dataDir, ...options });
  return { store, close: () => store.close(), remote: store };
}

/** Whether the catalog is that of the demo. The readiness check reports an unreadable archive. */
async function answersSynthetic(catalog: Catalog): Promise<boolean> {
  try {
    return isSynthetic(await catalog.manifest());
  } catch (error) {
    if (error instanceof UnavailableError) return false;
    throw error;
  }
}
