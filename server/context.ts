import { readFileSync } from "node:fs";
import path from "node:path";
import { type Catalog, openCatalog } from "#server/archive/catalog.ts";
import { withDemo } from "#server/archive/demo/demo-archive.ts";
import { demoPool } from "#server/archive/demo/pool.ts";
import { DEMO_SOURCE } from "#server/archive/demo/runs.ts";
import { demoStore } from "#server/archive/demo/store.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { DamagedManifestError } from "#server/archive/errors.ts";
import { openReader } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { openStoredFrames } from "#server/archive/stored-frames.ts";
import type { Door } from "#server/http/door.ts";
import { ensureFirstKeys } from "#server/http/first-keys.ts";
import { KeyStore } from "#server/http/keys.ts";
import { readPepper } from "#server/http/pepper.ts";
import { memoryRateLimiter } from "#server/http/rate-limit.ts";
import { type PathSigner, pathSigner } from "#server/http/signed-path.ts";
import { frameCache } from "#server/metocean/frame-cache.ts";
import type { FrameCache, FrameSource } from "#server/metocean/frames.ts";
import type { PointSource } from "#server/metocean/point-source.ts";
import { realClock, weatherClock } from "#server/platform/clock.ts";
import { openDatabase } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import type { Logger } from "#server/platform/log.ts";
import { smtpMailer } from "#server/platform/mail.ts";
import { createMetrics, type Metrics } from "#server/platform/metrics.ts";
import { Outbox } from "#server/tasks/outbox.ts";

/** Frames of runs that have none of their own, above all of the demo world: a day of 0.25° wind. */
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
  /** Paths to frames that need no key. */
  framePaths: PathSigner;
  metrics: Metrics;
  /** Whether /metrics is answered beside the API. */
  metricsArePublic: boolean;
  close(): Promise<void>;
}

/** An open house, and the key to show on the console: one that was just made. Keys of the environment are known already. */
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
    const pepper = await readPepper(env, database);
    const keys = new KeyStore(database.prisma, { pepper, clock: realClock });
    const created = await ensureFirstKeys(keys, env);

    const weather = weatherClock(env.frozenAt);
    const files = directoryStore(env.archiveDir);
    const reader = openReader(files, { cacheBytes: env.chunkCacheBytes });
    const published = openCatalog(files, { onChange: ({ runs }) => reader.forgetAllBut(runs) });

    const demo = demoPool({ seed: env.demoSeed, folder: path.join(env.dataDir, "demo") });
    // One of the two readers answers, and the memory of the other stays untouched.
    const demoReader = openReader(demoStore(demo), { cacheBytes: env.chunkCacheBytes });
    const catalog = withDemo(published, env.demo, () => weather.now());
    // The first start ever makes the planet: better now than while somebody waits for the weather.
    if (await isSynthetic(catalog)) await demo.warm();

    const storedFrame = openStoredFrames(files);
    const readerOf = ({ source }: Run) => (source === DEMO_SOURCE ? demoReader : reader);
    const archive: Context["archive"] = {
      ...catalog,
      valuesAt: (run, ...asked) => readerOf(run).valuesAt(run, ...asked),
      mapStep: (run, ...asked) => readerOf(run).mapStep(run, ...asked),
      storedFrame,
    };

    const outbox =
      env.smtpUrl === undefined
        ? undefined
        : new Outbox({
            tables: database.prisma,
            mailer: smtpMailer(env.smtpUrl, env.mailFrom),
            clock: realClock,
            publicUrl: env.publicUrl,
            log,
          });
    outbox?.start();

    const metrics = createMetrics();
    metrics.gauge("archive_memory_bytes", "Decoded chunks and their tables", () => reader.memory().bytes);

    const context: Context = {
      keys,
      limiter: memoryRateLimiter(realClock),
      clock: realClock,
      weather,
      log,
      archive,
      frames: frameCache(FRAME_CACHE_BYTES),
      framePaths: pathSigner(pepper, realClock),
      metrics,
      metricsArePublic: env.metricsPort === undefined,
      version: versionOf(root),
      ready: async () => ({
        database: await failureOf(() => database.ping(), "does not answer", log),
        archive: await failureOf(() => catalog.refresh(), "cannot be read", log),
      }),
      close: async () => {
        await outbox?.close();
        await demo.close();
        await database.close();
      },
    };
    return { context, keyToShow: created };
  } catch (error) {
    await database.close();
    throw error;
  }
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
