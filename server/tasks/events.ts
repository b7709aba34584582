import { monotonicMs } from "#server/platform/clock.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import type { Listener, NotificationHandler } from "#server/platform/session.ts";
import { listedForm, type Task, type TaskLog, type TaskTables } from "./task.ts";

/** Open streams: of one key, and of all. */
export const streamLimits = { ofKey: 16, all: 1_000 } as const;

/** How often the watched tasks are read. A notification of the database makes it sooner. */
const TICK_MS = 1_000;

/** Notifications of this time are answered together. */
const WAKE_MS = 50;

/** Time without an event after which a comment shows that the connection is alive. */
const KEEP_ALIVE_MS = 15_000;

/** Keys are checked with every second reading, so that a revoked one ends its streams well within 5 s. */
const TICKS_PER_KEY_CHECK = 2;

/** Ticks without a stream after which nothing is read or listened to any more. */
const IDLE_TICKS = 30;

/** Tasks that are read, or streams that are written, before other requests have their turn. */
const BATCH = 25;

/** Seconds before a refused caller should try again. */
const RETRY_S = 10;

/** After a drain clients come back within this time, spread out. Milliseconds. */
const MIN_RECONNECT_MS = 1_000;
const MAX_RECONNECT_MS = 5_000;

export interface TaskEventsDeps {
  tables: Pick<TaskTables, "task" | "$queryRaw">;
  /** 1 for the next to run; null for a task that is not waiting. */
  position(task: Task): Promise<number | null>;
  /** Listens for the ids of tasks that change. */
  listen(handler: NotificationHandler): Listener;
  /** Those of the keys, by id, that are no longer accepted. */
  invalidKeys(ids: string[]): Promise<string[]>;
  log: TaskLog;
  /** Milliseconds of a clock that is never set back. */
  elapsed?: () => number;
}

/** A task with the streams that follow it. */
interface WatchedTask {
  task: Task;
  /** Of its row, as PostgreSQL counts them; unknown at first. */
  version: string;
  /** What the last event was made from, and its data. */
  published: { task: Task; position: number | null; data: string } | undefined;
  streams: Map<EventStream, string>;
}

/**
 * Progress of tasks as server-sent events: `progress` whenever a task changed, and `end` as the last one. Each carries the
 * task as lists show it.
 *
 * All streams of the process share one timer and one query a second. The database tells by NOTIFY which tasks changed;
 * the query finds what no notification told, and changed positions in the queue.
 */
export class TaskEvents {
  readonly #deps: TaskEventsDeps;
  readonly #elapsed: () => number;
  readonly #watched = new Map<string, WatchedTask>();
  /** Open streams of each key. */
  readonly #ofKey = new Map<string, number>();
  readonly #notified = new Set<string>();
  #open = 0;
  #timer: NodeJS.Timeout | undefined;
  #wake: NodeJS.Timeout | undefined;
  #listener: Listener | undefined;
  #ticks = 0;
  #idleTicks = 0;
  #ticking = false;
  #reading: Promise<void> = Promise.resolve();
  #fails = false;
  #closing = false;

  constructor(deps: TaskEventsDeps) {
    this.#deps = deps;
    this.#elapsed = deps.elapsed ?? monotonicMs;
  }

  /** How many streams are open. */
  get open(): number {
    return this.#open;
  }

