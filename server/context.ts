import { readFileSync } from "node:fs";
import path from "node:path";
import { openCatalog } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { openReader } from "#server/archive/reader.ts";
import type { Door } from "#server/http/door.ts";
import { ensureFirstKeys } from "#server/http/first-keys.ts";
import { KeyStore } from "#server/http/keys.ts";
import { readPepper } from "#server/http/pepper.ts";
import { memoryRateLimiter } from "#server/http/rate-limit.ts";
import { frameCache } from "#server/metocean/frame-cache.ts";
import type { FrameCache, FrameSource } from "#server/metocean/frames.ts";
import type { PointSource } from "#server/metocean/point-source.ts";
import { realClock, weatherClock } from "#server/platform/clock.ts";
import { openDatabase } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import type { Logger } from "#server/platform/log.ts";
import { createMetrics, type Metrics } from "#server/platform/metrics.ts";

/** Map frames are small, and made again from the archive in milliseconds. */
const FRAME_CACHE_BYTES = 64 * 2 ** 20;

/** The rooms of the house, joined. One a process. */
export interface Context extends Door {
  /** What must work for requests to be answered: name of the part → undefined, or why it does not. */
  ready(): Promise<Record<string, string | undefined>>;
  /** Version of the service, from package.json. */
  version: string;
  archive: PointSource & FrameSource;
  /** Map frames that were made already. */
  frames: FrameCache;
  metrics: Metrics;
  /** Whether /metrics is answered beside the API. */
  metricsArePublic: boolean;
  close(): Promise<void>;
}

/** An open house, and the key to show on the console: one just made, or the first of the environment. */
export interface OpenedContext {
  context: Context;
  keyToShow?: string;
}

/**
 * Opens the database, the keys and the archive, and joins the rooms.
 *
 * @param root Folder of package.json.
 */
export async function openContext(env: Env, log: Logger, root: string): Promise<OpenedContext> {
  const database = await openDatabase(env);
  try {
    const keys = new KeyStore(database.prisma, { pepper: await readPepper(env, database), clock: realClock });
    const created = await ensureFirstKeys(keys, env);

    const store = directoryStore(env.archiveDir);
    const reader = openReader(store, { cacheBytes: env.chunkCacheBytes });
    const catalog = openCatalog(store, { onChange: ({ runs }) => reader.forgetAllBut(runs) });
    const archive: Context["archive"] = {
      ...catalog,
      valuesAt: (...asked) => reader.valuesAt(...asked),
      mapStep: (...asked) => reader.mapStep(...asked),
    };

    const metrics = createMetrics();
    metrics.gauge("archive_memory_bytes", "Decoded chunks and their tables", () => reader.memory().bytes);

    const context: Context = {
      keys,
      limiter: memoryRateLimiter(realClock),
      clock: realClock,
      weather: weatherClock(env.frozenAt),
      log,
      archive,
      frames: frameCache(FRAME_CACHE_BYTES),
      metrics,
      metricsArePublic: env.metricsPort === undefined,
      version: versionOf(root),
      ready: async () => ({
        database: await failureOf(() => database.ping(), "does not answer", log),
        archive: await failureOf(() => catalog.refresh(), "cannot be read", log),
      }),
      close: () => database.close(),
    };
    return { context, keyToShow: created ?? env.bootstrapKeys[0]?.text };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The caller learns that a part fails; why, which may name machines, is for the log. */
async function failureOf(check: () => unknown, failure: string, log: Logger): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    log.warn({ err: error }, "a part is not ready");
    return failure;
  }
}

function versionOf(root: string): string {
  return (JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string }).version;
}
