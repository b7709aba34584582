import { gunzipSync } from "node:zlib";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import type { TaskStore } from "./store.ts";
import type { Task } from "./task.ts";

/** A task that has ended, with its result where that is small. */
export interface EndedTask {
  task: Task;
  /** The result's file, as it is and unpacked. */
  result?: { packed: Buffer; plain: Buffer };
}

/** How long an ended task is remembered: another process may delete it. Milliseconds. */
const REMEMBER_MS = 2_000;

/** Results up to here are kept in memory, bytes compressed; larger ones are read from the room each time. */
const SMALL_BYTES = 8 * 1024;

const MAX_REMEMBERED = 500;

/** Queue positions are looked up for everybody at once. */
const POSITIONS_MS = 1_000;

/**
 * Reads tasks for their owners. Remembers a task by owner and id together: asking for another's costs the same query as
 * asking for one that never was.
 */
export class TaskReader {
  readonly #store: TaskStore;
  readonly #room: BlobStore;
  readonly #ended = new Map<string, { ended: EndedTask; until: number }>();
  #positions: { at: number; reading: Promise<Map<string, number>> } | undefined;

  constructor(store: TaskStore, room: BlobStore) {
    this.#store = store;
    this.#room = room;
  }

  /** @returns undefined where the owner has no such task; a malformed id is one that nobody has. */
  async find(owner: string, id: string): Promise<EndedTask | undefined> {
    const key = `${owner}\0${id.toLowerCase()}`;
    const known = this.#ended.get(key);
    if (known && known.until > monotonicMs()) return known.ended;
    this.#ended.delete(key);
    if (!UUID.test(id)) return undefined;
    const task = await this.#store.find(owner, id);
    if (!task || task.status === "PENDING") return task && { task };
    const ended: EndedTask = { task };
    if (task.resultFile !== null && (task.resultBytes ?? 0) <= SMALL_BYTES) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of this.#room.read(task.resultFile, task.resultHash ?? undefined))
        chunks.push(chunk);
      const packed = Buffer.concat(chunks);
      ended.result = { packed, plain: gunzipSync(packed) };
    }
    if (this.#ended.size >= MAX_REMEMBERED) this.#ended.delete(this.#ended.keys().next().value!);
    this.#ended.set(key, { ended, until: monotonicMs() + REMEMBER_MS });
    return ended;
  }

  /** The row was removed or changed here. */
  forget(owner: string, id: string): void {
    this.#ended.delete(`${owner}\0${id.toLowerCase()}`);
  }

  /** 1 is the next to run; null for one that does not wait. At most a second old. */
  async position(task: Task): Promise<number | null> {
    if (task.status !== "PENDING") return null;
    const now = monotonicMs();
    if (!this.#positions || now - this.#positions.at > POSITIONS_MS) {
      const reading = this.#store
        .waiting()
        .then((rows) => new Map(rows.map(({ id }, index) => [id, index + 1])));
      this.#positions = { at: now, reading };
      reading.catch(() => {
        this.#positions = undefined;
      });
    }
    return (await this.#positions.reading).get(task.id) ?? null;
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
