import type { Context } from "#server/context.ts";
import type { RequestJob } from "#server/http/endpoint.ts";

/** The part of a request that asks for an email. */
export interface MailableBody {
  task_name?: string;
  receive_mail: boolean;
}

/** No email will come: there is no mail server, or the key has no address. */
export const notConfigured = { "x-notification": "not-configured" };

/** Address of the email about a request; null where none was requested or none can be sent. */
export function mailAddress({
  body,
  caller,
  context,
}: Pick<RequestJob<MailableBody, Pick<Context, "mails">>, "body" | "caller" | "context">): string | null {
  return (body.receive_mail && context.mails && caller.email) || null;
}
