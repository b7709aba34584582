import { setTimeout as delay } from "node:timers/promises";
import { copyDemoWorld } from "#test/demo-world.ts";
import { openImapServer } from "#test/imap-server.ts";
import { rawMail, rawParts, readMail } from "#test/raw-mail.ts";
import { seeded } from "#test/seeded.ts";
import { openSmtpStub } from "#test/smtp-stub.ts";
import { unusedPort } from "#test/unused-port.ts";
import { newKey } from "./new-key.ts";
import { isReadyAt, servicePart } from "./part.ts";
import { untilNone } from "./until-none.ts";

/** Longest wait for the last answers, seconds. The request of a killed process is claimed again after 15 s. */
const MAX_WAIT_S = 600;
/** Longest pause before a kill, milliseconds: about as long as the service takes for some messages. */
const MAX_PAUSE_MS = 3_000;

/** The answer that is expected to a message. */
interface Expected {
  id: string;
  kind: string;
  /** How the first line of its text begins; undefined for no answer. */
  begins: RegExp | undefined;
  /** Number of files. */
  files: number;
  /** Largest e-mail, bytes. */
  maxOctets: number;
}

const FILE = /^GFS 2026/;
const SPOT = /^47\.00N 5\.00W UTC/;

export interface MailboxRun {
  complaints: string[];
  answers: number;
  /** Copies that were sent again under their Message-ID. */
  repeats: number;
}

/**
 * Delivers messages of all kinds to the mailbox of a service that is killed between and while it answers, and compares the
 * answers with what is expected.
 *
 * @param place Folder and database of the service.
 */
export async function playMailbox(
  { folder, databaseUrl }: { folder: string; databaseUrl: string },
  { messages, kills, seed = 1 }: { messages: number; kills: number; seed?: number },
): Promise<MailboxRun> {
  copyDemoWorld(folder);
  const [imap, smtp] = [await openImapServer(), await openSmtpStub()];
  const port = await unusedPort();
  const env = {
    ROLE: "worker",
    METRICS_PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    METOCEAN_NOW: "2026-09-15T12:00:00Z",
    SMTP_URL: smtp.url,
    MAIL_FROM: "Open MetOcean <weather@example.org>",
    IMAP_URL: imap.url,
    MAILBOX_SENDERS: "skipper@boat.example, @crew.example",
    MAILBOX_PER_DAY: "10000",
    LOG_LEVEL: "warn",
  };
  const key = await newKey("mailbox", env);
  const isReady = () => isReadyAt(`http://127.0.0.1:${port}`);
  const service = servicePart("service", { env, log: `${folder}/service.log`, isReady });
  const draw = seeded(seed);
  const all: Expected[] = [];
  try {
    await service.replace();
    for (let batch = 0; batch <= kills; batch++) {
      const until = Math.round(((batch + 1) * messages) / (kills + 1));
      while (all.length < until) {
        const { raw, copies, expected } = messageOf(all.length, Math.floor(draw() * kinds(key).length), key);
        for (let copy = 0; copy < copies; copy++) imap.deliver(raw);
        all.push(expected);
      }
      if (batch === kills) break;
      await delay(MAX_PAUSE_MS * draw());
      await service.replace();
    }
    // Messages are answered in their order, so that all have been looked at when the last one is answered.
    const last = messageOf(all.length, 0, key);
    imap.deliver(last.raw);
    all.push(last.expected);
    const answered = () => new Set(smtp.emails.map(({ raw }) => readMail(raw).headers.get("in-reply-to")));
    const waiting = async () => {
      const ids = answered();
      return all.filter(({ id, begins }) => begins && !ids.has(id)).length;
    };
    await untilNone(waiting, MAX_WAIT_S);
    const mails = smtp.emails.map(({ raw }) => readMail(raw));
    return {
      complaints: all.flatMap((each) => complaintsOf(each, mails)),
      answers: answered().size,
      repeats: mails.length - new Set(mails.map(({ headers }) => headers.get("message-id"))).size,
    };
  } finally {
    await service.kill();
    await Promise.all([imap.close(), smtp.close()]);
  }
}

