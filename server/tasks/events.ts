import { monotonicMs } from "#server/platform/clock.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { Poller } from "#server/platform/poller.ts";
import type { Listener, NotificationHandler } from "#server/platform/session.ts";
import { listedForm, type Task, type TaskLog, type TaskTables } from "./task.ts";

/** Most open streams per key, and in all. */
export const streamLimits = { ofKey: 16, all: 1_000 } as const;

/** Interval between reads of the watched tasks, milliseconds. A notification of the database causes an earlier read. */
const TICK_MS = 1_000;

/** Notifications within this time share one read, milliseconds. */
const WAKE_MS = 100;

/** Time without an event after which a comment shows that the connection is open, milliseconds. */
const KEEP_ALIVE_MS = 15_000;

/** Retry-After of a refused caller, seconds. */
const RETRY_S = 10;

/** Number of streams that are written before the event loop continues with other work. */
const STREAMS_PER_TURN = 100;

/** After a drain clients reconnect at random times within these bounds, milliseconds. */
const MIN_RECONNECT_MS = 1_000;
const MAX_RECONNECT_MS = 5_000;

export interface TaskEventsDeps {
  tables: Pick<TaskTables, "task" | "$queryRaw">;
  /** 1 for the next task to run; null for a task that is not waiting. */
  position(task: Task): Promise<number | null>;
  /** Listens for the ids of changed tasks. */
  listen(handler: NotificationHandler): Listener;
  /** Returns those ids whose keys are no longer accepted. */
  invalidKeys(ids: string[]): Promise<string[]>;
  log: TaskLog;
  /** Milliseconds of a clock that is never set back. */
  elapsed?: () => number;
}

/**
 * Sends the progress of tasks as server-sent events: `progress` whenever a task changed, and `end` at last. Each
 * carries the task as in lists.
 *
 * All streams of the process share one query for changed rows, each second and soon after a notification of the
 * database, and one for their content.
 */
export class TaskEvents {
  readonly #deps: TaskEventsDeps;
  readonly #elapsed: () => number;
  readonly #streams = new Set<EventStream>();
  /** Runs one read after another, so that an older state is never sent after a newer one. */
  readonly #reading: Poller;
  #timer: NodeJS.Timeout | undefined;
  #wake: NodeJS.Timeout | undefined;
  #listener: Listener | undefined;
  /** Keys are checked once a tick, so that the streams of a revoked one end within 5 s. */
  #areKeysDue = false;
  #fails = false;
  #closing = false;

