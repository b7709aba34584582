import type { AlertKind, AlertMessage } from "#lib/watches/message.ts";
import { webhookHeaders } from "./sign-webhook.ts";

/** What is sent. */
export interface AlertFacts {
  /** Of the delivery: the same at each attempt. */
  id: string;
  alertId: string;
  /** When it was found. */
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

/** How loud, 1 to 5, and the short code of the sign before the title. */
const looks: Readonly<Record<AlertKind, { priority: number; tag: string }>> = {
  fired: { priority: 4, tag: "warning" },
  cleared: { priority: 3, tag: "white_check_mark" },
  new_run: { priority: 2, tag: "arrows_counterclockwise" },
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
