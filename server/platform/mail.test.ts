import { afterEach, expect, it } from "vitest";
import { type Email, openSmtpStub, type SmtpStub } from "#test/smtp-stub.ts";
import { type Mail, type Mailer, MailRefusedError, smtpMailer } from "./mail.ts";

let stub: SmtpStub | undefined;
let mailer: Mailer | undefined;
afterEach(async () => {
  mailer?.close();
  await stub?.close();
});

async function openStub(refuse?: number): Promise<Email[]> {
  stub = await openSmtpStub(refuse);
  mailer = smtpMailer(stub.url, "Open MetOcean <service@example.org>");
  return stub.emails;
}

const mail: Mail = {
  id: "0198c0de",
  to: "mate@example.org",
  subject: "Your task is done",
  text: "Text & more",
  html: "<p>Text &amp; more</p>",
};

const headers = (raw: string) =>
  raw
    .split("\r\n\r\n")[0]!
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");

it("arrives once, as text and HTML, under a stable id", async () => {
  const received = await openStub();
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
    const received = await openStub();
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
    const received = await openStub();
    await expect(mailer!.send({ ...mail, to })).rejects.toThrow(MailRefusedError);
    expect(received).toEqual([]);
  },
);

it("distinguishes a permanent rejection from a temporary one", async () => {
  await openStub(550);
  await expect(mailer!.send(mail)).rejects.toMatchObject({ name: "MailRefusedError", code: 550 });
  await stub!.close();
  await openStub(451);
  await expect(mailer!.send(mail)).rejects.not.toBeInstanceOf(MailRefusedError);
});