  /**
   * Opens a stream.
   *
   * @param signal Aborts when the client left.
   * @throws UnavailableError when too many are open, or the server closes.
   */
  follow(key: string, task: Task, signal: AbortSignal): EventStream | "key is full" {
    if (this.#closing) throw new UnavailableError("The server is about to restart", RETRY_S);
    const ofKey = this.#ofKey.get(key) ?? 0;
    if (ofKey >= streamLimits.ofKey) return "key is full";
    if (this.#open >= streamLimits.all)
      throw new UnavailableError("Too many event streams are open", RETRY_S);
    const { id } = task;
    const watched = this.#watched.get(id) ?? watch(task);
    const stream = new EventStream(this.#elapsed(), () => {
      if (!watched.streams.delete(stream)) return;
      if (watched.streams.size === 0 && this.#watched.get(id) === watched) this.#watched.delete(id);
      const left = this.#ofKey.get(key)! - 1;
      if (left > 0) this.#ofKey.set(key, left);
      else this.#ofKey.delete(key);
      this.#open--;
    });
    watched.streams.set(stream, key);
    this.#watched.set(id, watched);
    this.#ofKey.set(key, ofKey + 1);
    this.#open++;
    if (signal.aborted) stream.cut();
    else signal.addEventListener("abort", () => stream.cut(), { once: true });
    this.#start();
    void this.#exclusively(async () => {
      if (!(await this.#publish(watched))) this.#sendTo(watched, [stream]);
    });
    return stream;
  }

  /** One reading of everything watched; called once a second. */
  async tick(): Promise<void> {
    if (this.#open === 0 && ++this.#idleTicks >= IDLE_TICKS) return this.#stop();
    if (this.#open > 0) this.#idleTicks = 0;
    await this.#keepAlive();
    // The one before may still wait for the database.
    if (this.#ticking || this.#open === 0) return;
    this.#ticking = true;
    const checksKeys = ++this.#ticks % TICKS_PER_KEY_CHECK === 0;
    try {
      await this.#exclusively(async () => {
        if (checksKeys) await this.#endInvalid();
        await this.#read([...this.#watched.keys()]);
      });
    } finally {
      this.#ticking = false;
    }
  }

  /** Tells every client to come back soon, ends the streams, and refuses new ones. */
  drain(): void {
    this.#closing = true;
    const now = this.#elapsed();
    for (const { streams } of this.#watched.values()) {
      for (const stream of streams.keys()) stream.end(now, retryField());
    }
  }

  async close(): Promise<void> {
    this.drain();
    await this.#stop();
    await this.#reading;
  }

  #start(): void {
    this.#timer ??= setInterval(() => void this.tick(), TICK_MS);
    this.#listener ??= this.#deps.listen({
      notified: (id) => this.#notify(id),
      connected: () => void this.#exclusively(() => this.#read([...this.#watched.keys()])),
    });
  }

