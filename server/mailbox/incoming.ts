import { createHash } from "node:crypto";

/** A message of the mailbox, without its text. */
export interface Incoming {
  /** Number of the message in the mailbox. */
  uid: number;
  /** Addresses of its senders. */
  from: readonly string[];
  subject: string;
  /** Header fields by their names in small letters; a field that occurs twice has its last value. */
  headers: ReadonlyMap<string, string>;
  /** Media type of the whole message. */
  type: string;
  /** Number of the part with its plain text; undefined if it has none. Attachments are none. */
  textPart: string | undefined;
}

/** Header fields of `Incoming`. */
export const headerNames = [
  "message-id",
  "in-reply-to",
  "references",
  "return-path",
  "auto-submitted",
  "precedence",
  "x-auto-response-suppress",
  "x-autoreply",
  "x-autorespond",
  "list-id",
  "list-post",
  "list-unsubscribe",
] as const;

/** Reads header fields as they stand in a message. Their lines may be folded. */
export function readHeaders(bytes: Uint8Array): Map<string, string> {
  const text = Buffer.from(bytes).toString("latin1");
  const headers = new Map<string, string>();
  for (const line of text.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const at = line.indexOf(":");
    if (at > 0) headers.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim());
  }
  return headers;
}

/**
 * The one address to which an answer may go, in small letters; undefined for messages that are never answered: those of
 * programs, lists and mail servers (RFC 3834), of this service itself, and of several senders or none.
 *
 * @param own Addresses of this service, in small letters.
 */
export function senderOf({ from, headers, type }: Incoming, own: readonly string[]): string | undefined {
  const [address] = from.map((each) => each.toLowerCase());
  if (from.length !== 1 || !address || own.includes(address)) return undefined;
  if (/^(mailer-daemon|postmaster|no-?reply)@/.test(address)) return undefined;
  const isAutomatic =
    !/^(no\b|$)/i.test(headers.get("auto-submitted") ?? "") ||
    /^(bulk|junk|list|auto_reply)\b/i.test(headers.get("precedence") ?? "") ||
    /\b(all|autoreply)\b/i.test(headers.get("x-auto-response-suppress") ?? "") ||
    /^<\s*>/.test(headers.get("return-path") ?? "") ||
    /^multipart\/report$/i.test(type) ||
    ["x-autoreply", "x-autorespond", "list-id", "list-post", "list-unsubscribe"].some((name) =>
      headers.has(name),
    );
  return isAutomatic ? undefined : address;
}

/** Whether a message replies to an e-mail of this service. */
export function isReplyToUs({ headers }: Incoming): boolean {
  return /@metocean>/.test(`${headers.get("in-reply-to")} ${headers.get("references")}`);
}

/**
 * The Message-ID for a header of the answer; undefined where it has other characters than those of an identifier, or is
 * long.
 */
export function messageIdOf({ headers }: Incoming): string | undefined {
  const id = headers.get("message-id") ?? "";
  return /^<[\x21-\x3b=\x3f-\x7e]{3,200}>$/.test(id) ? id : undefined;
}

/**
 * Id of a request, the same for each copy of its message. A message without a Message-ID is known by its place.
 *
 * @param place The mailbox and its version.
 */
export function requestIdOf({ uid, headers }: Incoming, address: string, place: string): string {
  const known = headers.get("message-id") || `${place} ${uid}`;
  const hex = createHash("sha256").update(`${address}\0${known}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}

/** A key in a subject. Only keys that the service made count, because others could be guessed by sending e-mails. */
export function keyIn(subject: string): string | undefined {
  return /(?<!\w)mo_[0-9A-Za-z]{8}_[0-9A-Za-z]{33}(?!\w)/.exec(subject)?.[0];
}
