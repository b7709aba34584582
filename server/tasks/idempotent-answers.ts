import type { Idempotency } from "#lib/contract/task.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { type Clock, dateAfter } from "#server/platform/clock.ts";
import { gunzipped, putGzip } from "./gzip-blobs.ts";
import type { Storage } from "./storage.ts";
import { KEY_SECONDS } from "./store.ts";
import type { TaskTables } from "./task.ts";

/** An answer as it was sent. */
export interface Answer {
  headers: Record<string, string>;
  body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
}

/**
 * What the Idempotency-Keys of owners stand for: tasks (`TaskStore.submit` adds their keys), and answers that were sent at
 * once. The blob of an answer holds a line of headers, then the body.
 */
export class IdempotentAnswers {
  readonly #table: TaskTables["idempotencyKey"];
  readonly #clock: Clock;
  readonly #blobs: BlobStore;
  readonly #storage: Pick<Storage, "ensureSpace"> | undefined;

  constructor(
    tables: Pick<TaskTables, "idempotencyKey">,
    clock: Clock,
    blobs: BlobStore,
    storage?: Pick<Storage, "ensureSpace">,
  ) {
    this.#table = tables.idempotencyKey;
    this.#clock = clock;
    this.#blobs = blobs;
    this.#storage = storage;
  }

  /** @throws QuotaError, NoSpaceError where an answer of this owner could not be kept. */
  async ensureSpace(owner: string): Promise<void> {
    await this.#storage?.ensureSpace(owner);
  }

  async find(owner: string, key: string) {
    const row = await this.#table.findUnique({ where: { owner_key: { owner, key } } });
    if (!row || row.createdAt <= dateAfter(this.#clock, -KEY_SECONDS)) return undefined;
    const { hash, taskId, answerFile } = row;
    return { hash, taskId, answer: answerFile === null ? undefined : await this.#read(answerFile) };
  }

  /** @returns The answer to send: where another request was faster, the answer of that one. */
  async keep(owner: string, idempotency: Idempotency, taskId: string, answer: Answer): Promise<Answer> {
    const file = `${taskId}.answer`;
    await putGzip(this.#blobs, file, serialised(answer));
    if (await this.#add(owner, idempotency, taskId, file)) return this.#read(file);
    await this.#blobs.delete(file);
    const first = await this.find(owner, idempotency.key);
    return first?.answer ?? answer;
  }

  /** @returns false where another request took the key first. */
  async #add(
    owner: string,
    { key, hash }: Idempotency,
    taskId: string,
    answerFile: string,
  ): Promise<boolean> {
    const data = { hash, taskId, answerFile, createdAt: dateAfter(this.#clock) };
    const added = await this.#table.createMany({ data: { owner, key, ...data }, skipDuplicates: true });
    if (added.count === 1) return true;
    const expired = { owner, key, createdAt: { lte: dateAfter(this.#clock, -KEY_SECONDS) } };
    return (await this.#table.updateMany({ where: expired, data })).count === 1;
  }

  async #read(file: string): Promise<Answer> {
    const chunks = gunzipped(this.#blobs.read(file));
    let start = Buffer.alloc(0);
    while (!start.includes(NEW_LINE)) {
      const { value, done } = await chunks.next();
      if (done) throw new Error(`${file} has no headers`);
      start = Buffer.concat([start, value]);
    }
    const end = start.indexOf(NEW_LINE);
    const headers = JSON.parse(start.subarray(0, end).toString()) as Record<string, string>;
    const body = async function* () {
      yield start.subarray(end + 1);
      yield* chunks;
    };
    return { headers, body: body() };
  }
}

const NEW_LINE = 10;

async function* serialised({ headers, body }: Answer): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(headers)}\n`);
  if (typeof body === "string") yield Buffer.from(body);
  else if (body instanceof Uint8Array) yield body;
  else if (body !== null) yield* body;
}
