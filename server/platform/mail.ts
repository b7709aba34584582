import { createTransport } from "nodemailer";
import { within } from "./deadline.ts";

export interface Mail {
  /** Message-ID of every copy: a mailbox shows only one of them. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** The same words as HTML; if absent, the email has only text. */
  html?: string;
  attachments?: readonly Attachment[];
  /** Headers in addition to those of every email. */
  headers?: Readonly<Record<string, string>>;
}

export interface Attachment {
  filename: string;
  /** Media type. */
  type: string;
  content: Uint8Array;
}

export interface Mailer {
  /** @throws MailRefusedError when a retry is useless; any other error may be retried. The signal's reason. */
  send(mail: Mail, signal?: AbortSignal): Promise<void>;
  /** Closes the connections and aborts any email that is being sent. */
  close(): void;
}

/** The mail server rejects this email permanently: unknown recipient, or sender not allowed. */
export class MailRefusedError extends Error {
  override readonly name = "MailRefusedError";
  /** SMTP reply code, 500–599; undefined when the email was rejected before it was sent. */
  readonly code: number | undefined;
  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }
}

/** Time limits for a mail server, milliseconds. */
export interface MailLimits {
  /** Until the connection is open, and again until the greeting. */
  connectMs: number;
  /** Longest silence. */
  idleMs: number;
  /** Limit for one email. */
  wholeMs: number;
}

/** Some mail servers delay their greeting for about ten seconds to deter spam. */
const LIMITS: MailLimits = { connectMs: 20_000, idleMs: 20_000, wholeMs: 60_000 };

/** Matches an address of printable characters, without spaces and without those that end an address or a header. */
const ADDRESS = /^[^\s<>",;:\\()[\]]+@[^\s<>",;:\\()[\]@]+$/;

/**
 * Sends email over SMTP.
 *
 * @param url `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte.
 * @param from Sender, `Name <address>` or an address alone.
 */
export function smtpMailer(
  url: string,
  from: string,
  { connectMs, idleMs, wholeMs }: MailLimits = LIMITS,
): Mailer {
  const closing = new AbortController();
  const transport = createTransport({
    url,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: idleMs,
    // No part of an email may refer to a file or a URL to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ id, to, subject, text, html, attachments = [], headers }, signal) {
      if (!ADDRESS.test(to))
        throw new MailRefusedError("The address of the key's owner is not an email address");
      try {
        const both = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
        await within(wholeMs, both, (ending) =>
          transport.sendMail({
            from,
            // The recipient is an object, which is always one address, whatever text it contains.
            to: { name: "", address: to },
            subject: oneLine(subject),
            text,
            html,
            attachments: attachments.map(({ filename, type, content }) => ({
              filename,
              contentType: type,
              content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
            })),
            messageId: `<${id}@metocean>`,
            headers: { "Auto-Submitted": "auto-generated", ...headers },
            signal: ending,
          }),
        );
      } catch (error) {
        const code = (error as { responseCode?: unknown }).responseCode;
        if (typeof code !== "number" || code < 500) throw error;
        throw new MailRefusedError(`The mail server refused the email (${code})`, code);
      }
    },
    close() {
      closing.abort();
      transport.close();
    },
  };
}

/** Replaces characters that would end a header line by spaces. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach a header
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
}
