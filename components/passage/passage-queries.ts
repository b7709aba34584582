import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy, ServiceError } from "#components/api-client/api-fetch.ts";
import { parseReply, readJson } from "#components/api-client/parse-reply.ts";
import { secondsSaved } from "#components/api-client/saved-replies.ts";
import { newIdempotencyKey } from "#components/api-client/service.ts";
import { followTask } from "#components/api-client/services.ts";
import { taskHasMoreTime } from "#lib/contract/limits.ts";
import type { Plan } from "#lib/contract/passage.ts";
import type { PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import { stormsNotReceived } from "#lib/contract/storm-providers.ts";
import { type OptimiseBody, type PassageBody, taskBody } from "./passage-request.ts";

type PassagePath = "/passages/evaluate" | "/passages/optimise";

export interface PassageAnswer {
  plans: readonly PassagePlan[];
  meta: PassageMeta;
  /** Unix seconds at which the service gave the answer. */
  readAt: number;
  /** The answer was saved on the device, because the service does not respond now. */
  isSaved: boolean;
  withStorms: boolean;
}

const FRESH_MS = 10 * 60_000;

/**
 * Whether the service is unavailable for a particular reason; other reasons have the same status. @param
 * reason Its words in the contract.
 */
const isUnavailable = (error: unknown, reason: string): boolean =>
  error instanceof ServiceError && error.status === 503 && error.message.includes(reason);

/** Evaluates a passage at the departures of a request. Cached by the whole request. */
export const passageQuery = (key: string, body: PassageBody | undefined) =>
  queryOptions({
    queryKey: ["passage", key, body] as const,
    queryFn: ({ signal }) => postPassage(key, body!, signal),
    staleTime: FRESH_MS,
    ...retryPolicy,
  });

/**
 * Evaluates a passage through the members of an ensemble, by a task if it has too many places for a direct answer. Cached by
 * the whole request.
 *
 * @param body The request of one departure, with the name of the ensemble; undefined while it is not known.
 */
export const membersQuery = (key: string, body: PassageBody | undefined, isTask: boolean) =>
  queryOptions({
    queryKey: ["passage", key, body] as const,
    queryFn: ({ signal }) =>
      isTask
        ? passageByTask("/passages/evaluate", key, { ...body!, async: true }, signal, () => {})
        : postPassage(key, body!, signal),
    staleTime: FRESH_MS,
    ...retryPolicy,
  });

/** @throws ServiceError as `apiFetch` does, and for a FAILURE envelope. */
async function postPassage(key: string, body: PassageBody, signal: AbortSignal): Promise<PassageAnswer> {
  const { reply, withStorms } = await sendPassage("/passages/evaluate", key, body, signal);
  return readPassage(reply, withStorms);
}

/**
 * Sends a request. If its storms have never been received, it is sent again without them. @throws
 * ServiceError
 */
export async function sendPassage(
  path: PassagePath,
  key: string,
  body: PassageBody | OptimiseBody,
  signal: AbortSignal,
  headers?: Record<string, string>,
): Promise<{ reply: Response; withStorms: boolean }> {
  const send = (sent: object) => apiFetch(path, { key, body: sent, signal, headers });
  const { storms, storm_method: _, ...without } = body;
  try {
    return { reply: await send(body), withStorms: storms !== undefined };
  } catch (error) {
    if (storms === undefined || !isUnavailable(error, stormsNotReceived)) throw error;
    return { reply: await send(without), withStorms: false };
  }
}

/** Reads the answer in a reply, or in the result of a task. @throws ServiceError */
async function readPassage(reply: Response, withStorms: boolean): Promise<PassageAnswer> {
  const { passage, failure } = await loadPassageSchemas();
  const body = parseReply(await readJson(reply), passage.or(failure));
  if ("error" in body) throw new ServiceError(`${body.error} (task ${body.task_id})`, 200);
  const now = Date.now() / 1000;
  const seconds = secondsSaved(reply, now);
  const { results: plans, meta } = body.result;
  return { plans, meta, readAt: Math.round(now) - seconds, isSaved: seconds > 0, withStorms };
}

/** @throws ServiceError if the service cannot be reached. */
export async function loadPassageSchemas() {
  const { passageSchemas } = await import("./passage-schemas.ts").catch((cause: unknown) => {
    throw new ServiceError({ is: "unreachable" }, 0, undefined, { cause });
  });
  return passageSchemas;
}

/**
 * Requests plans by a task, for requests too large for a direct answer. Aborting it cancels the task.
 *
 * @param onProgress Receives the share that is done, 0..1.
 * @throws ServiceError; the reason of the signal if it aborts.
 */
export async function passageByTask(
  path: PassagePath,
  key: string,
  body: PassageBody | OptimiseBody,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<PassageAnswer> {
  const headers = { "idempotency-key": newIdempotencyKey() };
  // The schemas load first, because a task can be cancelled only after its id has been read.
  const { taskCreated } = await loadPassageSchemas();
  const { reply: created, withStorms } = await sendPassage(path, key, body, signal, headers);
  const { task_id: id } = parseReply(await readJson(created), taskCreated);
  // The task is also cancelled when the page closes, because nobody would read its result.
  const cancel = () =>
    void apiFetch(`/cancel_task/${id}`, { key, method: "POST", keepalive: true }).catch(() => undefined);
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    await followTask(id, { key, signal, update: ({ progress }) => onProgress(progress) });
    signal.throwIfAborted();
    return await readPassage(await apiFetch(`/task/${id}`, { key, signal }), withStorms);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/**
 * Requests plans directly or, if the service is too busy, by a task.
 *
 * @param onProgress Receives the share of the task that is done, 0..1.
 * @throws ServiceError; the reason of the signal if it aborts.
 */
export async function passageWhenReady(
  key: string,
  plan: Plan,
  body: PassageBody,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<PassageAnswer> {
  try {
    return await postPassage(key, body, signal);
  } catch (error) {
    if (signal.aborted || !isUnavailable(error, taskHasMoreTime)) throw error;
    return passageByTask("/passages/evaluate", key, { ...body, ...taskBody(plan) }, signal, onProgress);
  }
}
