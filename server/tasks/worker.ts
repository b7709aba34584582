import { setTimeout as delay } from "node:timers/promises";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { isNoSpace, ProcessingError, UnavailableError } from "#server/platform/errors.ts";
import { Poller } from "#server/platform/poller.ts";
import { ThreadEndedError } from "#server/platform/worker-pool.ts";
import { discardBlobs, type StoredBlob } from "./gzip-blobs.ts";
import { pieceName, pieceNames } from "./pieces.ts";
import { type ClaimedTask, MAX_OUTAGE_SECONDS, type Room, type TaskQueue } from "./queue.ts";
import type { Task, TaskLog } from "./task.ts";

// How a task survives kill −9 at any moment:
//
// - A task is durable before its 202 is sent: first its request (a blob), then its row (PENDING).
// - A worker claims the next piece of a row for LEASE_SECONDS and gets a token, which is one higher with each claim
//   (queue.ts). It extends the lease with a heartbeat twice a second.
// - A piece is a blob that is durable before the row names it by its token. Then the row is free for the next claim, by
//   this worker or another, and owners take turns.
// - The lease of a killed worker ends. Any worker (also that of the restarted server) then claims the row with the next
//   token and computes the interrupted piece again. Earlier pieces stay.
// - A worker that was only slow and lost its claim can change nothing: heartbeat, piece, success and failure require
//   its token in the row. Its blobs are named after the token, and are deleted.
// - The last claim assembles the result, which is durable before the row names it. One statement ends the row and
//   writes the requested email (queue.ts), so that a task ends once and has one email. The outbox sends it later, at
//   least once (outbox.ts).
// - No row names the blobs that killed writers leave in the store. They are deleted after an hour (retention.ts).
//
// A task fails after three errors of its own at one piece. A full disk and other failures of the machine never count:
// the task waits. When a thread ends, each piece that ran in it is tried again alone in a thread of its own, and its
// errors count from then on. A task that ends its process each time runs alone too, and fails after MAX_INTERRUPTIONS.

/** Result of the last piece of a task. The result itself is in the blob store under the given name. */
export interface TaskResult {
  stored: StoredBlob;
  synthetic: boolean;
  /** Unix milliseconds, as stated in the result. */
  finishedAt: number;
  expiresAt: number;
}

/** Result of any other piece. The piece itself is in the blob store under the name of its claim. */
export interface PieceResult {
  /** Computed share of the task, 0 to 1. */
  share: number;
  /** Size of its blob, bytes. */
  bytes: number;
}

/** Earlier pieces of a task cannot be used, so it has to begin again. */
export class PiecesLostError extends Error {
  override readonly name = "PiecesLostError";
}

export interface RunHooks {
  signal: AbortSignal;
  /** Reports the progress of the whole task. */
  progress(share: number): void;
}

/**
 * Computes the next piece of a task and writes it to a blob.
 *
 * @param file Key of the result, for the last piece.
 * @throws ProcessingError with a text for the owner, which ends the task; MachineFailureError if the machine failed;
 *   PiecesLostError if the task has to begin again. After any other error the piece is tried again.
 */
export type RunTask = (task: ClaimedTask, file: string, hooks: RunHooks) => Promise<TaskResult | PieceResult>;

export interface WorkerDeps {
  queue: TaskQueue;
  blobs: Pick<BlobStore, "delete">;
  run: RunTask;
  log: TaskLog;
  /** Number of pieces that run at the same time, besides small tasks and one that runs alone. */
  concurrency: number;
  /** Longest computing time of a task, seconds. */
  maxSeconds: number;
  /** Monotonic milliseconds. */
  elapsed?: () => number;
}

/** Claims of one piece whose worker was killed, after which the task fails because it is the likely cause. */
const MAX_INTERRUPTIONS = 20;

/** Errors of one piece, after which the task fails with the last of them. */
const MAX_FAILURES = 3;

/** Seconds before a failed piece is tried again, by the number of failures so far. */
const RETRY_SECONDS = [1, 5];

/** Small tasks that a worker runs at the same time. Each has up to 100 places. */
export const SMALL_AT_ONCE = 2;

/**
 * Interval between heartbeats and searches for tasks, milliseconds. A cancellation by another process is noticed within
 * it.
 */
const POLL_MS = 500;

/** How long pieces may take to stop once their claims have been given back. */
const CLOSE_MS = 5_000;

const FAILURE_TEXT = "The request could not be processed. Please try again later.";

/** Key of the blob that a claim writes. No two claims of a task write the same one. */
export function resultName({ id, token }: Pick<Task, "id" | "token">): string {
  return `${id}.${token}.result`;
}

