import type { VariableName } from "#lib/catalog/variables.ts";
import type { StrongWind } from "#lib/contract/strong-wind.ts";
import type { TileOverlay } from "#lib/contract/tile-overlay.ts";
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
import { openMailbox } from "#server/context/mailbox.ts";
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
import { strongWinds } from "#server/metocean/strong-winds.ts";
import { bodyPoolOptions } from "#server/operations/bodies.ts";
import {
  OpengribsFiles,
  type OpengribsService,
  opengribsLimits,
} from "#server/operations/opengribs-files.ts";
import { readTileOverlays } from "#server/pages/tile-overlays.ts";
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

/** JavaScript heap of a thread that converts results, MiB. The result itself lies outside the heap. */
const CONVERSION_MEMORY_MB = 128;
const CONVERSION_IDLE_MS = 20_000;

/** How often the clock is compared with the database's, milliseconds. */
const SYNC_MS = 10_000;

/** How long a stopping process waits for e-mails that are being sent, milliseconds. */
const MAIL_DRAIN_MS = 5_000;

/** The connected modules of the service. Each process has one context. */
export interface Context extends RequestContext, Omit<OpenedAlerts, "close"> {
  /** Aborted when the process is about to stop and is no longer ready. */
  draining: AbortSignal;
  /** State of each part that requests depend on. */
  ready(): Promise<Readiness>;
  version: string;
  /** Queues for requests that compute. */
  queues: Queues;
  archive: MapSource & FrameSource;
  frames: FrameCache;
  /** Signs paths to frames, which then need no key. */
  framePaths: PathSigner;
  /** The strongest winds at sea now, on one of which the map opens. */
  strongWinds(): Promise<readonly StrongWind[]>;
  /** Tiles of other services that visitors can draw over the map. */
  tileOverlays: readonly TileOverlay[];
  storms: StormService;
  tides: Tides;
  /** State of the feeds. */
  feeds: FeedsStatus;
  /** Variables that the enabled feeds provide. */
  brought: ReadonlySet<VariableName>;
  metrics: Metrics;
  /** Public address of the service for links, where a setting names it. */
  linkBase?: string | undefined;
  /** Callers who may read /metrics on the main port; `local` is this machine. */
  metricsAccess: "off" | "local" | "public";
  tasks: Tasks;
  /** Reads large bodies in a thread; if absent they are read in this one. */
  bodyPool?: Pick<WorkerPool, "call">;
  /** Converts stored results to formats other than JSON. */
  conversions: Conversions;
  /** Queue of e-mails about ended tasks; undefined without a mail server. */
  mails: Pick<Outbox, "post"> | undefined;
  /** Issues keys by e-mail; undefined where this is off. */
  keyRequests: KeyRequests | undefined;
  /** Contact for keys: an e-mail address or the address of a page; undefined if the operator gives none. */
  keyContact?: string | undefined;
  taskEvents: TaskEvents;
  /** The file server for navigation programs; undefined where it is off. */
  opengribs?: OpengribsService | undefined;
  watches: Watches;
  /** Starts to compute tasks, to evaluate watches and to answer the mailbox in this process. */
  work(): Promise<void>;
  close(): Promise<void>;
}

/** Properties of this process among others. */
export interface ProcessPart {
  /** Aborted when the process is about to stop. */
  draining?: AbortSignal;
  /** Number of the process among several that share a port. */
  number?: number;
}

/**
 * Opens the database, the keys and the archive, and connects the modules.
 *
 * @returns The context, and the key to show on the console if one was just created. Keys of the environment are not
 *   shown.
 */
export async function openContext(
  env: Env,
  log: Logger,
  { draining = new AbortController().signal, number }: ProcessPart = {},
): Promise<{ context: Context; keyToShow?: string }> {
  const tileOverlays = readTileOverlays(env.overlays);
  const database = await openDatabase(env);
  try {
    await prepareFolders(env, database);
    const weather = weatherClock(env.frozenAt);
    const { memory } = env;
    // The archive opens early, because a thread loads the demo meanwhile.
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
      // The age of blobs is judged to the hour only, so this machine's clock is precise enough.
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
    metrics.gauge("storage_free_bytes", "Free disk space for tasks, bytes", () => storage.freeBytes());
    observeQueue(metrics, database.prisma);
    metrics.gauge("storage_held_bytes", "Stored requests, results and answers, bytes", () =>
      storage.heldBytes(),
    );
    metrics.gauge("event_streams_open", "Open streams of server-sent events", () => taskEvents.open);
    metrics.gauge("archive_memory_bytes", "Memory of decoded chunks and their tables, bytes", () =>
      archive.memoryBytes(),
    );
    metrics.gauge(
      "conversions_waiting",
      "Results that wait for conversion to another format",
      () => conversionQueue.waiting,
    );
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
      // The fetching process counts the bytes of a day by the weather clock too.
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

    // A single process with its own database can count in memory and needs no shared row.
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

    const opengribsFiles =
      (env.opengribs || env.mailbox) &&
      new OpengribsFiles({
        blobs,
        make: taskThreads.opengribsFile,
        queue: new Queue(opengribsLimits),
        maxBytes: env.opengribsMaxBytes,
        now: () => realClock.now(),
        onError: (err) => log.warn({ err }, "old files of the OpenGribs protocol could not be deleted"),
      });
    opengribsFiles?.start();
    const mailbox =
      env.mailbox &&
      openMailbox(
        { mailbox: env.mailbox, mailFrom: env.mailFrom },
        {
          database,
          archive,
          files: opengribsFiles!,
          keys,
          // The environment is refused if it has a mailbox and no mail server.
          mailer: mailer!,
          secret: pepper,
          clock: realClock,
          weather,
          ensureData,
          log,
        },
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
      strongWinds: strongWinds(archive, () => weather.now()),
      tileOverlays,
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
      opengribs: env.opengribs && { files: opengribsFiles!, limit: env.opengribs.limit },
      watches,
      work: async () => {
        watches.start();
        mailbox?.start();
        const worker = await tasks.start(taskThreads.run, env.tasks);
        metrics.gauge("tasks_running", "Tasks that this process computes", () => worker.running);
      },
      close: async () => {
        // Every step below that waits for e-mails ends after this time.
        const cut = setTimeout(() => mailer?.close(), MAIL_DRAIN_MS);
        await watches.close();
        await taskEvents.close();
        await tasks.close();
        sharedLimits?.close();
        await closeAlerts();
        await mailbox?.close();
        await keyRequests?.close();
        await outbox?.close();
        clearTimeout(cut);
        mailer?.close();
        await opengribsFiles?.close();
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
