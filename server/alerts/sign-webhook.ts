import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";

/** 24 to 64 bytes by the standard. */
const SECRET_BYTES = 32;

/** A new secret of a webhook, `whsec_` and base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** What is signed. */
export interface SignedMessage {
  /** The same at each attempt: receivers know a repeat by it. */
  id: string;
  /** Of this attempt, Unix seconds. */
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
