import { createHash } from "node:crypto";
import { type Idempotency, MAX_KEY_CHARACTERS } from "#lib/contract/task.ts";
import { detailReply, HttpError, invalidReply, jsonReply } from "./errors.ts";
import type { ApiRequest, Reply } from "./exchange.ts";

/** Answers that were given under an Idempotency-Key, for a day. */
export interface IdempotentAnswers {
  find(owner: string, key: string): Promise<StoredAnswer | undefined>;
  /** Keeps an answer before it is sent. @returns What to send. */
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
  /** Absent where a task was made of the request. */
  answer?: Pick<Reply, "headers" | "body">;
}

/** @returns undefined where the request has none. @throws Refusal for a key that is empty, too long or no visible ASCII. */
export function idempotencyOf(request: ApiRequest, body: Uint8Array): Idempotency | undefined {
  const key = request.header("idempotency-key");
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > MAX_KEY_CHARACTERS) {
    throw new HttpError(
      wrongKey(`Input should be 1 to ${MAX_KEY_CHARACTERS} visible ASCII characters without spaces`),
    );
  }
  return { key, hash: createHash("sha256").update(`${request.path}\n`).update(body).digest("hex") };
}

/** Keys whose first request is still open in this process. */
const open = new Set<string>();

/**
 * Answers a request once for each Idempotency-Key of an owner: the same body again gets the same answer, another body
 * 422, and 409 while the first request is open. An answer that is a refusal or an outage of ours is not kept.
 */
export async function answerOnce(
  kept: IdempotentAnswers,
  owner: string,
  taskId: string,
  idempotency: Idempotency,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  const slot = `${owner}\0${idempotency.key}`;
  if (open.has(slot)) throw new HttpError(stillOpen());
  open.add(slot);
  try {
    const known = await kept.find(owner, idempotency.key);
    if (known) return replay(known, idempotency);
    const reply = await answer();
    if (reply.status !== 200) return reply;
    return { ...reply, ...(await kept.keep(owner, idempotency, taskId, reply)) };
  } finally {
    open.delete(slot);
  }
}

/** 202: a task was made of the request. */
export function acceptedReply(taskId: string, headers: Record<string, string> = {}): Reply {
  return jsonReply(
    202,
    { task_id: taskId, status: "PENDING" },
    { location: `/task/${taskId}`, "retry-after": "1", "cache-control": "no-store", ...headers },
  );
}

export function stillOpen(): Reply {
  return detailReply(409, "A request with this Idempotency-Key is still being answered", {
    "retry-after": "1",
  });
}

function replay(known: StoredAnswer, { hash }: Idempotency): Reply {
  if (known.hash !== hash) {
    throw new HttpError(wrongKey("Value error, this key was used for another request"));
  }
  const reply = known.answer ? { status: 200, ...known.answer } : acceptedReply(known.taskId);
  return { ...reply, headers: { ...reply.headers, "idempotent-replayed": "true" } };
}

function wrongKey(msg: string): Reply {
  return invalidReply([{ type: "value_error", loc: ["header", "Idempotency-Key"], msg }]);
}
