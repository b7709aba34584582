/** A message as a mail server delivers it. @param headers In addition to those of every message, or instead of them. */
export function rawMail(text: string, headers: Readonly<Record<string, string | undefined>> = {}): string {
  const all = {
    From: "Skipper <skipper@boat.example>",
    To: "weather@example.org",
    Subject: "weather",
    "Message-ID": `<${Math.random().toString(36).slice(2)}@boat.example>`,
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=utf-8",
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  );
  return [...lines, "", text, ""].join("\r\n");
}

/** Parts of a message, of which the first is its text. */
export function rawParts(...parts: { type: string; disposition?: string; content: string }[]): {
  type: string;
  text: string;
} {
  const boundary = "part-of-the-message";
  const text = parts.flatMap(({ type, disposition, content }) => [
    `--${boundary}`,
    `Content-Type: ${type}`,
    ...(disposition === undefined ? [] : [`Content-Disposition: ${disposition}`]),
    "",
    content,
  ]);
  return {
    type: `multipart/mixed; boundary="${boundary}"`,
    text: [...text, `--${boundary}--`].join("\r\n"),
  };
}

/** An e-mail that was sent. */
export interface SentMail {
  headers: ReadonlyMap<string, string>;
  /** Its text, decoded. */
  text: string;
  files: { name: string; content: Buffer }[];
  octets: number;
}

/** Reads an e-mail of the service: a text, alone or followed by attachments in base64. */
export function readMail(raw: string): SentMail {
  const whole = splitPart(raw);
  const boundary = /boundary="([^"]+)"/.exec(whole.headers.get("content-type") ?? "")?.[1];
  const parts =
    boundary === undefined
      ? [whole]
      : whole.body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => splitPart(part.replace(/^\r\n/, "")));
  const [first, ...files] = parts;
  return {
    headers: whole.headers,
    text: textOf(first!).replace(/\r\n/g, "\n"),
    files: files.map(({ headers, body }) => ({
      name: /filename="?([^";]+)/.exec(headers.get("content-disposition") ?? "")?.[1] ?? "",
      content: Buffer.from(body, "base64"),
    })),
    octets: raw.length,
  };
}

interface MailPart {
  headers: ReadonlyMap<string, string>;
  body: string;
}

function splitPart(raw: string): MailPart {
  const at = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, at)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.slice(line.indexOf(":") + 2),
  ]);
  return { headers: new Map(headers), body: raw.slice(at + 4) };
}

function textOf({ headers, body }: MailPart): string {
  const encoding = headers.get("content-transfer-encoding");
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  if (encoding !== "quoted-printable") return body;
  const plain = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(plain, "latin1").toString();
}
