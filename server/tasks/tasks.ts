import type { Idempotency } from "#lib/contract/task.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import type { Clock } from "#server/platform/clock.ts";
import { isNoSpace, NoSpaceError, UnavailableError } from "#server/platform/errors.ts";
import { type Metrics, singleValue } from "#server/platform/metrics.ts";
import { Poller } from "#server/platform/poller.ts";
import { discardBlobs, putGzip } from "./gzip-blobs.ts";
import { pieceNames } from "./pieces.ts";
import { TaskQueue } from "./queue.ts";
import { TaskReader } from "./reader.ts";
import { Retention } from "./retention.ts";
import type { Storage } from "./storage.ts";
import { type NewTask, type NotTaken, TaskStore } from "./store.ts";
import type { Task, TaskLimits, TaskLog, TaskTables } from "./task.ts";
import { type RunTask, TaskWorker } from "./worker.ts";

export interface TasksDeps {
  tables: TaskTables;
  blobs: BlobStore;
  clock: Clock;
  limits: TaskLimits;
  log: TaskLog;
  /** Checked before a task is accepted. */
  storage?: Pick<Storage, "ensureSpace">;
}

/** Retry-After where a task was not accepted and no error states a time, seconds. */
const RETRY_S = 10;

/** Intervals between deletions of expired results, and of orphaned blobs, milliseconds. */
const SWEEP_MS = 60_000;
const ORPHANS_MS = 3_600_000;

/** Tasks as the operations use them, and the worker of this process. */
export class Tasks {
  readonly store: TaskStore;
  readonly queue: TaskQueue;
  readonly blobs: BlobStore;
  readonly reader: TaskReader;
  readonly retention: Retention;
  readonly #deps: TasksDeps;
  #worker: TaskWorker | undefined;
  #sweeping: Poller[] = [];

  constructor(deps: TasksDeps) {
    const { tables, blobs, limits } = deps;
    this.#deps = deps;
    this.blobs = blobs;
    this.store = new TaskStore(tables, limits);
    this.queue = new TaskQueue(tables, limits);
    this.reader = new TaskReader(this.store, this.queue, blobs);
    this.retention = new Retention(deps);
  }

  /**
   * Accepts a task. Its request and its row are durable when this returns.
   *
   * @param request The body as it was sent.
   * @param signal After it aborts no task is created, unless its row is already being written.
   * @throws UnavailableError when the disk is full or the database does not answer; QuotaError.
   */
  async submit(
    task: Omit<NewTask, "requestFile" | "requestBytes">,
    request: Uint8Array,
    idempotency?: Idempotency,
    signal?: AbortSignal,
  ): Promise<"taken" | NotTaken> {
    await this.#deps.storage?.ensureSpace(task.owner);
    const requestFile = `${task.id}.request`;
    try {
      const { bytes: requestBytes } = await putGzip(this.blobs, requestFile, [request], signal);
      signal?.throwIfAborted();
      const taken = await this.store.submit({ ...task, requestFile, requestBytes }, idempotency);
      if (taken === "taken") void this.#worker?.poll();
      else await discardBlobs(this.blobs, [requestFile], this.#deps.log);
      return taken;
    } catch (cause) {
      // The row may have been written, so the blob stays for the row or for the sweep.
      if (isNoSpace(cause)) throw new NoSpaceError(undefined, { cause });
      const retryAfter = cause instanceof UnavailableError ? cause.retryAfter : RETRY_S;
      throw new UnavailableError("Tasks cannot be accepted at the moment", retryAfter, { cause });
    }
  }

  /** @returns The task as it is now; undefined where the owner has no task of this id. */
  async cancel(owner: string, id: string): Promise<{ task: Task; cancelled: boolean } | undefined> {
    const found = await this.reader.find(owner, id);
    if (found?.task.status !== "PENDING") return found && { task: found.task, cancelled: false };
    const ended = await this.store.cancel(owner, id);
    if (!ended?.cancelled) return ended;
    this.#worker?.stop(ended.task.id);
    await discardBlobs(this.blobs, pieceNames(ended.task), this.#deps.log);
    return ended;
  }

  /** Removes an ended task and its blobs. @returns false where the owner has no such task. */
  async remove(owner: string, id: string): Promise<boolean> {
    const found = await this.reader.find(owner, id);
    if (!found) return false;
    this.reader.forget(owner, id);
    const files = await this.store.remove(owner, id);
    await discardBlobs(this.blobs, files ?? [], this.#deps.log);
    return files !== undefined;
  }

  /** Starts to compute tasks in this process, and to delete what has expired. */
  start(run: RunTask, options: { concurrency: number; maxSeconds: number }): TaskWorker {
    const worker = new TaskWorker({
      queue: this.queue,
      blobs: this.blobs,
      run,
      log: this.#deps.log,
      ...options,
    });
    this.#worker = worker;
    worker.start();
    const onError = (err: unknown) => this.#deps.log.warn({ err }, "a sweep of the tasks failed");
    this.#sweeping = [
      new Poller({ everyMs: SWEEP_MS, work: () => this.retention.sweep(), onError }),
      new Poller({ everyMs: ORPHANS_MS, work: () => this.retention.sweepOrphans(), onError }),
    ];
    for (const sweep of this.#sweeping) sweep.start();
    return worker;
  }

  async close(): Promise<void> {
    // A running sweep is not waited for, because it may read a large store.
    for (const sweep of this.#sweeping) void sweep.close();
    await this.#worker?.close();
  }
}

/** Adds metrics of the queue and the outbox. They cover all processes, so every replica reports the same. */
export function observeQueue(metrics: Pick<Metrics, "gauge">, tables: Pick<PrismaClient, "$queryRaw">): void {
  metrics.gauge("tasks_pending", "Tasks that have not ended", () =>
    singleValue(tables.$queryRaw`SELECT count(*) AS value FROM task WHERE status = 'PENDING'`),
  );
  metrics.gauge(
    "tasks_wait_seconds",
    "Seconds since the oldest due task that no worker has started was accepted; 0 without one",
    () =>
      singleValue(tables.$queryRaw`
        SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS value FROM task
        WHERE status = 'PENDING' AND started_at IS NULL AND available_at <= now()`),
  );
  metrics.gauge(
    "mails_wait_seconds",
    "Seconds since the oldest unsent e-mail was written; 0 without one",
    () =>
      singleValue(tables.$queryRaw`
        SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS value FROM outbox
        WHERE sent_at IS NULL AND error IS NULL`),
  );
}
