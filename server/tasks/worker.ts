import type { BlobStore, StoredBlob } from "#server/platform/blob-store.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import type { TaskStore } from "./store.ts";
import type { Task } from "./task.ts";

/** What computing a task brought: its result lies in the room under the name of the claim. */
export interface TaskResult {
  stored: StoredBlob;
  synthetic: boolean;
  /** Unix milliseconds, as they stand in the result. */
  finishedAt: number;
  expiresAt: number;
}

/** Computes a task into a file. @throws ProcessingError with a text for the owner; any other error is tried again. */
export type RunTask = (
  task: Task,
  file: string,
  hooks: { signal: AbortSignal; progress(share: number): void },
) => Promise<TaskResult>;

export interface WorkerDeps {
  store: TaskStore;
  room: BlobStore;
  run: RunTask;
  log: { info: Write; warn: Write; error: Write };
  /** How many tasks run at the same time. */
  slots: number;
  /** Longest that a task may run, seconds. */
  mostSeconds: number;
}

type Write = (fields: object, message: string) => void;

/** Claims of one task: more means that it takes its worker down with it. */
export const MAX_CLAIMS = 20;

/** Errors of one task: the third is its end. */
export const MAX_FAILURES = 3;

/** Seconds before a task that failed is tried again, for each failure so far. */
const PAUSES = [1, 5];

/** How often a worker says that it lives and looks for more; a cancellation elsewhere is noticed this late. */
const BEAT_MS = 500;

export const GIVEN_UP = "The request could not be processed. Please try again later.";

/** Name of the file that a claim writes: a worker that lost its claim writes another than the one that has it. */
export function resultName({ id, token }: Pick<Task, "id" | "token">): string {
  return `${id}.${token}.result`;
}

interface Running {
  task: Task;
  stop: AbortController;
  progress: number;
  ended: Promise<void>;
}

/** Takes tasks from the queue, and sees each to its end. */
export class TaskWorker {
  readonly #parts: WorkerDeps;
  readonly #running = new Map<string, Running>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #closed = false;

  constructor(parts: WorkerDeps) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), BEAT_MS);
    void this.look();
  }

  /** How many tasks it computes. */
  get running(): number {
    return this.#running.size;
  }

  /** Says that it lives, stops what it lost, and takes as many tasks as it has room for. */
  look(): Promise<void> {
    this.#lookAgain = this.#looking !== undefined;
    this.#looking ??= this.#lookNow()
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, "the queue of tasks cannot be reached"))
      .finally(() => {
        this.#looking = undefined;
        if (this.#lookAgain) void this.look();
      });
    return this.#looking;
  }

  /** A task of this process was cancelled: nobody waits for its result. */
  stop(id: string): void {
    this.#running.get(id)?.stop.abort(LOST);
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#looking || this.#running.size > 0) {
      await this.#looking;
      await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    }
  }

  /** Gives back what it has, for others or for the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#looking;
    for (const { stop } of this.#running.values()) stop.abort(CLOSING);
    await this.idle();
  }

  async #lookNow(): Promise<void> {
    const { store, slots } = this.#parts;
    await Promise.all([...this.#running.values()].map((running) => this.#beat(running)));
    while (!this.#closed && this.#running.size < slots) {
      const task = await store.claim();
      if (!task) return;
      const running: Running = { task, stop: new AbortController(), progress: 0, ended: Promise.resolve() };
      this.#running.set(task.id, running);
      running.ended = this.#see(running);
    }
  }

  async #beat({ task, stop, progress }: Running): Promise<void> {
    if (!(await this.#parts.store.beat(task, progress))) stop.abort(LOST);
  }

  /** Runs a claim to its end. Never throws: what cannot be written down is taken again when the lease is over. */
  async #see(running: Running): Promise<void> {
    const { task } = running;
    try {
      await this.#attempt(running);
    } catch (error) {
      this.#parts.log.error({ err: error, taskId: task.id }, "the end of a task could not be written down");
    } finally {
      this.#running.delete(task.id);
      if (!this.#closed) void this.look();
    }
  }

  async #attempt(running: Running): Promise<void> {
    const { store, room, log, mostSeconds } = this.#parts;
    const { task, stop } = running;
    if (task.token > MAX_CLAIMS) {
      log.error({ taskId: task.id }, "a task was interrupted too often");
      await store.fail(task, `The task was interrupted ${MAX_CLAIMS} times and has been given up.`);
      return;
    }
    const tooLong = setTimeout(() => stop.abort(TOO_LONG), mostSeconds * 1000);
    const file = resultName(task);
    try {
      const made = await this.#parts.run(task, file, {
        signal: stop.signal,
        progress: (share) => {
          running.progress = share;
        },
      });
      const { stored, synthetic } = made;
      const times = { finishedAt: new Date(made.finishedAt), expiresAt: new Date(made.expiresAt) };
      if (await store.succeed(task, { file, stored, synthetic, ...times })) return;
      log.info({ taskId: task.id }, "a result came too late");
      await room.remove(file);
    } catch (error) {
      await this.#failed(running, error);
    } finally {
      clearTimeout(tooLong);
    }
  }

  async #failed({ task, stop }: Running, error: unknown): Promise<void> {
    const { store, log, mostSeconds } = this.#parts;
    const reason = stop.signal.aborted ? stop.signal.reason : undefined;
    if (reason === LOST) return;
    if (reason === CLOSING) return store.release(task, 0, false);
    if (reason === TOO_LONG) {
      await store.fail(task, `The task took longer than ${mostSeconds} seconds. Please send it in parts.`);
      return;
    }
    if (error instanceof ProcessingError) {
      await store.fail(task, error.message);
      return;
    }
    const failures = task.failures + 1;
    log.error({ err: error, taskId: task.id, failures }, "task failed");
    if (failures >= MAX_FAILURES) await store.fail(task, GIVEN_UP);
    else await store.release(task, PAUSES[failures - 1] ?? 0, true);
  }
}

/** Why a running task is stopped. */
const LOST = new Error("The claim is no longer ours");
const CLOSING = new Error("The worker ends");
const TOO_LONG = new Error("The task takes too long");
