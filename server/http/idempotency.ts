import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Idempotency, MAX_KEY_CHARACTERS } from "#lib/contract/task.ts";
import type { ApiRequest, Reply } from "./api-request.ts";
import { acceptedReply, detailReply, HttpError, invalid, withHeaders } from "./reply.ts";

/** Answers given under an Idempotency-Key, stored for a day. */
export interface IdempotentAnswers {
  find(owner: string, key: string): Promise<StoredAnswer | undefined>;
  /** Throws where an answer of this owner could not be stored: it is not computed then. */
  ensureSpace(owner: string): Promise<void>;
  /** Stores an answer before it is sent. @returns What to send. */
  keep(
    owner: string,
    idempotency: Idempotency,
    taskId: string,
    answer: Pick<Reply, "headers" | "body">,
  ): Promise<Pick<Reply, "headers" | "body">>;
}

export interface StoredAnswer {
  hash: string;
  taskId: string;
  /** Absent where a task was created from the request. */
  answer?: Pick<Reply, "headers" | "body">;
}

/** @returns undefined where the request has no key. @throws HttpError for a key that is empty, too long or not visible ASCII. */
export async function idempotencyOf(request: ApiRequest, body: Uint8Array): Promise<Idempotency | undefined> {
  const key = request.header("idempotency-key");
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > MAX_KEY_CHARACTERS) {
    throw invalidKey(`Input should be 1 to ${MAX_KEY_CHARACTERS} visible ASCII characters without spaces`);
  }
  const hash = createHash("sha256").update(`${request.path}\n`);
  for (let from = 0; from < body.length; from += HASHED_BYTES) {
    // Other events of this thread come between the parts of a large body.
    if (from > 0) await nextTurn();
    hash.update(body.subarray(from, from + HASHED_BYTES));
  }
  return { key, hash: hash.digest("hex") };
}

/** Takes about two milliseconds to hash. */
const HASHED_BYTES = 2 * 1024 * 1024;

/** Keys whose first request is still being answered by this process. */
const inFlight = new Set<string>();

/**
 * Answers a request once for each Idempotency-Key of an owner: the same body again gets the same answer, another body
 * 422, and 409 while the first request is being answered. Only replies with status 200 are stored.
 */
export async function answerOnce(
  answers: IdempotentAnswers,
  owner: string,
  taskId: string,
  idempotency: Idempotency,
  handle: () => Promise<Reply>,
): Promise<Reply> {
  const entry = `${owner}\0${idempotency.key}`;
  if (inFlight.has(entry)) throw new HttpError(stillBeingAnswered());
  inFlight.add(entry);
  try {
    const known = await answers.find(owner, idempotency.key);
    if (known) return replay(known, idempotency);
    await answers.ensureSpace(owner);
    const reply = await handle();
    if (reply.status !== 200) return reply;
    return { ...reply, ...(await answers.keep(owner, idempotency, taskId, reply)) };
  } finally {
    inFlight.delete(entry);
  }
}

export function stillBeingAnswered(): Reply {
  return detailReply(409, "A request with this Idempotency-Key is still being answered", {
    "retry-after": "1",
  });
}

function replay(known: StoredAnswer, { hash }: Idempotency): Reply {
  if (known.hash !== hash) {
    throw invalidKey("Value error, this key was used for another request");
  }
  const reply = known.answer ? { status: 200, ...known.answer } : acceptedReply(known.taskId);
  return withHeaders(reply, { "idempotent-replayed": "true" });
}

function invalidKey(msg: string): HttpError {
  return invalid({ type: "value_error", loc: ["header", "Idempotency-Key"], msg });
}