function complaintsOf(
  { id, kind, begins, files, maxOctets }: Expected,
  mails: readonly ReturnType<typeof readMail>[],
): string[] {
  const own = mails.filter(({ headers }) => headers.get("in-reply-to") === id);
  const [first] = own;
  const ids = new Set(own.map(({ headers }) => headers.get("message-id")));
  if (!begins) return own.length === 0 ? [] : [`${kind} is answered: ${first!.text}`];
  if (ids.size !== 1) return [`${kind} has ${ids.size} answers`];
  return [
    ...(begins.test(first!.text) ? [] : [`${kind} is answered by ${first!.text}`]),
    ...(first!.files.length === files ? [] : [`${kind} has ${first!.files.length} files`]),
    ...own.filter(({ octets }) => octets > maxOctets).map(({ octets }) => `${kind} has ${octets} bytes`),
  ];
}

type Kind = [
  name: string,
  begins: RegExp | undefined,
  text: string,
  more?: { headers?: Record<string, string>; files?: number; maxOctets?: number; copies?: number },
];

const SPOT_LINE = "send spot:47N,5W|3,6|WIND,PRMSL,WAVES";
const FILE_LINE = "send gfs:40N,50N,20W,5W|1,1|0,6..24|WIND,PRMSL";

function kinds(key: string): Kind[] {
  const attachment = { type: "text/plain", disposition: "attachment; filename=a.txt", content: FILE_LINE };
  const parts = rawParts({ type: "text/plain", content: SPOT_LINE }, attachment);
  const html = rawParts({ type: "text/html", content: `<p>${SPOT_LINE}</p>` });
  return [
    ["a spot", SPOT, SPOT_LINE],
    ["a file", FILE, FILE_LINE, { files: 1 }],
    [
      "a thousand kilobytes under max 30k",
      FILE,
      "send gfs:30N,60N,60W,10W|0.5,0.5|0,3..96|WIND,PRMSL,RAIN,GUST,WAVES\nmax 30k",
      { files: 1, maxOctets: 30_000 },
    ],
    ["a file of ECMWF", /^ECMWF 2026/, FILE_LINE.replace("gfs", "ecmwf"), { files: 1 }],
    ["waves", /^GFS waves 2026/, "send waves:40N,50N,20W,5W|1,1|24|WAVES", { files: 1 }],
    ["several lines", SPOT, `${SPOT_LINE}\n${FILE_LINE}\nsend gfs:nowhere`, { files: 1 }],
    ["no request", /^There is no request/, "How is the weather?"],
    ["a line that cannot be read", /^The position is not clear/, "send spot:somewhere"],
    ["only HTML", /^The e-mail has no plain text/, html.text, { headers: { "Content-Type": html.type } }],
    ["an attachment", SPOT, parts.text, { headers: { "Content-Type": parts.type } }],
    ["a message that is delivered twice", SPOT, SPOT_LINE, { copies: 2 }],
    ["another address of the domain", SPOT, SPOT_LINE, { headers: { From: "cook@crew.example" } }],
    [
      "a key in the subject",
      SPOT,
      SPOT_LINE,
      { headers: { From: "guest@example.net", Subject: `weather ${key}` } },
    ],
    [
      "a wrong key",
      undefined,
      SPOT_LINE,
      { headers: { From: "x@example.net", Subject: `${key.slice(0, -1)}!` } },
    ],
    ["a stranger", undefined, SPOT_LINE, { headers: { From: "x@example.net" } }],
    ["a reply of a program", undefined, SPOT_LINE, { headers: { "Auto-Submitted": "auto-replied" } }],
    ["a list", undefined, SPOT_LINE, { headers: { "List-Id": "<crew.example>" } }],
    ["a bounce", undefined, SPOT_LINE, { headers: { "Content-Type": "multipart/report; boundary=x" } }],
    ["the service itself", undefined, SPOT_LINE, { headers: { From: "weather@example.org" } }],
  ];
}

/** @param at Number of the message. @param which Number of its kind. */
function messageOf(
  at: number,
  which: number,
  key: string,
): { raw: string; copies: number; expected: Expected } {
  const [kind, begins, text, { headers = {}, files = 0, maxOctets = 500_000, copies = 1 } = {}] =
    kinds(key)[which]!;
  const id = `<${at}@boat.example>`;
  const raw = rawMail(text, { ...headers, "Message-ID": id });
  return { raw, copies, expected: { id, kind: `${kind} (${id})`, begins, files, maxOctets } };
}
