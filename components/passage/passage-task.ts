import { apiFetch } from "#components/api-client/api-fetch.ts";
import { followTask } from "#components/api-client/follow-task.ts";
import { parseReply, readJson } from "#components/api-client/parse-reply.ts";
import { newIdempotencyKey } from "#components/api-client/service.ts";
import type { Plan } from "#lib/contract/plan.ts";
import { taskHasMoreTime } from "#lib/contract/task-advice.ts";
import {
  isUnavailable,
  loadPassageSchemas,
  type PassageAnswer,
  type PassagePath,
  postPassage,
  readPassage,
  sendPassage,
} from "./passage-queries.ts";
import { type OptimiseBody, type PassageBody, taskBody } from "./passage-request.ts";

/**
 * The plans of a request for a task: for more than is answered at once. Leaving it cancels the task.
 *
 * @param onProgress Share that is done, 0..1.
 * @throws ServiceError; the reason of the signal when that aborts.
 */
export async function passageByTask(
  path: PassagePath,
  key: string,
  body: PassageBody | OptimiseBody,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<PassageAnswer> {
  const headers = { "idempotency-key": newIdempotencyKey() };
  // First: a task is cancelled only when its id has been read.
  const { taskCreated } = await loadPassageSchemas();
  const { reply: created, withStorms } = await sendPassage(path, key, body, signal, headers);
  const { task_id: id } = parseReply(await readJson(created), taskCreated);
  // Also when the page is about to end: the service need not go on for nobody.
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
 * The plans of a request, at once; where the service is too busy for that, by a task.
 *
 * @param onProgress Share of the task that is done, 0..1.
 * @throws ServiceError; the reason of the signal when that aborts.
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
