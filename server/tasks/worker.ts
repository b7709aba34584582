import type { BlobStore } from "#server/platform/blob-store.ts";
import { isNoSpace, ProcessingError } from "#server/platform/errors.ts";
import type { StoredBlob } from "./gzip-blobs.ts";
import type { TaskQueue } from "./queue.ts";
import type { Task, TaskLog } from "./task.ts";

// How a task survives kill −9, at any moment:
//
// - A task is durable before its 202 is sent: first its request (a blob), then its row (PENDING).
// - A worker claims a row for LEASE_SECONDS and gets a token, which is one higher with each claim (queue.ts). It extends
//   the lease with a heartbeat twice a second.
// - A killed worker sends no heartbeat. Its lease runs out, and any worker (also that of the restarted server) claims the
//   task with the next token and computes it from the start.
// - A worker that was only slow, and lost its claim, can change nothing: heartbeat, success and failure require its token
//   in the row. Its result is a blob of its own, named after the token, and is deleted.
// - A result is durable before the row names it. One statement ends the row and writes the mail that was asked for
//   (end-task.ts), so that a task ends once and has one mail. The outbox sends it later, at least once (outbox.ts).
// - What killed writers leave in the blob store is named by no row, and deleted after an hour (retention.ts).
// - A task that takes its process down each time is given up after MAX_CLAIMS claims.

/** What computing a task returns; the result itself is in the blob store, under the name given. */
export interface TaskResult {
  stored: StoredBlob;
  synthetic: boolean;
  /** Unix milliseconds, as the result says. */
  finishedAt: number;
  expiresAt: number;
}

/**
 * Computes a task into a blob.
 *
 * @throws ProcessingError with a text for the owner, which ends the task. After any other error the task is tried again.
 */
export type RunTask = (
  task: Task,
  file: string,
  hooks: { signal: AbortSignal; progress(share: number): void },
) => Promise<TaskResult>;

export interface WorkerDeps {
  queue: TaskQueue;
  blobs: BlobStore;
  run: RunTask;
  log: TaskLog;
  /** How many tasks run at the same time. */
  concurrency: number;
  /** Longest that a task may run, seconds. */
  maxSeconds: number;
}

/** Claims of one task: one that needs more takes its worker down with it. */
const MAX_CLAIMS = 20;

/** Errors of one task: it fails with the last of them. */
const MAX_FAILURES = 3;

/** Seconds before a failed task is tried again, by the number of failures so far. */
const RETRY_SECONDS = [1, 5];

/** Seconds before a task is tried again for whose result the disk has no space: this is no failure of the task. */
const SPACE_SECONDS = 15;

/** How often a worker sends heartbeats and looks for tasks. A cancellation by another process is noticed this late. */
const POLL_MS = 500;

const FAILURE_TEXT = "The request could not be processed. Please try again later.";

/** Name of the blob that a claim writes: no two claims of a task write the same one. */
export function resultName({ id, token }: Pick<Task, "id" | "token">): string {
  return `${id}.${token}.result`;
}

interface RunningTask {
  task: Task;
  stop: AbortController;
  progress: number;
  ended: Promise<void>;
}

