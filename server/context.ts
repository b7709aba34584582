import { readFileSync } from "node:fs";
import path from "node:path";
import { openArchive } from "#server/context/archive.ts";
import { demoStormFeed } from "#server/demo/storms/feed.ts";
import type { RequestContext } from "#server/http/authenticate.ts";
import { memoryRateLimiter } from "#server/http/authenticate.ts";
import { ensureFirstKeys, KeyStore } from "#server/http/keys.ts";
import { readPepper } from "#server/http/pepper.ts";
import { type PathSigner, pathSigner } from "#server/http/signed-path.ts";
import { type FrameCache, frameCache } from "#server/metocean/frame-cache.ts";
import type { FrameSource } from "#server/metocean/frames.ts";
import type { MapSource } from "#server/metocean/map-read.ts";
import { stepCache } from "#server/metocean/step-cache.ts";
import type { RunTaskInput, TaskThreadSettings } from "#server/operations/task-thread.ts";
import { monotonicMs, realClock, weatherClock } from "#server/platform/clock.ts";
import { openDatabase } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import type { Logger } from "#server/platform/log.ts";
import { smtpMailer } from "#server/platform/mail.ts";
import { createMetrics, type Metrics } from "#server/platform/metrics.ts";
import { workerPool } from "#server/platform/worker-pool.ts";
import { openStorms, type StormService } from "#server/storms/storm-service.ts";
import { IdempotentAnswers } from "#server/tasks/idempotent-answers.ts";
import { Outbox } from "#server/tasks/outbox.ts";
import { Tasks } from "#server/tasks/tasks.ts";
import type { RunTask, TaskResult } from "#server/tasks/worker.ts";

/** Frames of runs that have none of their own, above all of the demo world: a day of 0.25° wind. */
const FRAME_CACHE_BYTES = 64 * 2 ** 20;
/** A step of a 0.25° globe takes fifteen, ready to be written. */
const STEP_CACHE_BYTES = 64 * 2 ** 20;

/** JavaScript heap of the thread that computes tasks, MiB: a task that needs more ends the thread and not the service. */
const TASK_MEMORY_MB = 512;

/** Its share of the memory for decoded chunks: a task reads each slice of its points once. */
const TASK_CACHE_SHARE = 0.25;

/** How long that thread stays without work, milliseconds. */
const TASK_IDLE_MS = 120_000;

/** The rooms of the house, joined. One a process. */
export interface Context extends RequestContext {
  /** What must work for requests to be answered: name of the part → undefined, or why it does not. */
  ready(): Promise<Record<string, string | undefined>>;
  /** Version of the service, from package.json. */
  version: string;
  archive: MapSource & FrameSource;
  /** Map frames that were made already. */
  frames: FrameCache;
  /** Paths to frames that need no key. */
  framePaths: PathSigner;
  /** Storms of each provider. */
  storms: StormService;
  metrics: Metrics;
  /** Whether /metrics is answered beside the API. */
  metricsArePublic: boolean;
  tasks: Tasks;
  /** Where mails about the end of tasks are put; undefined where there is no mail server. */
  mails: Pick<Outbox, "post"> | undefined;
  /** Aborts when the server is about to close: what would go on for ever ends. */
  closing: AbortSignal;
  endStreams(): void;
  /** Starts to compute tasks in this process. */
  work(): Promise<void>;
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
    const archive = await openArchive(env, weather);
    const blobs = folderBlobStore(env.tasksDir);
    const tasks = new Tasks({ tables: database.prisma, blobs, clock: realClock, limits: env.tasks, log });
    const closing = new AbortController();
    const taskThread = workerPool({
      entry: new URL("./operations/task-thread.ts", import.meta.url),
      data: taskThreadSettings(env, archive.demoWorld),
      concurrency: env.tasks.concurrency,
      idleMs: TASK_IDLE_MS,
      limits: { maxOldGenerationSizeMb: TASK_MEMORY_MB },
      errors: [ProcessingError],
    });

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
    metrics.gauge("archive_memory_bytes", "Decoded chunks and their tables", () => archive.memoryBytes());

    const demoStorms = (mode: "auto" | "always") =>
      demoStormFeed({ seed: env.demoSeed, mode, isSynthetic: archive.isSynthetic, elapsed: monotonicMs });
    const storms = openStorms({
      tables: database.prisma,
      polledFeed: env.demo === "never" ? undefined : demoStorms(env.demo),
      now: () => weather.now(),
      elapsed: monotonicMs,
      log,
    });

    const context: Context = {
      keys,
      limiter: memoryRateLimiter(realClock),
      clock: realClock,
      weather,
      log,
      archive: { ...archive, stepCache: stepCache(STEP_CACHE_BYTES) },
      frames: frameCache(FRAME_CACHE_BYTES),
      framePaths: pathSigner(pepper, realClock),
      storms,
      metrics,
      metricsArePublic: env.metricsPort === undefined,
      version: versionOf(root),
      ready: async () => ({
        database: await failureOf(() => database.ping(), "does not answer", log),
        archive: await failureOf(() => archive.refresh(), "cannot be read", log),
      }),
      tasks,
      mails: outbox,
      answers: new IdempotentAnswers(database.prisma, realClock, blobs),
      closing: closing.signal,
      work: async () => {
        const run: RunTask = (task, file, { signal, progress }) => {
          const input: RunTaskInput = { task, file };
          return taskThread.call<TaskResult>("runTask", input, { signal, onProgress: progress });
        };
        const worker = tasks.start(run, env.tasks);
        metrics.gauge("tasks_running", "Tasks that this process computes", () => worker.running);
      },
      endStreams: () => closing.abort(),
      close: async () => {
        await tasks.close();
        await outbox?.close();
        await taskThread.terminate();
        await storms.close();
        await archive.close();
        await database.close();
      },
    };
    return { context, keyToShow: created };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The workerData of the task thread. */
function taskThreadSettings(env: Env, demoWorld: SharedArrayBuffer | undefined): TaskThreadSettings {
  const { archiveDir, dataDir, demo, demoSeed, frozenAt, tasksDir } = env;
  const chunkCacheBytes = TASK_CACHE_SHARE * env.chunkCacheBytes;
  const { resultSeconds } = env.tasks;
  return {
    archiveDir,
    dataDir,
    demo,
    demoSeed,
    frozenAt,
    chunkCacheBytes,
    tasksDir,
    resultSeconds,
    demoWorld,
  };
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
