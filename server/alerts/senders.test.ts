import { afterEach, describe, expect, it } from "vitest";
import { type Mailer, smtpMailer } from "#server/platform/mail.ts";
import { galeAlert, openReceiver, publicUrl, type Receiver, testSecret, testSendDeps } from "#test/alerts.ts";
import { openSmtpStub, type SmtpStub } from "#test/smtp-stub.ts";
import { type AlertFacts, type ChannelTarget, sendAlert, webhookHeaders } from "./send-alert.ts";

const clock = { now: () => 1_800_000_000 };
const signal = new AbortController().signal;
const facts: AlertFacts = {
  id: "0199bbbb-0000-7000-8000-000000000001",
  alertId: "0199bbbb-0000-7000-8000-000000000002",
  createdAt: new Date(1_799_999_000_000),
  message: galeAlert,
};
const channelOf = (more: Partial<ChannelTarget>): ChannelTarget => ({
  id: "0199bbbb-0000-7000-8000-000000000003",
  kind: "webhook",
  target: "",
  secret: null,
  oldSecret: null,
  ...more,
});

let receiver: Receiver | undefined;
afterEach(() => receiver?.close());

const open = async (...answer: Parameters<typeof openReceiver>) => {
  receiver = await openReceiver(...answer);
  return receiver;
};

describe("a webhook", () => {
  it("gets type, time and the message with a link to the map, signed over the bytes that arrive", async () => {
    const { url, received } = await open();
    const old = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    const channel = channelOf({ target: `${url}/hook`, secret: testSecret, oldSecret: old });
    expect(await sendAlert(testSendDeps(clock), channel, facts, signal)).toEqual({ kind: "delivered" });
    const [{ headers, body }] = received as [Receiver["received"][0]];
    expect(JSON.parse(body)).toEqual({
      type: "alert.fired",
      timestamp: "2027-01-15T07:43:20.000Z",
      data: { ...galeAlert, id: facts.alertId, link: `${publicUrl}${galeAlert.link}` },
    });
    expect(headers).toMatchObject({
      ...webhookHeaders({ id: facts.id, sentAt: clock.now(), body }, [testSecret, old]),
      "content-type": "application/json",
      "user-agent": "open-metocean/test",
    });
  });

  it.each([
    [200, "delivered"],
    [204, "delivered"],
    [302, "failed"],
    [400, "failed"],
    [410, "gone"],
    [500, "failed"],
  ])("that answers %i results in %s", async (status, kind) => {
    const { url } = await open((response) =>
      response.writeHead(status, { "retry-after": "60" }).end("secret"),
    );
    const outcome = await sendAlert(
      testSendDeps(clock),
      channelOf({ target: url, secret: testSecret }),
      facts,
      signal,
    );
    expect(outcome.kind).toBe(kind);
    expect(JSON.stringify(outcome)).not.toContain("secret");
  });
});

describe("a topic of ntfy", () => {
  it("gets title, text, priority, tag and link, in any letters, with the token in a header", async () => {
    const { url, received } = await open();
    const channel = channelOf({ kind: "ntfy", target: `${url}/push/my-boat`, secret: "tk_abc" });
    expect(await sendAlert(testSendDeps(clock), channel, facts, signal)).toEqual({ kind: "delivered" });
    const [{ url: path, headers, body }] = received as [Receiver["received"][0]];
    expect([path, headers.authorization]).toEqual(["/push/", "Bearer tk_abc"]);
    expect(JSON.parse(body)).toEqual({
      topic: "my-boat",
      title: galeAlert.title,
      message: `${galeAlert.sentence}\n${galeAlert.run}`,
      priority: 4,
      tags: ["warning"],
      click: `${publicUrl}${galeAlert.link}`,
      sequence_id: facts.id,
    });
  });

  it("gets no message that would become an attachment, and no split character", async () => {
    const { url, received } = await open();
    const message = { ...galeAlert, sentence: "大風".repeat(2000), run: null };
    const channel = channelOf({ kind: "ntfy", target: `${url}/t` });
    await sendAlert(testSendDeps(clock), channel, { ...facts, message }, signal);
    const text: string = JSON.parse(received[0]!.body).message;
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4000);
    expect(text).toMatch(/^(大風)+大?…$/);
    expect(received[0]!.headers.authorization).toBeUndefined();
  });
});

describe("an e-mail", () => {
  let stub: SmtpStub | undefined;
  let mailer: Mailer | undefined;
  afterEach(async () => {
    mailer?.close();
    await stub?.close();
  });
  const channel = channelOf({ kind: "mail", target: "mate@example.org" });
  const send = async (message = galeAlert, refuse?: number) => {
    stub = await openSmtpStub(refuse);
    mailer = smtpMailer(stub.url, "Open MetOcean <service@example.org>");
    return sendAlert(testSendDeps(clock, { mailer }), channel, { ...facts, message }, signal);
  };

  it("has the id of the delivery and the words of the message, and one click unsubscribes", async () => {
    expect(await send()).toEqual({ kind: "delivered" });
    const [{ recipients, raw }] = stub!.emails as [SmtpStub["emails"][0]];
    expect(recipients).toEqual(["mate@example.org"]);
    const [head = ""] = raw.split("\r\n\r\n");
    const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
    const token = testSendDeps(clock).links.token("unsubscribe", channel.id, channel.target);
    expect(lines).toContain(`Message-ID: <${facts.id}@metocean>`);
    expect(lines).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    expect(lines).toContain(
      `List-Unsubscribe: <${publicUrl}/channels/unsubscribe?channel=${channel.id}&token=${token}>`,
    );
    const text = Buffer.from(
      raw.replaceAll("=\r\n", "").replaceAll(/=([0-9A-F]{2})/g, "%$1"),
      "latin1",
    ).toString();
    expect(decodeURIComponent(text.replaceAll(/%(?![0-9A-F]{2})/g, "%25"))).toContain(
      `Gusts of 41 kn on Tue 12 Jan 06:00 UTC, more than your limit of 34 kn.`,
    );
    for (const part of [
      "GFS 2027-01-10 12Z",
      `${publicUrl}/?p`,
      `${publicUrl}/inbox#unsubscribe`,
      "Not for navigation.",
    ])
      expect(decodeURIComponent(text.replaceAll(/%(?![0-9A-F]{2})/g, "%25"))).toContain(part);
  });

  it("says in its own language what it is", async () => {
    await send({ ...galeAlert, kind: "test", language: "de", title: "Böe", sentence: "Böen bis 41 kn" });
    const { raw } = stub!.emails[0]!;
    expect(raw).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(raw).toContain("Dies ist ein Test.");
    expect(raw).toContain("Nicht zur Navigation.");
  });

  it.each([
    [550, "gone", "mail_refused"],
    [554, "failed", "mail_refused"],
    [451, "failed", "mail_server"],
  ])("that the mail server rejects with %i results in %s, %s", async (status, kind, code) => {
    expect(await send(galeAlert, status)).toMatchObject({ kind, code });
  });
});
