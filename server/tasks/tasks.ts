import type { Idempotency } from "#lib/contract/task.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import type { Clock } from "#server/platform/clock.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import { taskEvents } from "./events.ts";
import { TaskReader } from "./reader.ts";
import { type NewTask, type NotTaken, type TaskLimits, TaskStore, type TaskTables } from "./store.ts";
import type { Task } from "./task.ts";
import { type RunTask, TaskWorker } from "./worker.ts";

export interface TasksDeps {
  tables: TaskTables;
  room: BlobStore;
  clock: Clock;
  limits: TaskLimits;
  log: { info: Write; warn: Write; error: Write };
}

type Write = (fields: object, message: string) => void;

/** Files that no row names are removed when they are this old, seconds: their row may be on its way. */
const ORPHAN_SECONDS = 3_600;

/** How often what is due is swept, and how often all files and the table are looked after; milliseconds. */
const SWEEP_MS = 60_000;
const ORPHANS_MS = 3_600_000;

/** The room of tasks: what its operations and the worker of this process call. */
export class Tasks {
  readonly store: TaskStore;
  readonly room: BlobStore;
  readonly reader: TaskReader;
  readonly #parts: TasksDeps;
  #worker: TaskWorker | undefined;
  #sweeps: NodeJS.Timeout[] = [];

  constructor(parts: TasksDeps) {
    this.#parts = parts;
    this.room = parts.room;
    this.store = new TaskStore(parts.tables, parts.clock, parts.limits);
    this.reader = new TaskReader(this.store, parts.room);
  }

  /**
   * Takes a task. Its request and its row are durable when this returns.
   *
   * @param request The body as it was sent.
   * @throws UnavailableError when there is no room on the disk, or the database is away.
   */
  async submit(
    task: Omit<NewTask, "requestFile">,
    request: Uint8Array,
    idempotency?: Idempotency,
  ): Promise<"taken" | NotTaken> {
    const requestFile = `${task.id}.request`;
    try {
      await this.room.write(requestFile, [request]);
      const taken = await this.store.submit({ ...task, requestFile }, idempotency);
      if (taken === "taken") void this.#worker?.look();
      else await this.room.remove(requestFile);
      return taken;
    } catch (cause) {
      // Whether the row was written is not known: its file stays, for the row or for the sweep.
      throw new UnavailableError("Tasks cannot be accepted at the moment", 10, { cause });
    }
  }

  /** See `taskEvents`. */
  events(owner: string, id: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    return taskEvents(this.reader, owner, id, signal);
  }

  /** @returns The task as it is now; undefined where the owner has none of this id. */
  async cancel(owner: string, id: string): Promise<{ task: Task; cancelled: boolean } | undefined> {
    const found = await this.reader.find(owner, id);
    if (found?.task.status !== "PENDING") return found && { task: found.task, cancelled: false };
    const ended = await this.store.cancel(owner, id);
    if (ended?.cancelled) this.#worker?.stop(ended.task.id);
    return ended;
  }

  /** Removes an ended task and all that is kept of it. @returns false where the owner has no such task. */
  async remove(owner: string, id: string): Promise<boolean> {
    const found = await this.reader.find(owner, id);
    if (!found) return false;
    this.reader.forget(owner, id);
    const files = await this.store.remove(owner, id);
    await this.#removeFiles(files ?? []);
    return files !== undefined;
  }

  /**
   * Begins to work in this process, and to sweep.
   *
   * @param alone No other process works on this database: what is claimed was claimed by a killed one.
   */
  async work(
    run: RunTask,
    options: { slots: number; mostSeconds: number; alone: boolean },
  ): Promise<TaskWorker> {
    const { log } = this.#parts;
    if (options.alone) await this.store.releaseAll();
    const worker = new TaskWorker({ store: this.store, room: this.room, run, log, ...options });
    this.#worker = worker;
    worker.start();
    const often = (milliseconds: number, sweep: () => Promise<void>) => {
      const once = () =>
        sweep().catch((error: unknown) => log.warn({ err: error }, "a sweep of the tasks failed"));
      this.#sweeps.push(setInterval(() => void once(), milliseconds));
      void once();
    };
    often(SWEEP_MS, () => this.sweep());
    often(ORPHANS_MS, () => this.sweepOrphans());
    if (options.alone) often(ORPHANS_MS, () => this.store.tidy());
    return worker;
  }

  /** Removes what is due. */
  async sweep(): Promise<void> {
    await this.#removeFiles(await this.store.sweep());
  }

  /** Removes the files that killed processes left. */
  async sweepOrphans(): Promise<void> {
    let old: string[] = [];
    for await (const name of this.room.olderThan(this.#parts.clock.now() - ORPHAN_SECONDS)) {
      old.push(name);
      if (old.length === 1000) {
        await this.#removeFiles(await this.store.unnamed(old));
        old = [];
      }
    }
    if (old.length > 0) await this.#removeFiles(await this.store.unnamed(old));
  }

  async close(): Promise<void> {
    for (const sweep of this.#sweeps) clearInterval(sweep);
    await this.#worker?.close();
  }

  async #removeFiles(names: readonly string[]): Promise<void> {
    for (const name of names) await this.room.remove(name);
  }
}