/** Claims tasks from the queue and runs them. */
export class TaskWorker {
  readonly #deps: WorkerDeps;
  readonly #running = new Map<string, RunningTask>();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #pollAgain = false;
  #closed = false;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => void this.poll(), POLL_MS);
    void this.poll();
  }

  /** How many tasks it runs. */
  get running(): number {
    return this.#running.size;
  }

  /** Sends heartbeats, stops the tasks it has lost, and claims as many as it may run. Never rejects. */
  poll(): Promise<void> {
    this.#pollAgain = this.#polling !== undefined;
    this.#polling ??= this.#pollOnce()
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, "the queue of tasks cannot be reached"))
      .finally(() => {
        this.#polling = undefined;
        if (this.#pollAgain) void this.poll();
      });
    return this.#polling;
  }

  /** To be called when a task was cancelled in this process: its result is not needed. */
  stop(id: string): void {
    this.#running.get(id)?.stop.abort(LOST);
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#polling || this.#running.size > 0) {
      await this.#polling;
      await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    }
  }

  /** Stops the running tasks and gives them back, for other workers or for the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#polling;
    for (const { stop } of this.#running.values()) stop.abort(CLOSING);
    await this.idle();
  }

  async #pollOnce(): Promise<void> {
    const { queue, concurrency } = this.#deps;
    await Promise.all([...this.#running.values()].map((running) => this.#beat(running)));
    while (!this.#closed && this.#running.size < concurrency) {
      const task = await queue.claim();
      if (!task) return;
      const running: RunningTask = {
        task,
        stop: new AbortController(),
        progress: 0,
        ended: Promise.resolve(),
      };
      this.#running.set(task.id, running);
      running.ended = this.#handle(running);
    }
  }

  async #beat({ task, stop, progress }: RunningTask): Promise<void> {
    if (!(await this.#deps.queue.beat(task, progress))) stop.abort(LOST);
  }

  /** Runs a claim to its end. Never rejects: a task whose end cannot be written is claimed again after its lease. */
  async #handle(running: RunningTask): Promise<void> {
    const { task } = running;
    try {
      await this.#attempt(running);
    } catch (error) {
      this.#deps.log.error({ err: error, taskId: task.id }, "the end of a task could not be written");
    } finally {
      this.#running.delete(task.id);
      if (!this.#closed) void this.poll();
    }
  }

  async #attempt(running: RunningTask): Promise<void> {
    const { queue, blobs, run, log, maxSeconds } = this.#deps;
    const { task, stop } = running;
    if (task.token > MAX_CLAIMS) {
      log.error({ taskId: task.id }, "a task was interrupted too often");
      await queue.fail(task, `The task was interrupted ${MAX_CLAIMS} times and has been given up.`);
      return;
    }
    const tooLong = setTimeout(() => stop.abort(TOO_LONG), maxSeconds * 1000);
    const file = resultName(task);
    try {
      const progress = (share: number) => {
        running.progress = share;
      };
      const { stored, synthetic, ...times } = await run(task, file, { signal: stop.signal, progress });
      const finishedAt = new Date(times.finishedAt);
      const expiresAt = new Date(times.expiresAt);
      if (await queue.succeed(task, { file, stored, synthetic, finishedAt, expiresAt })) return;
      log.info({ taskId: task.id }, "the result of a lost claim was deleted");
      await blobs.delete(file);
    } catch (error) {
      await this.#endFailed(running, error);
    } finally {
      clearTimeout(tooLong);
    }
  }

  async #endFailed({ task, stop }: RunningTask, error: unknown): Promise<void> {
    const { queue, log, maxSeconds } = this.#deps;
    const reason = stop.signal.aborted ? stop.signal.reason : undefined;
    if (reason === LOST) return;
    if (reason === CLOSING) return queue.release(task, 0, false);
    if (reason === TOO_LONG) {
      await queue.fail(task, `The task took longer than ${maxSeconds} seconds. Please send it in parts.`);
      return;
    }
    if (error instanceof ProcessingError) {
      await queue.fail(task, error.message);
      return;
    }
    if (isNoSpace(error)) {
      log.warn({ err: error, taskId: task.id }, "a task waits for space");
      await queue.release(task, SPACE_SECONDS, false);
      return;
    }
    const failures = task.failures + 1;
    log.error({ err: error, taskId: task.id, failures }, "task failed");
    if (failures >= MAX_FAILURES) await queue.fail(task, FAILURE_TEXT);
    else await queue.release(task, RETRY_SECONDS[failures - 1] ?? 0, true);
  }
}

/** Why a running task is stopped. */
const LOST = new Error("The claim is lost");
const CLOSING = new Error("The worker is closing");
const TOO_LONG = new Error("The task takes too long");
