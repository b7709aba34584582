import type { Context } from "#server/context.ts";
import type { RequestJob } from "#server/http/endpoint.ts";

/** What requests have that may ask for a mail. */
export interface MailableBody {
  task_name?: string;
  receive_mail: boolean;
}

/** No mail will come, for want of a mail server or of an address of the key's. */
export const notConfigured = { "x-notification": "not-configured" };

/** Where the mail about a request goes; null where none was asked for, or none can be sent. */
export function mailAddress({
  body,
  caller,
  context,
}: Pick<RequestJob<MailableBody, Pick<Context, "mails">>, "body" | "caller" | "context">): string | null {
  return (body.receive_mail && context.mails && caller.email) || null;
}
