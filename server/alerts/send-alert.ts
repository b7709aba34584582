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

/** A channel as its row has it. */
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

/** Result of an attempt. With `gone`, another attempt is useless. The words are for the owner of the channel. */
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

/** A failure after which another attempt may work. */
export const failed = (code: DeliveryFault, error: string): Outcome => ({
  kind: "failed",
  code,
  error,
  retryAfterS: 0,
});

/** Content of a message. */
export interface AlertFacts {
  /** Id of the delivery: the same at each attempt. */
  id: string;
  alertId: string;
  /** Time at which it was found. */
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
 * The POST to a webhook, as Standard Webhooks 1.0.0 says: `type`, `timestamp`, `data`.
 *
 * @param secrets The key, and for a while the one before.
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

/** Longer messages become attachments. */
const MAX_NTFY_BYTES = 4000;

/**
 * The POST to ntfy. As JSON to the server and not as headers to the topic: titles have other letters than ASCII.
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
      // From ntfy 2.16 on a repeat replaces what it repeats; before it is ignored.
      sequence_id: id,
    }),
  };
}

/** At most so many bytes of UTF-8, whole characters. */
function shortened(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const cut = new TextDecoder().decode(Buffer.from(text).subarray(0, maxBytes - 3), { stream: true });
  return `${cut}…`;
}

const PREFIX = "whsec_";

/** 24 to 64 bytes by the standard. */
const SECRET_BYTES = 32;

/** A new secret of a webhook, `whsec_` and base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** The signed content. */
export interface SignedMessage {
  /** The id is the same at each attempt: receivers recognise a repeat by it. */
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

/** Seconds before the next attempt, by the number of attempts so far; then always the last. */
const WAITS_S = [5, 30, 120, 300, 900, 1_800, 3_600, 7_200];

/** Attempts of many deliveries that failed together spread over ±20 %. */
const JITTER = 0.2;

/** Longest wait between two attempts, seconds: a target that asks for more is asked again all the same. */
export const MAX_RETRY_AFTER_S = 43_200;

/**
 * When to try again.
 *
 * @param attempts So far, from 1.
 * @param askedS What the target asked for.
 * @param random In [0, 1).
 * @returns Seconds, never less than what the target asked for.
 */
export function retrySeconds(attempts: number, askedS: number, random: number): number {
  const wait = WAITS_S[Math.min(attempts, WAITS_S.length) - 1]!;
  return Math.max(wait * (1 + JITTER * (2 * random - 1)), askedS);
}

/**
 * Reads a Retry-After header: seconds, or a date.
 *
 * @param now Unix seconds.
 * @returns Seconds from now, 0 to half a day; 0 where there is none that can be read.
 */
export function retryAfterSeconds(header: string | undefined, now: number): number {
  const text = header?.trim() ?? "";
  const seconds = /^\d+$/.test(text) ? Number(text) : Date.parse(text) / 1000 - now;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_S);
}
