import type { TaskKind } from "#lib/contract/task.ts";
import type { Context } from "#server/context.ts";
import { type Answer, envelope, type RequestJob, type TaskRules } from "#server/http/endpoint.ts";
import type { Reply } from "#server/http/exchange.ts";
import { type MailableBody, mailAddress, notConfigured } from "./mailable.ts";

/**
 * Answers a request at once, and writes the mail about its end where one was asked for. A reply that is no end, such as a
 * refusal, has none.
 *
 * @param sizeOf How much it asked for: points, or values of a map. Of an answer, where there is one.
 */
export async function answerAtOnce<Body extends MailableBody, Result extends Answer>(
  kind: TaskKind,
  job: RequestJob<Body, Context>,
  rules: Pick<TaskRules<never, Result>, "taskIdAsList" | "formats">,
  work: (job: RequestJob<Body, Context>) => Promise<Result>,
  sizeOf: (answer: Result | undefined) => number | null,
): Promise<Reply> {
  const { body, context, taskId } = job;
  if (!body.receive_mail) return envelope(job, rules, work);
  const begun = context.clock.now();
  let answer: Result | undefined;
  const reply = await envelope(job, rules, async (same) => {
    answer = await work(same);
    return answer;
  });
  const address = mailAddress(job);
  if (address === null) return withHeaders(reply, notConfigured);
  const told = {
    task_id: taskId,
    kind,
    task_name: body.task_name ?? null,
    status: answer ? ("SUCCESS" as const) : ("FAILURE" as const),
    error: answer ? null : (JSON.parse(String(reply.body)) as { error: string }).error,
    size: sizeOf(answer),
    created_at: new Date(begun * 1000).toISOString(),
    finished_at: new Date(context.clock.now() * 1000).toISOString(),
    expires_at: null,
    synthetic: answer?.synthetic === true,
  };
  try {
    await context.mails!.post(address, told);
    return reply;
  } catch (error) {
    // The answer is worth more than the mail: whoever asked reads here that none will come.
    context.log.error({ err: error, taskId }, "a mail could not be written");
    return withHeaders(reply, { "x-notification": "failed" });
  }
}

function withHeaders(reply: Reply, headers: Record<string, string>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
