import { SMTPServer } from "smtp-server";
import { afterEach, expect, it } from "vitest";
import { type Mail, type Mailer, MailRefusedError, smtpMailer } from "#server/platform/mail.ts";

interface Received {
  recipients: string[];
  raw: string;
}

let server: SMTPServer | undefined;
let mailer: Mailer | undefined;
afterEach(async () => {
  mailer?.close();
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
});

/** A real SMTP server on a free port. */
async function postOffice(refuse?: number): Promise<Received[]> {
  const received: Received[] = [];
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo(_address, _session, done) {
      done(refuse === undefined ? null : Object.assign(new Error("no"), { responseCode: refuse }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ recipients, raw: Buffer.concat(parts).toString("latin1") });
        done();
      });
    },
  });
  const listening = server;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const { port } = listening.server.address() as { port: number };
  mailer = smtpMailer(`smtp://127.0.0.1:${port}`, "Open MetOcean <service@example.org>");
  return received;
}

const mail: Mail = {
  id: "0198c0de",
  to: "mate@example.org",
  subject: "Your task is done",
  text: "Text & more",
  html: "<p>Text &amp; more</p>",
};

/** Header lines, unfolded. */
const headers = (raw: string) =>
  raw
    .split("\r\n\r\n")[0]!
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");

it("arrives once, as text and HTML, under one lasting id", async () => {
  const received = await postOffice();
  await mailer!.send(mail);
  expect(received).toHaveLength(1);
  const { recipients, raw } = received[0]!;
  expect(recipients).toEqual(["mate@example.org"]);
  expect(headers(raw)).toContain("Message-ID: <0198c0de@metocean>");
  expect(headers(raw)).toContain("Subject: Your task is done");
  expect(raw).toContain("multipart/alternative");
  expect(raw).toContain("Text & more");
  expect(raw).toContain("<p>Text &amp; more</p>");
});

it.each(["\r\nBcc: thief@example.org", "\nBcc: thief@example.org", "\u2028Bcc: thief@example.org", "\0"])(
  "keeps a subject in its header: %j",
  async (tail) => {
    const received = await postOffice();
    await mailer!.send({ ...mail, subject: `done${tail}` });
    const { recipients, raw } = received[0]!;
    expect(recipients).toEqual(["mate@example.org"]);
    expect(headers(raw).filter((line) => /^bcc:/i.test(line))).toEqual([]);
    expect(headers(raw).filter((line) => line.startsWith("Subject: done"))).toHaveLength(1);
  },
);

it.each(["a@example.org\r\nBcc: b@example.org", "a@example.org, b@example.org", "<a@example.org>", "nobody"])(
  "writes to nobody at %j",
  async (to) => {
    const received = await postOffice();
    await expect(mailer!.send({ ...mail, to })).rejects.toThrow(MailRefusedError);
    expect(received).toEqual([]);
  },
);

it("tells a refusal for ever from one for now", async () => {
  await postOffice(550);
  await expect(mailer!.send(mail)).rejects.toMatchObject({ name: "MailRefusedError", code: 550 });
  await new Promise<void>((resolve) => server!.close(() => resolve()));
  await postOffice(451);
  await expect(mailer!.send(mail)).rejects.not.toBeInstanceOf(MailRefusedError);
});
