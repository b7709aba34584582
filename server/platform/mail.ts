import { createTransport } from "nodemailer";

/** One letter to one person. */
export interface Mail {
  /** Names the letter for ever: a second copy has the same Message-ID, and mailboxes show one. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** @throws MailRefusedError where another try cannot help; any other error is for a later try. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server will never take this letter: no such address, or no such sender. */
export class MailRefusedError extends Error {
  override readonly name = "MailRefusedError";
  /** SMTP reply code, 500–599; undefined where the letter was refused before it was sent. */
  readonly code: number | undefined;
  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }
}

/** Mail servers that make strangers wait with their greeting do so for some ten seconds. */
const CONNECT_MS = 20_000;
const SOCKET_MS = 20_000;

/** Printable characters without spaces and the signs that end an address or a header. */
const ADDRESS = /^[^\s<>",;:\\()[\]]+@[^\s<>",;:\\()[\]@]+$/;

/**
 * Mail over SMTP.
 *
 * @param url `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte.
 * @param from Sender, `Name <address>` or an address alone.
 */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_MS,
    // A letter is text of our own: nothing in it may name a file or a page to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ id, to, subject, text, html }) {
      if (!ADDRESS.test(to)) throw new MailRefusedError("The address of the key's owner is no mail address");
      try {
        await transport.sendMail({
          from,
          // As an object: the address is then one address, whatever it holds.
          to: { name: "", address: to },
          subject: oneLine(subject),
          text,
          html,
          messageId: `<${id}@metocean>`,
          headers: { "Auto-Submitted": "auto-generated" },
        });
      } catch (error) {
        const code = (error as { responseCode?: unknown }).responseCode;
        if (typeof code !== "number" || code < 500) throw error;
        throw new MailRefusedError(`The mail server refused the letter (${code})`, code);
      }
    },
    close: () => transport.close(),
  };
}

/** A header is one line: what would end it becomes a space. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a header
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
}
