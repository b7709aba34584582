import type { VariableName } from "#lib/catalog/variables.ts";
import { type OpenedAlerts, openAlerts } from "#server/context/alerts.ts";
import { prepareFolders } from "#server/context/data-folders.ts";
import {
  broughtVariables,
  describedFeeds,
  type FeedsStatus,
  feedsStatus,
  observeFeeds,
} from "#server/context/feeds.ts";
import { guestsOf } from "#server/context/guests.ts";
import { firstData, openReadiness, type Readiness } from "#server/context/readiness.ts";
import { openServedArchive } from "#server/context/shared-archive.ts";
import { openTaskThreads } from "#server/context/task-threads.ts";
import { openWatches, type Watches } from "#server/context/watches.ts";
import { demoStormFeed } from "#server/demo/storms/feed.ts";
import type { RequestContext } from "#server/http/authenticate.ts";
import { Queue } from "#server/http/queue.ts";
import { observeQueues, openQueues, type Queues } from "#server/http/queues.ts";
import { memoryRateLimiter } from "#server/http/rate-limiter.ts";
import { databaseRateLimiter } from "#server/http/shared-rate-limiter.ts";
import { type PathSigner, pathSigner } from "#server/http/signed-path.ts";
import { CACHE_MS } from "#server/keys/key-lookup.ts";
import { KeyRequests } from "#server/keys/key-requests.ts";
import { ensureFirstKeys, KeyStore } from "#server/keys/keys.ts";
import { readPepper } from "#server/keys/pepper.ts";
import { type MapSource, stepCache } from "#server/metocean/box-read.ts";
import { type FrameCache, type FrameSource, frameCache } from "#server/metocean/frames.ts";
import { bodyPoolOptions } from "#server/operations/bodies.ts";
import { databaseClock, monotonicMs, realClock, weatherClock } from "#server/platform/clock.ts";
import { openDatabase } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import { NoSpaceError, StoreUnavailableError } from "#server/platform/errors.ts";
import { feedStates } from "#server/platform/feed-state.ts";
import { readClockReading } from "#server/platform/fetching/clock-error.ts";
import { openBlobs } from "#server/platform/folder-blob-store.ts";
import type { Logger } from "#server/platform/log.ts";
import { smtpMailer } from "#server/platform/mail.ts";
import { createMetrics, type Metrics } from "#server/platform/metrics.ts";
import { serviceVersion } from "#server/platform/version.ts";
import { type WorkerPool, workerPool } from "#server/platform/worker-pool.ts";
import { openStorms, type StormService } from "#server/storms/storm-service.ts";
import type { ConversionThreadSettings } from "#server/tasks/conversion-thread.ts";
import { Conversions, conversionLimits } from "#server/tasks/conversions.ts";
import { TaskEvents } from "#server/tasks/events.ts";
import { IdempotentAnswers } from "#server/tasks/idempotent-answers.ts";
import { Outbox } from "#server/tasks/outbox.ts";
import { countConverted, Storage } from "#server/tasks/storage.ts";
import { observeQueue, Tasks } from "#server/tasks/tasks.ts";
import { openTides, type Tides } from "#server/tides/tides.ts";

/** JavaScript heap of the threads that convert results, MiB: what they convert is outside the heap. */
const CONVERSION_MEMORY_MB = 128;
const CONVERSION_IDLE_MS = 20_000;

/** How often the clock is compared with the database's. */
const SYNC_MS = 10_000;

/** How long a process that stops waits for e-mails that are being sent. */
const MAIL_DRAIN_MS = 5_000;

/** The modules of the service, connected. One for each process. */
export interface Context extends RequestContext, Omit<OpenedAlerts, "close"> {
  /** Aborted when the process is about to stop: it is not ready any more. */
  draining: AbortSignal;
  /** State of what requests depend on. */
  ready(): Promise<Readiness>;
  /** Version of the service, from package.json. */
  version: string;
  /** Places for requests that compute. */
  queues: Queues;
  archive: MapSource & FrameSource;
  /** Cache of computed map frames. */
  frames: FrameCache;
  /** Paths to frames that need no key. */
  framePaths: PathSigner;
  /** Storms of each provider. */
  storms: StormService;
  /** Predictions of tides and streams. */
  tides: Tides;
  /** How the feeds are. */
  feeds: FeedsStatus;
  /** Variables that they bring. */
  brought: ReadonlySet<VariableName>;
  metrics: Metrics;
  /** Address of the service in links, where a setting names it. */
  linkBase?: string | undefined;
  /** Who reads /metrics beside the API: `local` is this machine. */
  metricsAccess: "off" | "local" | "public";
  tasks: Tasks;
  /** Reads large bodies in a thread; where absent they are read in this one. */
  bodyPool?: Pick<WorkerPool, "call">;
  /** Stored results in other formats than JSON. */
  conversions: Conversions;
  /** Queue of e-mails about ended tasks; undefined without a mail server. */
  mails: Pick<Outbox, "post"> | undefined;
  /** Keys by e-mail; undefined where nobody gets one so. */
  keyRequests: KeyRequests | undefined;
  /** Who gives keys, an e-mail address or that of a page; undefined where the operator names nobody. */
  keyContact?: string | undefined;
  /** Streams of server-sent events. */
  taskEvents: TaskEvents;
  /** Watches and alerts. */
  watches: Watches;
  /** Starts to compute tasks and to evaluate watches in this process. */
  work(): Promise<void>;
  close(): Promise<void>;
}

