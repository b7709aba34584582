import type { TaskKind } from "#lib/contract/task.ts";
import type { Context } from "#server/context.ts";
import type { RequestJob } from "#server/http/endpoint.ts";
import { HttpError, jsonReply } from "#server/http/errors.ts";
import type { Reply } from "#server/http/exchange.ts";
import { acceptedReply, stillOpen } from "#server/http/idempotency.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import { type MailableBody, mailAddress, notConfigured } from "./mailable.ts";

/** Seconds after which a full queue is worth another try. */
const FULL_RETRY = 30;

/**
 * Makes a task of a request: 202. It is durable before the reply is sent; where too many wait, 429 says so for the
 * caller's own, 503 for everybody's.
 *
 * @param size How much it asks for: points, or values of a map.
 */
export async function acceptTask(
  kind: TaskKind,
  job: RequestJob<MailableBody, Context>,
  size: number,
): Promise<Reply> {
  const { body, caller, context, now, taskId, bytes, idempotency } = job;
  const { owner } = caller;
  const { task_name, receive_mail } = body;
  const mailTo = mailAddress(job);
  const task = {
    id: taskId,
    owner,
    kind,
    name: task_name ?? null,
    size,
    weatherNow: now,
    receiveMail: receive_mail,
    mailTo,
  };
  const taken = await context.tasks.submit(task, bytes, idempotency);
  switch (taken) {
    case "taken":
      return acceptedReply(taskId, receive_mail && mailTo === null ? notConfigured : {});
    case "owner is full":
      throw new HttpError(ownerIsFull(context.tasks.store.limits.pendingOfOwner));
    case "full":
      throw new UnavailableError("Too many tasks are pending", FULL_RETRY);
    case "key is taken":
      throw new HttpError(stillOpen());
  }
}

function ownerIsFull(most: number): Reply {
  const headers = { "retry-after": String(FULL_RETRY), "cache-control": "no-store" };
  return jsonReply(429, { error: `Rate limit exceeded: ${most} pending tasks` }, headers);
}
