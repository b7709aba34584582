import { createHmac, randomBytes } from "node:crypto";
import type { ChannelKind, DeliveryFault } from "#lib/contract/channels.ts";
import type { AlertKind, AlertMessage } from "#lib/watches/message.ts";
import type { Clock } from "#server/platform/clock.ts";
import { type Mailer, MailRefusedError } from "#server/platform/mail.ts";
import type { ChannelLinks } from "./alert-mail.ts";
import { alertMail } from "./alert-mail.ts";
import {
  type DeliveryFailure,
  ForbiddenTargetError,
  type PostDeps,
  postOnce,
  TargetFailedError,
} from "./post-once.ts";

export interface ChannelTarget {
  id: string;
  kind: ChannelKind;
  target: string;
  secret: string | null;
  /** The replaced key while it is valid. */
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

/** Result of an attempt. `gone` means that another attempt is useless. The texts are for the owner of the channel. */
export type Outcome =
  | { kind: "delivered" }
  | ({ kind: "failed"; retryAfterS: number } & DeliveryFailure)
  | ({ kind: "gone" } & DeliveryFailure);

/**
 * Sends an alert or a test to a channel. No other function does.
 *
 * @throws The signal's reason; nothing else.
 */
export async function sendAlert(
  deps: SendDeps,
  channel: ChannelTarget,
  facts: AlertFacts,
  signal: AbortSignal,
): Promise<Outcome> {
  return channel.kind === "mail"
    ? byMail(deps, channel, facts, signal)
    : byPost(deps, channel, facts, signal);
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
    // The name may have moved into a private network only temporarily.
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

/** SMTP codes for a mailbox that is unknown or rejects mail. Other rejections may have causes in the mail server. */
const NO_MAILBOX: readonly (number | undefined)[] = [undefined, 550, 551, 553];

async function byMail(
  { mailer, links, publicUrl }: SendDeps,
  { id: channelId, target }: ChannelTarget,
  { id, message }: AlertFacts,
  signal: AbortSignal,
): Promise<Outcome> {
  if (!mailer) return failed("no_mail", "this service sends no e-mail");
  const unsubscribeToken = links.token("unsubscribe", channelId, target);
  try {
    const mail = alertMail(message, { id, to: target, channelId, unsubscribeToken, publicUrl });
    await mailer.send(mail, signal);
    return { kind: "delivered" };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof MailRefusedError))
      return failed("mail_server", "the mail server cannot be reached, or takes nothing now");
    if (NO_MAILBOX.includes(error.code)) return { kind: "gone", code: "mail_refused", error: error.message };
    return failed("mail_refused", error.message);
  }
}

/** A failure after which another attempt may succeed. */
export const failed = (code: DeliveryFault, error: string): Outcome => ({
  kind: "failed",
  code,
  error,
  retryAfterS: 0,
});

export interface AlertFacts {
  /** Id of the delivery: the same at each attempt. */
  id: string;
  alertId: string;
  createdAt: Date;
  message: AlertMessage;
}

/** A POST without its deadline. */
export interface AlertRequest {
  url: URL;
  headers: Record<string, string>;
  body: string;
}

const JSON_TYPE = { "content-type": "application/json" };

/**
 * The POST to a webhook by Standard Webhooks 1.0.0: `type`, `timestamp`, `data`.
 *
 * @param secrets The key and, for a while, the previous one.
 * @param sentAt Unix seconds.
 */
export function webhookRequest(
  target: string,
  { id, alertId, createdAt, message }: AlertFacts,
  { secrets, sentAt, publicUrl }: { secrets: readonly string[]; sentAt: number; publicUrl: string },
): AlertRequest {
  const body = JSON.stringify({
    type: `alert.${message.kind}`,
    timestamp: createdAt.toISOString(),
    data: { id: alertId, ...message, link: publicUrl + message.link },
  });
  return {
    url: new URL(target),
    headers: { ...JSON_TYPE, ...webhookHeaders({ id, sentAt, body }, secrets) },
    body,
  };
}