  constructor(deps: TaskEventsDeps) {
    this.#deps = deps;
    this.#elapsed = deps.elapsed ?? monotonicMs;
    this.#reading = new Poller({
      everyMs: TICK_MS,
      work: () => this.#read(),
      onError: (err) => {
        // Streams stay open during an outage of the database.
        if (!this.#fails) deps.log.warn({ err }, "followed tasks cannot be read");
        this.#fails = true;
      },
    });
  }

  get open(): number {
    return this.#streams.size;
  }

  /**
   * Opens a stream.
   *
   * @param signal Aborts when the client left.
   * @throws UnavailableError when too many are open, or the server closes.
   */
  follow(key: string, task: Task, signal: AbortSignal): EventStream | "key is full" {
    if (this.#closing) throw new UnavailableError("The server is about to restart", RETRY_S);
    const ofKey = [...this.#streams].filter((stream) => stream.key === key).length;
    if (ofKey >= streamLimits.ofKey) return "key is full";
    if (this.open >= streamLimits.all) throw new UnavailableError("Too many event streams are open", RETRY_S);
    const stream = new EventStream(key, task, this.#elapsed(), () => this.#streams.delete(stream));
    this.#streams.add(stream);
    if (signal.aborted) stream.cut();
    else signal.addEventListener("abort", () => stream.cut(), { once: true });
    // An ended task has its last event without a query.
    if (task.status !== "PENDING") stream.publish(null, this.#elapsed());
    this.#start();
    void this.#reading.poll();
    return stream;
  }

  /** Called once a second. */
  async tick(): Promise<void> {
    if (this.open === 0) return this.#stop();
    const now = this.#elapsed();
    for (const stream of [...this.#streams]) {
      if (stream.isTooSlow(now)) stream.cut();
      else if (stream.quietMs(now) >= KEEP_ALIVE_MS) stream.send(COMMENT, now);
    }
    this.#areKeysDue = true;
    await this.#reading.poll();
  }

  /** Tells every client to reconnect soon, ends the streams, and refuses new ones. */
  drain(): void {
    this.#closing = true;
    const now = this.#elapsed();
    for (const stream of [...this.#streams]) stream.end(now, retryField());
  }

  async close(): Promise<void> {
    this.drain();
    await this.#stop();
    await this.#reading.close();
  }

  #start(): void {
    this.#timer ??= setInterval(() => void this.tick(), TICK_MS);
    this.#listener ??= this.#deps.listen({
      notified: (id) => {
        if (this.#wake || !this.#isWatched(id)) return;
        this.#wake = setTimeout(() => {
          this.#wake = undefined;
          void this.#reading.poll();
        }, WAKE_MS);
      },
      connected: () => void this.#reading.poll(),
    });
  }

  #isWatched(id: string): boolean {
    for (const { task } of this.#streams) if (task.id === id) return true;
    return false;
  }

  async #stop(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#wake);
    const listener = this.#listener;
    this.#timer = undefined;
    this.#wake = undefined;
    this.#listener = undefined;
    await listener?.close();
  }

  /** Ends the streams of keys that are no longer accepted, and sends changes, including positions in the queue. */
  async #read(): Promise<void> {
    const { tables, position, invalidKeys } = this.#deps;
    if (this.open === 0) return;
    if (this.#areKeysDue) {
      this.#areKeysDue = false;
      const invalid = new Set(await invalidKeys([...new Set([...this.#streams].map(({ key }) => key))]));
      for (const stream of [...this.#streams]) if (invalid.has(stream.key)) stream.cut();
    }
    const streams = [...this.#streams];
    const rows = await tables.$queryRaw<{ id: string; version: string | null }[]>`
      SELECT DISTINCT watched.id::text AS id, task.xmin::text AS version
      FROM unnest(${streams.map(({ task }) => task.id)}::uuid[], ${streams.map(({ version }) => version)}::text[])
        AS watched (id, version)
      LEFT JOIN task ON task.id = watched.id
      WHERE task.xmin::text IS DISTINCT FROM watched.version`;
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    const found =
      rows.length > 0 ? await tables.task.findMany({ where: { id: { in: [...versions.keys()] } } }) : [];
    const tasks = new Map(found.map((task) => [task.id, task as Task]));
    for (const [index, stream] of streams.entries()) {
      if (index % STREAMS_PER_TURN === STREAMS_PER_TURN - 1) await nextTurn();
      const version = versions.get(stream.task.id);
      if (version !== undefined) {
        const task = tasks.get(stream.task.id);
        // The task was deleted meanwhile.
        if (!task) stream.end(this.#elapsed());
        else Object.assign(stream, { task, version });
      }
      stream.publish(await position(stream.task), this.#elapsed());
    }
    this.#fails = false;
  }
}

const COMMENT = Buffer.from(": still here\n\n");

function retryField(): Uint8Array {
  const ms = MIN_RECONNECT_MS + Math.random() * (MAX_RECONNECT_MS - MIN_RECONNECT_MS);
  return Buffer.from(`retry: ${Math.round(ms)}\n\n`);
}

/** A reader that leaves an event waiting for longer than this is disconnected, milliseconds. */
const MAX_UNREAD_MS = 30_000;

/**
 * One open stream of server-sent events. It buffers at most one event, and a newer event replaces one that the reader
 * has not taken. A slow reader misses steps in between, but never the last one.
 */
export class EventStream implements AsyncIterableIterator<Uint8Array, undefined, undefined> {
  readonly key: string;
  /** The task as last read, with PostgreSQL's version of its row. */
  task: Task;
  version = "";
  readonly #cut = new AbortController();
  readonly #onClose: () => void;
  /** Data of the last event. */
  #published = "";
  #unread: { bytes: Uint8Array; since: number } | undefined;
  #reader: ((result: IteratorResult<Uint8Array, undefined>) => void) | undefined;
  #sentAt: number;
  #ended = false;

  /** @param onClose Called when the last event was taken or the reader left. */
  constructor(key: string, task: Task, now: number, onClose: () => void) {
    this.key = key;
    this.task = task;
    this.#sentAt = now;
    this.#onClose = onClose;
  }

  /** Aborts to disconnect the reader in the middle of the reply. */
  get signal(): AbortSignal {
    return this.#cut.signal;
  }

  /** Time since something was sent, milliseconds. */
  quietMs(now: number): number {
    return this.#unread ? 0 : now - this.#sentAt;
  }

  isTooSlow(now: number): boolean {
    return this.#unread !== undefined && now - this.#unread.since > MAX_UNREAD_MS;
  }

  /** Sends the task, unless the last event had the same content. @param position Position in the queue. */
  publish(position: number | null, now: number): void {
    const data = JSON.stringify(listedForm(this.task, position));
    if (data === this.#published) return;
    this.#published = data;
    const isPending = this.task.status === "PENDING";
    const bytes = Buffer.from(`event: ${isPending ? "progress" : "end"}\ndata: ${data}\n\n`);
    if (isPending) this.send(bytes, now);
    else this.end(now, bytes);
  }

  send(bytes: Uint8Array, now: number): void {
    if (this.#ended) return;
    this.#sentAt = now;
    const reader = this.#reader;
    if (!reader) {
      this.#unread = { bytes, since: this.#unread?.since ?? now };
      return;
    }
    this.#reader = undefined;
    reader({ done: false, value: bytes });
  }

  /** @param last Event to send before the end. */
  end(now: number, last?: Uint8Array): void {
    if (last) this.send(last, now);
    this.#ended = true;
    if (this.#reader) this.#close();
  }

  /** Ends the stream and drops an unread event. */
  cut(): void {
    this.#unread = undefined;
    if (!this.#reader) this.#cut.abort();
    this.#close();
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#unread) {
      const { bytes } = this.#unread;
      this.#unread = undefined;
      return Promise.resolve({ done: false, value: bytes });
    }
    if (this.#ended) return this.return();
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#close();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #close(): void {
    this.#ended = true;
    this.#unread = undefined;
    this.#reader?.({ done: true, value: undefined });
    this.#reader = undefined;
    this.#onClose();
  }
}
