import type { TaskKind } from "#lib/contract/task.ts";
import type { Reply } from "#server/http/api-request.ts";
import { stillBeingAnswered } from "#server/http/idempotency.ts";
import { acceptedReply, HttpError, limitReply } from "#server/http/reply.ts";
import { freeBytes } from "#server/http/request-body.ts";
import { withoutByteOrderMark } from "#server/http/validation.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import type { RequestJob } from "./definition.ts";

/** The part of a request that asks for an email. */
export interface MailableBody {
  task_name?: string;
  receive_mail: boolean;
}

/** Tells callers how to send a request as a task to operations with that parameter. */
export const asTask = 'with "async": true';

/** Tells callers that no email will come: there is no mail server, or the key has no address. */
export const notConfigured = { "x-notification": "not-configured" };

/** Retry-After while the queue is full, seconds. */
const FULL_RETRY_S = 30;

/**
 * Creates a task from a request and replies with 202. The task is durable before the reply is sent. The reply is 429 if
 * the caller has too many pending tasks, 503 if the whole queue is full.
 *
 * @param size Size of the request: points, or values of a map.
 */
export async function acceptTask(
  kind: TaskKind,
  job: RequestJob<MailableBody>,
  size: number,
): Promise<Reply> {
  const { body, caller, context, now, taskId, bytes, idempotency, signal } = job;
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
  const outcome = await context.tasks.submit(task, withoutByteOrderMark(bytes), idempotency, signal);
  switch (outcome) {
    case "taken":
      // The whole body has been stored.
      freeBytes(bytes);
      return acceptedReply(taskId, receive_mail && mailTo === null ? notConfigured : {});
    case "owner is full":
      throw new HttpError(
        limitReply(`${context.tasks.store.limits.pendingOfOwner} pending tasks`, FULL_RETRY_S),
      );
    case "full":
      throw new UnavailableError("Too many tasks are pending", FULL_RETRY_S);
    case "key is taken":
      throw new HttpError(stillBeingAnswered());
  }
}

/** Address of the email about a request; null where none was requested or none can be sent. */
export function mailAddress({ body, caller, context }: RequestJob<MailableBody>): string | null {
  return (body.receive_mail && context.mails && caller.email) || null;
}