/** Priority from 1 to 5, and the short code of the sign before the title. */
const looks: Readonly<Record<AlertKind, { priority: number; tag: string }>> = {
  fired: { priority: 4, tag: "warning" },
  cleared: { priority: 3, tag: "white_check_mark" },
  new_run: { priority: 2, tag: "arrows_counterclockwise" },
  unavailable: { priority: 3, tag: "no_entry" },
  test: { priority: 3, tag: "test_tube" },
  channel: { priority: 3, tag: "no_entry" },
};

/** ntfy turns longer messages into attachments, bytes. */
const MAX_NTFY_BYTES = 4000;

/**
 * The POST to ntfy. It is JSON to the server and not headers to the topic, because titles may have letters outside
 * ASCII.
 *
 * @param token Access token of the server, if the topic needs one.
 */
export function ntfyRequest(
  target: string,
  { id, message }: AlertFacts,
  { token, publicUrl }: { token: string | null; publicUrl: string },
): AlertRequest {
  const url = new URL(target);
  const at = url.pathname.lastIndexOf("/") + 1;
  const topic = url.pathname.slice(at);
  url.pathname = url.pathname.slice(0, at);
  const { priority, tag } = looks[message.kind];
  return {
    url,
    headers: { ...JSON_TYPE, ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({
      topic,
      title: message.title,
      message: shortened([message.sentence, message.run].filter(Boolean).join("\n"), MAX_NTFY_BYTES),
      priority,
      tags: [tag],
      click: publicUrl + message.link,
      // From ntfy 2.16 on a repeated message replaces the earlier one. Older versions ignore the field.
      sequence_id: id,
    }),
  };
}

/** Cuts a text to at most this many bytes of UTF-8, without splitting a character. */
function shortened(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const cut = new TextDecoder().decode(Buffer.from(text).subarray(0, maxBytes - 3), { stream: true });
  return `${cut}…`;
}

const PREFIX = "whsec_";

/** Length of a secret, bytes; the standard allows 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret of a webhook: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

export interface SignedMessage {
  /** Id of the message. It is the same at each attempt, so that receivers recognise a repeat. */
  id: string;
  /** Time of this attempt, Unix seconds. */
  sentAt: number;
  body: string;
}

/**
 * The headers of Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`.
 *
 * @param secrets While one replaces another both sign, and receivers accept whichever they know.
 */
export function webhookHeaders(
  { id, sentAt, body }: SignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(PREFIX, ""), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** Seconds before the next attempt, by the number of attempts so far. The last value repeats. */
const WAITS_S = [5, 30, 120, 300, 900, 1_800, 3_600, 7_200];

/** Relative jitter of ±20 %, which spreads attempts of many deliveries that failed together. */
const JITTER = 0.2;

/** Longest wait between two attempts, seconds, even if the target asks for more. */
export const MAX_RETRY_AFTER_S = 43_200;

/**
 * Seconds until the next attempt.
 *
 * @param attempts Number so far, from 1.
 * @param askedS Seconds that the target asked for.
 * @param random Random number in [0, 1).
 * @returns Seconds, never less than the target asked for.
 */
export function retrySeconds(attempts: number, askedS: number, random: number): number {
  const wait = WAITS_S[Math.min(attempts, WAITS_S.length) - 1]!;
  return Math.max(wait * (1 + JITTER * (2 * random - 1)), askedS);
}

/**
 * Reads a Retry-After header, which is a number of seconds or a date.
 *
 * @param now Unix seconds.
 * @returns Seconds from now, 0 to half a day; 0 where the header is absent or unreadable.
 */
export function retryAfterSeconds(header: string | undefined, now: number): number {
  const text = header?.trim() ?? "";
  const seconds = /^\d+$/.test(text) ? Number(text) : Date.parse(text) / 1000 - now;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_S);
}
