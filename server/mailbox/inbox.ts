import { text } from "node:stream/consumers";
import { ImapFlow, type MessageStructureObject } from "imapflow";
import { headerNames, type Incoming, readHeaders } from "./incoming.ts";

/** An open mailbox. Every method throws when its connection breaks. */
export interface Inbox {
  /** Name and version of the mailbox. With another version its messages have other numbers. */
  readonly place: string;
  /** Whether its connection is open. */
  readonly isOpen: boolean;
  /** Messages that arrived since a day and have not been answered, oldest first. @param known Numbers to leave out. */
  list(since: Date, known: ReadonlySet<number>): Promise<Incoming[]>;
  /** The beginning of a message's plain text; undefined if it has none. */
  textOf(mail: Incoming): Promise<string | undefined>;
  /** Marks a message as answered. */
  markAnswered(mail: Incoming): Promise<void>;
  close(): void;
}

/** Longest text that is fetched, bytes. */
const MAX_TEXT_BYTES = 16_384;

/** Longest header or other part of a reply of the server, bytes. */
const MAX_LITERAL_BYTES = 16 * 2 ** 20;

const CONNECT_MS = 30_000;
/** Longest silence of the server. IDLE is renewed more often. */
const IDLE_MS = 120_000;
const RENEW_MS = 60_000;
/** IDLE begins this long after the last command. */
const SETTLE_MS = 1_000;

/**
 * Opens a mailbox by IMAP. Without TLS from the first byte the connection is encrypted if the server offers it.
 *
 * @param address `imaps://user:password@host:port/folder`, or `imap://`.
 * @param onNew Called when a message arrives, if the server announces it (IDLE).
 * @param signal Closes it.
 */
export async function openInbox(address: string, onNew: () => void, signal: AbortSignal): Promise<Inbox> {
  const url = new URL(address);
  const secure = url.protocol === "imaps:";
  const client = new ImapFlow({
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    // The log would have addresses and subjects, which may have keys.
    logger: false,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    maxIdleTime: RENEW_MS,
    autoIdleDelay: SETTLE_MS,
    maxLiteralSize: MAX_LITERAL_BYTES,
    maxLineLength: MAX_LITERAL_BYTES,
    maxResponseSize: 2 * MAX_LITERAL_BYTES,
  });
  // Commands in progress fail with the connection, and the next poll opens another one.
  client.on("error", () => {});
  client.on("exists", onNew);
  const close = () => client.close();
  signal.addEventListener("abort", close, { once: true });
  client.on("close", () => signal.removeEventListener("abort", close));
  try {
    await client.connect();
    const mailbox = await client.mailboxOpen(decodeURIComponent(url.pathname.slice(1)) || "INBOX");
    return inboxOf(client, `${mailbox.path} ${mailbox.uidValidity}`);
  } catch (error) {
    close();
    throw error;
  }
}

const byUid = { uid: true };

function inboxOf(client: ImapFlow, place: string): Inbox {
  return {
    place,
    get isOpen() {
      return client.usable;
    },
    async list(since, known) {
      // A search finds only messages that the server has announced.
      await client.noop();
      const found = (await client.search({ since, answered: false, deleted: false }, byUid)) || [];
      const uids = found.filter((uid) => !known.has(uid));
      if (uids.length === 0) return [];
      const query = { uid: true, envelope: true, bodyStructure: true, headers: [...headerNames] };
      const messages = await client.fetchAll(uids, query, byUid);
      return messages
        .map(
          ({ uid, envelope, bodyStructure, headers }): Incoming => ({
            uid,
            from: (envelope?.from ?? []).map((each) => each.address ?? ""),
            subject: envelope?.subject ?? "",
            headers: readHeaders(headers ?? new Uint8Array()),
            type: bodyStructure?.type ?? "",
            textPart: bodyStructure && textPartOf(bodyStructure),
          }),
        )
        .sort((a, b) => a.uid - b.uid);
    },
    async textOf({ uid, textPart }) {
      if (textPart === undefined) return undefined;
      const found = await client.download(String(uid), textPart, { ...byUid, maxBytes: MAX_TEXT_BYTES });
      return "content" in found && found.content ? text(found.content) : undefined;
    },
    async markAnswered({ uid }) {
      await client.messageFlagsAdd(String(uid), ["\\Answered", "\\Seen"], byUid);
    },
    close: () => client.close(),
  };
}

/** Number of the first part that is plain text and no attachment. Messages inside the message count as attachments. */
function textPartOf({ part, type, disposition, childNodes }: MessageStructureObject): string | undefined {
  if (disposition?.toLowerCase() === "attachment" || type === "message/rfc822") return undefined;
  if (type === "text/plain") return part ?? "1";
  for (const child of childNodes ?? []) {
    const found = textPartOf(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