  async #stop(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#wake);
    const listener = this.#listener;
    this.#timer = undefined;
    this.#wake = undefined;
    this.#listener = undefined;
    this.#idleTicks = 0;
    await listener?.close();
  }

  #notify(id: string): void {
    if (!this.#watched.has(id)) return;
    this.#notified.add(id);
    this.#wake ??= setTimeout(() => {
      this.#wake = undefined;
      const ids = [...this.#notified];
      this.#notified.clear();
      void this.#exclusively(() => this.#read(ids));
    }, WAKE_MS);
  }

  /** Runs one reading after the other, so that an older one is never sent after a newer one. Never rejects. */
  #exclusively(read: () => Promise<void>): Promise<void> {
    this.#reading = this.#reading.then(read).then(
      () => {
        this.#fails = false;
      },
      (error: unknown) => {
        // Streams outlive an outage of the database.
        if (!this.#fails) this.#deps.log.warn({ err: error }, "followed tasks cannot be read");
        this.#fails = true;
      },
    );
    return this.#reading;
  }

  /** Comments for quiet streams; readers that take nothing are disconnected. */
  async #keepAlive(): Promise<void> {
    const now = this.#elapsed();
    let sent = 0;
    for (const { streams } of [...this.#watched.values()]) {
      for (const stream of [...streams.keys()]) {
        if (stream.isTooSlow(now)) stream.cut();
        if (stream.quietMs(now) < KEEP_ALIVE_MS) continue;
        stream.send(COMMENT, now);
        if (++sent % BATCH === 0) await nextTurn();
      }
    }
  }

  async #endInvalid(): Promise<void> {
    if (this.#open === 0) return;
    const invalid = new Set(await this.#deps.invalidKeys([...this.#ofKey.keys()]));
    if (invalid.size === 0) return;
    for (const { streams } of [...this.#watched.values()]) {
      for (const [stream, key] of [...streams]) if (invalid.has(key)) stream.cut();
    }
  }

  /** Reads those tasks that changed, and sends what differs, positions in the queue included. */
  async #read(ids: readonly string[]): Promise<void> {
    const watched = ids.map((id) => this.#watched.get(id)).filter((each) => each !== undefined);
    if (watched.length === 0) return;
    const rows = await this.#deps.tables.$queryRaw<{ id: string; version: string | null }[]>`
      SELECT watched.id::text AS id, task.xmin::text AS version
      FROM unnest(${watched.map(({ task }) => task.id)}::uuid[], ${watched.map(({ version }) => version)}::text[])
        AS watched (id, version)
      LEFT JOIN task ON task.id = watched.id
      WHERE task.xmin::text IS DISTINCT FROM watched.version`;
    for (let start = 0; start < rows.length; start += BATCH) {
      await this.#reload(rows.slice(start, start + BATCH));
      await nextTurn();
    }
    let sent = 0;
    for (const each of watched) {
      if (await this.#publish(each)) sent += each.streams.size;
      if (sent < BATCH) continue;
      sent = 0;
      await nextTurn();
    }
  }

  async #reload(changed: readonly { id: string; version: string | null }[]): Promise<void> {
    const found = await this.#deps.tables.task.findMany({
      where: { id: { in: changed.map(({ id }) => id) } },
    });
    const tasks = new Map(found.map((task) => [task.id, task as Task]));
    for (const { id, version } of changed) {
      const watched = this.#watched.get(id);
      const task = tasks.get(id);
      if (!watched) continue;
      if (task) Object.assign(watched, { task, version: version ?? "" });
      // Deleted in the meantime.
      else for (const stream of [...watched.streams.keys()]) stream.end(this.#elapsed());
    }
  }

  /** @returns Whether there was something to send. */
  async #publish(watched: WatchedTask): Promise<boolean> {
    const { task, published } = watched;
    const position = await this.#deps.position(task);
    if (published?.task === task && published.position === position) return false;
    const data = JSON.stringify(listedForm(task, position));
    watched.published = { task, position, data };
    if (published?.data === data) return false;
    this.#sendTo(watched, [...watched.streams.keys()]);
    return true;
  }

  #sendTo({ published }: WatchedTask, streams: readonly EventStream[]): void {
    if (!published) return;
    const isPending = published.task.status === "PENDING";
    const bytes = Buffer.from(`event: ${isPending ? "progress" : "end"}\ndata: ${published.data}\n\n`);
    const now = this.#elapsed();
    for (const stream of streams) {
      if (isPending) stream.send(bytes, now);
      else stream.end(now, bytes);
    }
  }
}

const COMMENT = Buffer.from(": still here\n\n");

function watch(task: Task): WatchedTask {
  return { task, version: "", published: undefined, streams: new Map() };
}

function retryField(): Uint8Array {
  const ms = MIN_RECONNECT_MS + Math.random() * (MAX_RECONNECT_MS - MIN_RECONNECT_MS);
  return Buffer.from(`retry: ${Math.round(ms)}\n\n`);
}

/** How long a reader may leave an event waiting, milliseconds; then it is disconnected. */
const MAX_UNREAD_MS = 30_000;

/**
 * One open stream of server-sent events. It holds at most one event: a newer one replaces one that the reader has not
 * taken, so that a slow reader misses steps in between, never the last.
 */
export class EventStream implements AsyncIterableIterator<Uint8Array, undefined, undefined> {
  readonly #cut = new AbortController();
  readonly #onClose: () => void;
  #unread: { bytes: Uint8Array; since: number } | undefined;
  #reader: ((result: IteratorResult<Uint8Array, undefined>) => void) | undefined;
  #sentAt: number;
  #ended = false;

  /** @param onClose Called when the last event was taken or nobody reads any more. */
  constructor(now: number, onClose: () => void) {
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

  /** @param last Sent before the end. */
  end(now: number, last?: Uint8Array): void {
    if (last) this.send(last, now);
    this.#ended = true;
    if (this.#reader) this.#close();
  }

  /** Ends the stream without anything that is still unread. */
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
