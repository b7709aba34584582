import type { ChannelKind, DeliveryFault } from "#lib/contract/channels.ts";
import type { Clock } from "#server/platform/clock.ts";
import { type Mailer, MailRefusedError } from "#server/platform/mail.ts";
import { ForbiddenTargetError } from "./address-guard.ts";
import { alertMail } from "./alert-mail.ts";
import { type AlertFacts, type AlertRequest, ntfyRequest, webhookRequest } from "./alert-request.ts";
import type { ChannelLinks } from "./channel-links.ts";
import { type DeliveryFailure, type PostDeps, postOnce, TargetFailedError } from "./post-once.ts";
import { retryAfterSeconds } from "./retry-time.ts";

/** A channel as its row has it. */
export interface ChannelTarget {
  id: string;
  kind: ChannelKind;
  target: string;
  secret: string | null;
  /** While it is valid. */
  oldSecret: string | null;
}

export interface SendDeps {
  post: PostDeps;
  /** undefined without a mail server. */
  mailer: Pick<Mailer, "send"> | undefined;
  links: ChannelLinks;
  publicUrl: string;
  /** Name and version of this service. */
  userAgent: string;
  /** The database's clock. */
  clock: Clock;
}

/** What came of an attempt. `gone`: another one is useless. The words are for the owner of the channel. */
export type Outcome =
  | { kind: "delivered" }
  | ({ kind: "failed"; retryAfterS: number } & DeliveryFailure)
  | ({ kind: "gone" } & DeliveryFailure);

/**
 * Sends an alert, or a test, by a channel: there is no other function that does.
 *
 * @throws The signal's reason; nothing else.
 */
export async function sendAlert(
  deps: SendDeps,
  channel: ChannelTarget,
  facts: AlertFacts,
  signal: AbortSignal,
): Promise<Outcome> {
  return channel.kind === "mail" ? byMail(deps, channel, facts) : byPost(deps, channel, facts, signal);
}

async function byPost(
  { post, publicUrl, userAgent, clock }: SendDeps,
  channel: ChannelTarget,
  facts: AlertFacts,
  signal: AbortSignal,
): Promise<Outcome> {
  const { url, headers, body } = requestOf(channel, facts, publicUrl, clock.now());
  try {
    const { status, retryAfter } = await postOnce(post, {
      url,
      headers: { ...headers, "user-agent": userAgent },
      body,
      signal,
    });
    if (status >= 200 && status < 300) return { kind: "delivered" };
    if (status === 410) return { kind: "gone", code: "gone", error: "the target is gone (HTTP 410)" };
    const error = `the target answered HTTP ${status}`;
    return { kind: "failed", code: "status", error, retryAfterS: retryAfterSeconds(retryAfter, clock.now()) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TargetFailedError) return failed(error.code, error.message);
    // A name may have moved into a private network for a while only.
    if (error instanceof ForbiddenTargetError) return failed("forbidden", error.message);
    return failed("unreachable", "the target cannot be reached");
  }
}

function requestOf(
  { kind, target, secret, oldSecret }: ChannelTarget,
  facts: AlertFacts,
  publicUrl: string,
  sentAt: number,
): AlertRequest {
  if (kind === "ntfy") return ntfyRequest(target, facts, { token: secret, publicUrl });
  const secrets = [secret, oldSecret].filter((each) => each !== null);
  return webhookRequest(target, facts, { secrets, sentAt, publicUrl });
}

/** The mailbox is unknown or refuses mail. Other refusals may be of the mail server's own making. */
const NO_MAILBOX: readonly (number | undefined)[] = [undefined, 550, 551, 553];

async function byMail(
  { mailer, links, publicUrl }: SendDeps,
  { id: channelId, target }: ChannelTarget,
  { id, message }: AlertFacts,
): Promise<Outcome> {
  if (!mailer) return failed("no_mail", "this service sends no e-mail");
  const unsubscribeToken = links.token("unsubscribe", channelId, target);
  try {
    await mailer.send(alertMail(message, { id, to: target, channelId, unsubscribeToken, publicUrl }));
    return { kind: "delivered" };
  } catch (error) {
    if (!(error instanceof MailRefusedError))
      return failed("mail_server", "the mail server cannot be reached, or takes nothing now");
    if (NO_MAILBOX.includes(error.code)) return { kind: "gone", code: "mail_refused", error: error.message };
    return failed("mail_refused", error.message);
  }
}

/** It may work a moment later. */
export const failed = (code: DeliveryFault, error: string): Outcome => ({
  kind: "failed",
  code,
  error,
  retryAfterS: 0,
});
