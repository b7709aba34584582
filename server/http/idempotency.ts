import { createHash } from "node:crypto";
import { type Idempotency, MAX_KEY_CHARACTERS } from "#lib/contract/task.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import type { ApiRequest, Reply, RequestLog } from "./api-request.ts";
import { acceptedReply, detailReply, dropBody, HttpError, invalid, withHeaders } from "./reply.ts";

/** The part of a reply that is stored and sent again. */
export type Answer = Pick<Reply, "headers" | "body" | "provenance" | "asSent">;

/** Answers given under an Idempotency-Key, stored for a day. */
export interface IdempotentAnswers {
  find(owner: string, key: string): Promise<StoredAnswer | undefined>;
  /** @throws QuotaError if the owner's storage is used up, so that its answers could not be repeated. */
  ensureQuota(owner: string): Promise<void>;
  /**
   * Stores an answer before it is sent.
   *
   * @param answer The answer in its stored form, JSON. A body that is a stream is read.
   * @returns Whether the answer now belongs to the key; false if another request was faster.
   */
  keep(owner: string, idempotency: Idempotency, taskId: string, answer: Answer): Promise<boolean>;
}

export interface StoredAnswer {
  hash: string;
  taskId: string;
  /**
   * Returns the answer in the format that a request accepts; undefined if the answer is gone and its key is free. No
   * file is open before the body is read. Absent if a task was created from the request.
   */
  answerTo?(request: ApiRequest): Promise<Answer | undefined>;
}

/** @throws HttpError for a key that is empty, too long or not visible ASCII. */
export async function idempotencyOf(request: ApiRequest, body: Uint8Array): Promise<Idempotency> {
  const key = request.header("idempotency-key") ?? "";
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

/** Number of bytes hashed at once, which takes about two milliseconds. */
const HASHED_BYTES = 2 * 1024 * 1024;

/** Keys whose first request is still being answered by this process, with what was stored for them before. */
const inFlight = new Map<string, Promise<StoredAnswer | undefined>>();

interface OnceDeps {
  answers: IdempotentAnswers;
  owner: string;
  taskId: string;
  idempotency: Idempotency;
  request: ApiRequest;
  log: RequestLog;
}

/**
 * Answers a request once for each Idempotency-Key of an owner: the same body again gets the same answer in the format
 * that it accepts, another body 422, and 409 while the first request is being answered.
 *
 * Only a final answer is stored: status 200, and not `transient`. Until it is stored the key is free, even if the
 * process dies. If the owner's quota is used up, nothing is computed and the reply is 507. An answer that cannot be
 * stored (the disk is full) is sent, and says so in a header.
 */
export async function answerOnce(deps: OnceDeps, handle: () => Promise<Reply>): Promise<Reply> {
  const { answers, owner, idempotency } = deps;
  const entry = `${owner}\0${idempotency.key}`;
  const first = inFlight.get(entry);
  if (first) {
    const replayed = await replay(await first, deps);
    if (replayed) return replayed;
    throw new HttpError(stillBeingAnswered());
  }
  const finding = answers.find(owner, idempotency.key);
  inFlight.set(entry, finding);
  try {
    const replayed = await replay(await finding, deps);
    if (replayed) return replayed;
    await answers.ensureQuota(owner);
    const made = await handle();
    let sent: Reply | undefined;
    try {
      sent = await kept(made, deps);
      return sent;
    } finally {
      if (made.body !== sent?.body) await dropBody(made.body);
    }
  } finally {
    inFlight.delete(entry);
  }
}

export function stillBeingAnswered(): Reply {
  return detailReply(409, "A request with this Idempotency-Key is still being answered", {
    "retry-after": "1",
  });
}

async function replay(
  known: StoredAnswer | undefined,
  { idempotency, request }: OnceDeps,
): Promise<Reply | undefined> {
  if (!known) return undefined;
  if (known.hash !== idempotency.hash) {
    throw invalidKey("Value error, this key was used for another request");
  }
  const answer = known.answerTo ? await known.answerTo(request) : acceptedReply(known.taskId);
  return answer && withHeaders({ status: 200, ...answer }, { "idempotent-replayed": "true" });
}

/** Stores a final reply. @returns The reply to send: this one, or that of a faster request. */
async function kept(reply: Reply, deps: OnceDeps): Promise<Reply> {
  if (reply.status !== 200 || reply.transient) return reply;
  const { answers, owner, idempotency, taskId, request, log } = deps;
  const json = { "content-type": "application/json" };
  const answer = reply.asJson
    ? { ...reply, headers: { ...reply.headers, ...json }, body: reply.asJson() }
    : reply;
  try {
    const isFirst = await answers.keep(owner, idempotency, taskId, answer);
    // The stored bytes are sent because a stream of JSON that is made again would state another duration.
    const isSame = typeof reply.body === "string" || reply.headers["content-type"] !== json["content-type"];
    if (isFirst && isSame) return reply;
    const known = await answers.find(owner, idempotency.key);
    if (!isFirst) return (await replay(known, deps)) ?? reply;
    return { ...reply, ...(await known?.answerTo?.(request)) };
  } catch (error) {
    if (error instanceof HttpError || request.signal.aborted) throw error;
    // The answer is sent although it could not be stored, because the answer matters more than a later replay.
    log.error({ err: error, requestId: request.id, taskId }, "an answer could not be stored for its key");
    return withHeaders(reply, { "x-idempotency-key": "not-stored" });
  }
}

function invalidKey(msg: string): HttpError {
  return invalid({ type: "value_error", loc: ["header", "Idempotency-Key"], msg });
}