/** What a process knows of itself. */
export interface ProcessPart {
  /** Aborted when it is about to stop. */
  draining?: AbortSignal;
  /** Its number among several that share a port. */
  number?: number;
}

/**
 * Opens the database, the keys and the archive, and connects the modules.
 *
 * @returns The context, and the key to show on the console: one that was just made. Keys of the environment are known
 *   already.
 */
export async function openContext(
  env: Env,
  log: Logger,
  { draining = new AbortController().signal, number }: ProcessPart = {},
): Promise<{ context: Context; keyToShow?: string }> {
  const database = await openDatabase(env);
  try {
    await prepareFolders(env, database);
    const weather = weatherClock(env.frozenAt);
    const { memory } = env;
    // Early: a thread reads the demo world meanwhile.
    const archive = await openServedArchive(
      { ...env, chunkCacheBytes: memory.chunkCacheBytes },
      weather,
      database,
      log,
      { demoThreads: memory.demoThreads.requests },
    );
    const pepper = await readPepper(env, database);
    // The embedded database has this machine's clock.
    const synced = env.databaseUrl === undefined ? undefined : await databaseClock(database);
    const clock = synced ?? realClock;
    const syncing = synced && setInterval(() => void synced.sync(), SYNC_MS).unref();
    const keys = new KeyStore(database.prisma, { pepper, clock });
    const keyToShow = await ensureFirstKeys(keys, env);
    const confirming = setInterval(() => void keys.confirm(), CACHE_MS).unref();

    const blobs = await openBlobs(env.blobs, env.storage.minFreeBytes / 2);
    const storage = new Storage({
      tables: database.prisma,
      blobs,
      limits: env.storage,
      freeBytes: () => blobs.freeBytes(),
      log,
    });
    const tasks = new Tasks({
      tables: database.prisma,
      blobs,
      // The age of blobs is judged by it, to the hour.
      clock: realClock,
      limits: env.tasks,
      log,
      storage,
    });
    const taskEvents = new TaskEvents({
      tables: database.prisma,
      position: (task) => tasks.reader.position(task),
      listen: (handler) => database.listen("metocean_task", handler),
      invalidKeys: (ids) => keys.invalidAmong(ids),
      log,
    });
    const storms = openStorms({
      tables: database.prisma,
      polledFeed:
        env.demo === "never" ? undefined : demoStormFeed(env.demoSeed, env.demo, archive.isSynthetic),
      retention: env.storms,
      now: () => weather.now(),
      elapsed: monotonicMs,
      log,
    });

    const bodyPool = workerPool(bodyPoolOptions);
    const tides = openTides({ nonCommercial: env.nonCommercialTides });

    const conversionThreads = workerPool({
      entry: new URL("./tasks/conversion-thread.ts", import.meta.url),
      data: { blobs: env.blobs, storage: env.storage } satisfies ConversionThreadSettings,
      threads: conversionLimits.running,
      idleMs: CONVERSION_IDLE_MS,
      limits: { maxOldGenerationSizeMb: CONVERSION_MEMORY_MB },
      errors: [NoSpaceError, StoreUnavailableError],
    });
    const conversionQueue = new Queue(conversionLimits);
    const conversions = new Conversions(
      blobs,
      (conversion, signal) => conversionThreads.call("convert", conversion, { signal }),
      conversionQueue,
      (blob) =>
        countConverted(database.prisma, blob).catch((err: unknown) =>
          log.warn(
            { err, key: blob.key },
            "what a converted result takes was not noted; the next sweep deletes it",
          ),
        ),
    );

    const mailer = env.smtpUrl ? smtpMailer(env.smtpUrl, env.mailFrom) : undefined;
    const outbox = mailer && new Outbox({ tables: database.prisma, mailer, publicUrl: env.publicUrl, log });
    outbox?.start();
    const keyRequests =
      mailer && env.keyRequests.on
        ? new KeyRequests({
            tables: database.prisma,
            keys,
            mailer,
            publicUrl: env.publicUrl,
            limit: env.keyRequests.limit,
            clock,
            log,
          })
        : undefined;

    const metrics = createMetrics(number);
    metrics.gauge("storage_free_bytes", "Free space of the disk of tasks", () => storage.freeBytes());
    observeQueue(metrics, database.prisma);
    metrics.gauge("storage_held_bytes", "Requests, results and kept answers", () => storage.heldBytes());
    metrics.gauge("event_streams_open", "Streams of server-sent events", () => taskEvents.open);
    metrics.gauge("archive_memory_bytes", "Decoded chunks and their tables", () => archive.memoryBytes());
    metrics.gauge("conversions_waiting", "Results that wait to be converted", () => conversionQueue.waiting);
    const { close: closeAlerts, ...alerts } = openAlerts(env, {
      database,
      mailer,
      secret: pepper,
      clock,
      log,
      metrics,
      version: serviceVersion,
    });
    const queues = openQueues(env.answerSeconds, env.cores);
    observeQueues(queues, metrics);

    const feeds = feedsStatus({
      open: env.statusIsPublic,
      enabled: describedFeeds(env),
      // As what fetches counts the bytes of a day.
      states: feedStates(database.prisma, weather),
      diskBytes: archive.usedBytes,
      budgetBytes: env.feeds.diskBytes,
      now: () => weather.now(),
      clockReading: () => readClockReading(env.feeds.folder, realClock.now()),
    });
    observeFeeds(feeds, metrics);
    const brought = broughtVariables(env);
    const ensureData = firstData(archive, brought);

    const watches = openWatches(database, { archive, storms, weather, tides, log });

    // One process that nobody shares its database with needs no row to count in.
    const sharedLimits =
      env.databaseUrl === undefined && env.processes === 1
        ? undefined
        : databaseRateLimiter({ tables: database.prisma, secret: pepper, clock, log });

    const taskThreads = openTaskThreads(
      { ...env, catalogChannel: archive.catalogChannel },
      await archive.demoWorld,
      {
        archive,
        tides,
        blobs,
        resultSeconds: env.tasks.resultSeconds,
      },
      storms,
    );

    const ready = openReadiness({
      database,
      archive,
      clockProblem: feeds.clockProblem,
      ensureData,
      blobs,
      storage,
      log,
      metrics,
    });

    const context: Context = {
      ...alerts,
      keys,
      limiter: sharedLimits ?? memoryRateLimiter(realClock),
      guests: guestsOf(env, archive.isSynthetic, pepper, clock),
      clock,
      weather,
      log,
      queues,
      archive: { ...archive, stepCache: stepCache(memory.stepCacheBytes) },
      frames: frameCache(memory.frameCacheBytes),
      framePaths: pathSigner(pepper, clock),
      storms,
      tides,
      feeds,
      brought,
      ensureData,
      metrics,
      linkBase: env.linkBase,
      metricsAccess: env.metricsPort === undefined ? env.metricsAccess : "off",
      version: serviceVersion,
      draining,
      ready,
      tasks,
      bodyPool,
      conversions,
      mails: outbox,
      keyRequests,
      keyContact: env.keyContact,
      answers: new IdempotentAnswers({
        tables: database.prisma,
        blobs,
        conversions,
        storage,
      }),
      taskEvents,
      watches,
      work: async () => {
        watches.start();
        const worker = await tasks.start(taskThreads.run, env.tasks);
        metrics.gauge("tasks_running", "Tasks that this process computes", () => worker.running);
      },
      close: async () => {
        // Whoever waits for an e-mail below waits no longer than this.
        const cut = setTimeout(() => mailer?.close(), MAIL_DRAIN_MS);
        await watches.close();
        await taskEvents.close();
        await tasks.close();
        sharedLimits?.close();
        await closeAlerts();
        await keyRequests?.close();
        await outbox?.close();
        clearTimeout(cut);
        mailer?.close();
        await taskThreads.close();
        await bodyPool.terminate();
        await tides.close();
        await conversionThreads.terminate();
        await storms.close();
        await archive.close();
        blobs.close();
        clearInterval(syncing);
        clearInterval(confirming);
        await database.close();
      },
    };
    return { context, keyToShow };
  } catch (error) {
    await database.close();
    throw error;
  }
}
