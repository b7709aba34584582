import type { Idempotency } from "#lib/contract/task.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import type { TaskStore } from "./store.ts";
import { unpacked } from "./unpacked.ts";

/** An answer as it was sent. */
export interface Answer {
  headers: Record<string, string>;
  body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
}

/** Answers to requests with an Idempotency-Key, in the room of the tasks: a line of headers, then the body. */
export class IdempotentAnswers {
  readonly #store: TaskStore;
  readonly #room: BlobStore;

  constructor(store: TaskStore, room: BlobStore) {
    this.#store = store;
    this.#room = room;
  }

  async find(owner: string, key: string) {
    const row = await this.#store.known(owner, key);
    if (!row) return undefined;
    const { hash, taskId, answerFile } = row;
    return { hash, taskId, answer: answerFile === null ? undefined : await this.#read(answerFile) };
  }

  /** @returns The answer to send: where another request was faster, that one's. */
  async keep(owner: string, idempotency: Idempotency, taskId: string, answer: Answer): Promise<Answer> {
    const file = `${taskId}.answer`;
    await this.#room.write(file, lines(answer));
    if (await this.#store.remember(owner, idempotency, taskId, file)) return this.#read(file);
    await this.#room.remove(file);
    const first = await this.find(owner, idempotency.key);
    return first?.answer ?? answer;
  }

  async #read(file: string): Promise<Answer> {
    const chunks = unpacked(this.#room.read(file));
    let begun = Buffer.alloc(0);
    while (!begun.includes(NEW_LINE)) {
      const { value, done } = await chunks.next();
      if (done) throw new Error(`${file} has no headers`);
      begun = Buffer.concat([begun, value]);
    }
    const end = begun.indexOf(NEW_LINE);
    const headers = JSON.parse(begun.subarray(0, end).toString()) as Record<string, string>;
    const body = async function* () {
      yield begun.subarray(end + 1);
      yield* chunks;
    };
    return { headers, body: body() };
  }
}

const NEW_LINE = 10;

async function* lines({ headers, body }: Answer): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(headers)}\n`);
  if (typeof body === "string") yield Buffer.from(body);
  else if (body instanceof Uint8Array) yield body;
  else if (body !== null) yield* body;
}