interface RunningTask {
  task: ClaimedTask;
  takes: keyof Room;
  stop: AbortController;
  progress: number;
  /** Computing time of the piece, milliseconds. Pieces that run at the same time share the elapsed time. */
  computedMs: number;
  ended: Promise<void>;
}

/** Claims pieces of tasks from the queue and runs them. */
export class TaskWorker {
  readonly #deps: WorkerDeps;
  /**
   * Running claims. A task may be in it twice, because its next piece may be claimed while the end of the previous one
   * is being written.
   */
  readonly #running = new Set<RunningTask>();
  readonly #elapsed: () => number;
  #accountedAt = 0;
  /** Failures of the machine since the last piece that succeeded. */
  #outages = 0;
  readonly #polling: Poller;
  #closed = false;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    this.#polling = new Poller({
      everyMs: POLL_MS,
      work: () => this.#pollOnce(),
      onError: (err) => deps.log.warn({ err }, "the queue of tasks cannot be reached"),
    });
    this.#elapsed = deps.elapsed ?? monotonicMs;
  }

  start(): void {
    this.#polling.start();
  }

  get running(): number {
    return this.#running.size;
  }

  /** Sends heartbeats, stops tasks whose claims are lost, and claims as many as may run. Never rejects. */
  poll(): Promise<void> {
    return this.#polling.poll();
  }

  /** Stops a task that was cancelled in this process, because its result is not needed. */
  stop(id: string): void {
    for (const { task, stop } of this.#running) if (task.id === id) stop.abort(LOST);
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#polling.running || this.#running.size > 0) {
      await this.#polling.running;
      await Promise.all([...this.#running].map(({ ended }) => ended));
    }
  }

  /**
   * Releases the running tasks, for other workers or for the next start, and stops them. Others may continue before the
   * pieces have stopped here, because their claims are lost and they can write nothing more.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#polling.close();
    const { queue, log } = this.#deps;
    const released = [...this.#running].map(({ task, stop }) => {
      stop.abort(CLOSING);
      // It is released again when it has stopped.
      return queue
        .release(task, 0)
        .catch((error: unknown) =>
          log.warn({ err: error, taskId: task.id }, "a claim was not given back yet"),
        );
    });
    await Promise.all(released);
    // A store that never answers would keep the process: what a piece still writes then counts no more.
    await Promise.race([this.idle(), delay(CLOSE_MS, undefined, { ref: false })]);
  }

  async #pollOnce(): Promise<void> {
    this.#account();
    await Promise.all([...this.#running].map((running) => this.#beat(running)));
    while (!this.#closed) {
      const room = this.#room();
      const task = (room.any || room.small || room.alone) && (await this.#deps.queue.claim(room));
      if (!task) return;
      const running: RunningTask = {
        task,
        takes: task.runsAlone ? "alone" : task.isSmall ? "small" : "any",
        stop: new AbortController(),
        progress: 0,
        computedMs: 0,
        ended: Promise.resolve(),
      };
      this.#account();
      this.#running.add(running);
      running.ended = this.#handle(running);
    }
  }

  /**
   * The places that are free. A small task waits for small ones only, and one that runs alone waits only for another
   * such task.
   */
  #room(): Room {
    const running = [...this.#running];
    const taken = (place: keyof Room) => running.filter(({ takes }) => takes === place).length;
    return {
      any: taken("any") < this.#deps.concurrency,
      small: taken("small") < SMALL_AT_ONCE,
      alone: taken("alone") === 0,
    };
  }

  /** Divides the time since the last call among the pieces that ran. */
  #account(): void {
    const now = this.#elapsed();
    const share = (now - this.#accountedAt) / this.#running.size;
    for (const running of this.#running) running.computedMs += share;
    this.#accountedAt = now;
  }

  async #beat({ task, stop, progress, computedMs }: RunningTask): Promise<void> {
    const { queue, maxSeconds } = this.#deps;
    if (!(await queue.beat(task, progress))) stop.abort(LOST);
    else if (task.computedMs + computedMs > maxSeconds * 1000) stop.abort(TOO_LONG);
  }

  /** Runs a claim to its end. Never rejects: a task whose end cannot be written is claimed again after its lease. */
  async #handle(running: RunningTask): Promise<void> {
    const { task } = running;
    try {
      await this.#attempt(running);
    } catch (error) {
      this.#deps.log.error({ err: error, taskId: task.id }, "the end of a piece could not be written");
    } finally {
      this.#account();
      this.#running.delete(running);
      void this.poll();
    }
  }

  async #attempt(running: RunningTask): Promise<void> {
    const { queue, run, log, maxSeconds } = this.#deps;
    const { task, stop } = running;
    if (task.computedMs > maxSeconds * 1000) return this.#fail(task, tooLong(maxSeconds));
    if (task.interruptions > MAX_INTERRUPTIONS) {
      log.error({ taskId: task.id }, "a task was interrupted too often");
      await this.#fail(task, `The task was interrupted ${MAX_INTERRUPTIONS} times and has been given up.`);
      return;
    }
    const file = resultName(task);
    try {
      const progress = (share: number) => {
        running.progress = share;
      };
      const outcome = await run(task, file, { signal: stop.signal, progress });
      this.#account();
      this.#outages = 0;
      const { computedMs } = running;
      if ("share" in outcome) {
        const done = Math.round(outcome.share * task.size);
        if (!(await queue.advance(task, done, computedMs, outcome.bytes)))
          await this.#deleteLost(pieceName(task));
        return;
      }
      const { stored, synthetic, ...times } = outcome;
      const finishedAt = new Date(times.finishedAt);
      const expiresAt = new Date(times.expiresAt);
      if (await queue.succeed(task, { file, stored, synthetic, finishedAt, expiresAt }, computedMs))
        await this.#deletePieces(task);
      else await this.#deleteLost(file);
    } catch (error) {
      await this.#endFailed(running, error);
    }
  }

  async #endFailed(running: RunningTask, error: unknown): Promise<void> {
    this.#account();
    const { queue, log, maxSeconds } = this.#deps;
    const { task, stop, computedMs } = running;
    const reason = stop.signal.aborted ? stop.signal.reason : undefined;
    if (reason === LOST) return;
    if (reason === CLOSING) return queue.release(task, 0);
    if (reason === TOO_LONG) return this.#fail(task, tooLong(maxSeconds));
    if (error instanceof ProcessingError) return this.#fail(task, error.message);
    const fields = { err: error, taskId: task.id };
    if (error instanceof ThreadEndedError && !task.runsAlone) {
      log.warn(fields, "the thread of a piece ended: it is tried again alone");
      return queue.release(task, 0, { alone: true, computedMs });
    }
    if (error instanceof PiecesLostError) {
      log.warn(fields, "a task begins again");
      await queue.release(task, 0, { restart: true, computedMs });
      return this.#deletePieces(task);
    }
    const outage = MachineFailureError.of(error);
    if (outage) {
      const wait = Math.min(2 ** this.#outages++, MAX_OUTAGE_SECONDS);
      log.error({ ...fields, wait }, "a piece waits until this machine works again");
      return queue.release(task, wait);
    }
    const failures = task.failures + 1;
    log.error({ ...fields, failures }, "a piece failed");
    if (failures >= MAX_FAILURES) await this.#fail(task, FAILURE_TEXT);
    else await queue.release(task, RETRY_SECONDS[failures - 1] ?? 0, { failed: true, computedMs });
  }

  async #fail(task: Task, reason: string): Promise<void> {
    if (await this.#deps.queue.fail(task, reason)) await this.#deletePieces(task);
  }

  async #deletePieces(task: Task): Promise<void> {
    await discardBlobs(this.#deps.blobs, pieceNames(task), this.#deps.log);
  }

  async #deleteLost(key: string): Promise<void> {
    this.#deps.log.info({ key }, "the blob of a lost claim is deleted");
    await discardBlobs(this.#deps.blobs, [key], this.#deps.log);
  }
}

function tooLong(maxSeconds: number): string {
  return `The task took longer than ${maxSeconds} seconds. Please send it in parts.`;
}

/** Reasons to stop a running piece. */
const LOST = new Error("The claim is lost");
const CLOSING = new Error("The worker is closing");
const TOO_LONG = new Error("The task takes too long");

/** System errors of the machine: no memory, too many open files, a failing or read-only disk, a lost connection. */
const CODES = new Set([
  "EROFS",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "ESTALE",
  "ETIMEDOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
]);

/** The machine failed, not the task, so the task waits until it can continue. */
export class MachineFailureError extends Error {
  override readonly name = "MachineFailureError";

  /** @returns undefined for an error that the task may have caused itself. */
  static of(error: unknown): MachineFailureError | undefined {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (cause instanceof MachineFailureError) return cause;
      if (cause instanceof UnavailableError || isNoSpace(cause) || CODES.has(code ?? ""))
        return new MachineFailureError(cause.message, { cause: error });
    }
    return undefined;
  }
}
