import { readFileSync } from "node:fs";
import path from "node:path";
import { openArchive } from "#server/context/archive.ts";
import { ensureFirstKeys } from "#server/http/first-keys.ts";
import { KeyStore } from "#server/http/keys.ts";
import { readPepper } from "#server/http/pepper.ts";
import { memoryRateLimiter } from "#server/http/rate-limit.ts";
import type { RequestContext } from "#server/http/request-context.ts";
import { type PathSigner, pathSigner } from "#server/http/signed-path.ts";
import { frameCache } from "#server/metocean/frame-cache.ts";
import type { FrameCache, FrameSource } from "#server/metocean/frames.ts";
import type { MapSource } from "#server/metocean/map-read.ts";
import { stepCache } from "#server/metocean/step-cache.ts";
import type { TaskThreadSettings } from "#server/operations/task-thread.ts";
import { monotonicMs, realClock, weatherClock } from "#server/platform/clock.ts";
import { openDatabase } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import type { Logger } from "#server/platform/log.ts";
import { smtpMailer } from "#server/platform/mail.ts";
import { createMetrics, type Metrics } from "#server/platform/metrics.ts";
import { openStorms, type StormService } from "#server/storms/storm-service.ts";
import { IdempotentAnswers } from "#server/tasks/idempotent-answers.ts";
import { Outbox } from "#server/tasks/outbox.ts";
import { Tasks } from "#server/tasks/tasks.ts";
import { workThread } from "#server/tasks/work-thread.ts";
import type { RunTask } from "#server/tasks/worker.ts";

/** Frames of runs that have none of their own, above all of the demo world: a day of 0.25° wind. */
const FRAME_CACHE_BYTES = 64 * 2 ** 20;
/** A step of a 0.25° globe takes fifteen, ready to be written. */
const STEP_CACHE_BYTES = 64 * 2 ** 20;

/** Most memory for the objects of the thread that computes tasks, MiB. */
const TASK_MEMORY_MB = 512;

/** Its part of the memory for decoded chunks: a task asks for each slice of its points once. */
const TASK_CACHE_SHARE = 0.25;

/** How long that thread stays when there is nothing to do, milliseconds. */
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
  /** Begins to compute tasks in this process. */
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
    const room = folderBlobStore(env.tasksDir);
    const tasks = new Tasks({ tables: database.prisma, room, clock: realClock, limits: env.tasks, log });
    const closing = new AbortController();
    const thread = workThread({
      entry: new URL("./operations/task-thread.ts", import.meta.url),
      data: taskThreadSettings(env, archive.demoWorld),
      memoryMb: TASK_MEMORY_MB,
      idleMs: TASK_IDLE_MS,
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

    const storms = openStorms({
      tables: database.prisma,
      demo: env.demo,
      demoSeed: env.demoSeed,
      isDemo: () => archive.isSynthetic(),
      now: () => weather.now(),
      elapsed: monotonicMs,
      log,
    });
    storms.keepDemo();

    const context: Context = {
      keys,
      limiter: memoryRateLimiter(realClock),
      clock: realClock,
      weather,
      log,
      archive: { ...archive, keptSteps: stepCache(STEP_CACHE_BYTES) },
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
      answers: new IdempotentAnswers(tasks.store, room),
      closing: closing.signal,
      work: async () => {
        const run: RunTask = (task, file, { signal, progress }) =>
          thread.run({ task, file }, signal, progress);
        const { slots, mostSeconds } = env.tasks;
        const worker = await tasks.work(run, { slots, mostSeconds, alone: false });
        metrics.gauge("tasks_running", "Tasks that this process computes", () => worker.running);
      },
      endStreams: () => closing.abort(),
      close: async () => {
        await tasks.close();
        await outbox?.close();
        await thread.close();
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

/** What the thread of the tasks has to know. */
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
