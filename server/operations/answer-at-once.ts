import type { TaskKind } from "#lib/contract/task.ts";
import type { Context } from "#server/context.ts";
import type { Reply } from "#server/http/api-request.ts";
import type { RequestJob } from "#server/http/endpoint.ts";
import { type Answer, type AnswerRules, envelopeReply } from "#server/http/envelope.ts";
import { type MailableBody, mailAddress, notConfigured } from "./mailable.ts";

/**
 * Answers a request at once and queues the requested email about its result. HTTP errors are not reported by email.
 *
 * @param sizeOf Size of the request: points, or values of a map. Gets the answer where there is one.
 */
export async function answerAtOnce<Body extends MailableBody, Result extends Answer>(
  kind: TaskKind,
  job: RequestJob<Body, Context>,
  rules: AnswerRules<Result>,
  compute: (job: RequestJob<Body, Context>) => Promise<Result>,
  sizeOf: (answer: Result | undefined) => number | null,
): Promise<Reply> {
  const { body, context, taskId } = job;
  if (!body.receive_mail) return envelopeReply(job, rules, compute);
  const started = context.clock.now();
  let answer: Result | undefined;
  const reply = await envelopeReply(job, rules, async (same) => {
    answer = await compute(same);
    return answer;
  });
  const address = mailAddress(job);
  if (address === null) return withHeaders(reply, notConfigured);
  const email = {
    task_id: taskId,
    kind,
    task_name: body.task_name ?? null,
    status: answer ? ("SUCCESS" as const) : ("FAILURE" as const),
    error: answer ? null : (JSON.parse(String(reply.body)) as { error: string }).error,
    size: sizeOf(answer),
    created_at: new Date(started * 1000).toISOString(),
    finished_at: new Date(context.clock.now() * 1000).toISOString(),
    expires_at: null,
    synthetic: answer?.synthetic === true,
  };
  try {
    await context.mails!.post(address, email);
    return reply;
  } catch (error) {
    // The answer matters more than the email: the header tells the caller that none will come.
    context.log.error({ err: error, taskId }, "an email could not be queued");
    return withHeaders(reply, { "x-notification": "failed" });
  }
}

function withHeaders(reply: Reply, headers: Record<string, string>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
