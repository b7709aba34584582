import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { realClock } from "#server/platform/clock.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { type Mailer, MailRefusedError, smtpMailer } from "#server/platform/mail.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { hasImapServer, type ImapServer, openImapServer } from "#test/imap-server.ts";
import { rawMail, rawParts, readMail } from "#test/raw-mail.ts";
import { openSmtpStub, type SmtpStub } from "#test/smtp-stub.ts";
import { openTestStore, type TestStore } from "#test/tasks.ts";
import { until } from "#test/until.ts";
import type { MailWeather } from "./answer.ts";
import { openInbox } from "./inbox.ts";
import { Mailbox, type MailboxDeps } from "./mailbox.ts";
import { RequestRows } from "./request-rows.ts";

const key = `mo_${"k".repeat(8)}_${"s".repeat(33)}`;
const SPOT = "send spot:47N,5W|1,6|WIND";
const GFS = "send gfs:40N,50N,60W,45W|1,1|24|WIND";

const weather: MailWeather = {
  async file({ parts: [part] }) {
    if (part!.model.title !== "GFS")
      throw new ProcessingError(`This server does not have ${part!.model.title}.`);
    const contents = {
      title: "GFS",
      base: 0,
      variables: part!.parameters.map(({ variable }) => variable),
      step: 1,
      times: 1,
      last: 0,
    };
    return {
      name: "20260915_120000_GFS.grb2",
      content: Buffer.from("GRIB of this test"),
      contents: [{ ...contents, isSynthetic: false }],
      missing: [],
      isThinned: false,
    };
  },
  async series() {
    const conditions = { Winds_10m_Direction: 270, Winds_10m_Intensity: 10 };
    return {
      rows: [{ timestamp: "2026-09-15T12:00:00Z", conditions }],
      runs: ["GFS 2026-09-15T12Z"],
      isSynthetic: false,
    };
  },
};

describe.skipIf(!hasImapServer())("a mailbox (needs Dovecot)", () => {
  describeWithDatabase("with its rows", (fresh) => {
    let imap: ImapServer;
    let smtp: SmtpStub;
    let mailer: Mailer;
    let store: TestStore;
    let opened: Mailbox[];
    // All tests use one server, because Dovecot takes a second to stop.
    beforeAll(async () => {
      imap = await openImapServer();
    });
    afterAll(() => imap?.close());
    beforeEach(async () => {
      opened = [];
      imap.empty();
      [smtp, store] = await Promise.all([openSmtpStub(), fresh().then(openTestStore)]);
      mailer = smtpMailer(smtp.url, "Open MetOcean <weather@example.org>");
    });
    afterEach(async () => {
      for (const mailbox of opened) await mailbox.close();
      mailer.close();
      await Promise.all([smtp.close(), store.database.close()]);
    });

    function open(part: Partial<MailboxDeps> = {}): Mailbox {
      const mailbox = new Mailbox({
        open: (onNew, signal) => openInbox(imap.url, onNew, signal),
        lead: store.database.lead,
        rows: new RequestRows(store.tables),
        weather,
        mailer,
        own: ["weather@example.org"],
        senders: ["skipper@boat.example", "@crew.example"],
        keyId: async (text) => (text === key ? "the-key" : undefined),
        secret: "a secret of sixteen",
        perDay: 100,
        maxBytes: 500_000,
        clock: realClock,
        log: { info() {}, warn() {} },
        ...part,
      });
      opened.push(mailbox);
      return mailbox;
    }

    const sent = () => smtp.emails.map(({ raw, recipients }) => ({ ...readMail(raw), recipients }));
    const texts = () => sent().map(({ text }) => text.split("\n")[0]);
    const rows = () => store.database.prisma.mailRequest.findMany();

    it("answers a request with its file, under the Message-ID of its row, and marks it", async () => {
      imap.deliver(rawMail(GFS, { "Message-ID": "<1@boat.example>", Subject: "my secret" }));
      await open().poll();
      const [mail] = sent();
      const [row] = await rows();
      expect(mail!.recipients).toEqual(["skipper@boat.example"]);
      expect(mail!.files).toEqual([
        { name: "20260915_120000_GFS.grb2", content: Buffer.from("GRIB of this test") },
      ]);
      expect(mail!.text).toMatch(/^GFS 1970-01-01 00Z: WIND, 1 deg, 1 time to/);
      expect(Object.fromEntries(mail!.headers)).toMatchObject({
        "message-id": `<${row!.id}@metocean>`,
        "in-reply-to": "<1@boat.example>",
        "auto-submitted": "auto-replied",
        subject: "Open MetOcean",
      });
      expect(JSON.stringify(row)).not.toContain("boat.example");
      expect(imap.flags()).toEqual(["RS"]);
    });

    it("answers as soon as the server announces a message", async () => {
      open().start();
      imap.deliver(rawMail(SPOT));
      await until(() => smtp.emails.length === 1);
      imap.deliver(rawMail(SPOT));
      await until(() => smtp.emails.length === 2);
    });

    it("answers every line of a message in one e-mail, errors in one line each", async () => {
      imap.deliver(rawMail(`${SPOT}\nsend ecmwf:40N,50N,60W,45W|1,1|24|WIND\nsend gfs:nowhere`));
      imap.deliver(rawMail("How is the weather?"));
      await open().poll();
      const [mail, other] = sent();
      expect(mail!.text.split("\n")).toEqual([
        "47.00N 5.00W UTC, GFS 2026-09-15T12Z",
        "DAY UTC FROM KN",
        " 15 12Z  270 19",
        "",
        "This server does not have ECMWF.",
        "",
        "The area has two latitudes and two longitudes: gfs:40N,50N,60W,45W",
        "",
        "Not for navigation.",
        "",
      ]);
      expect(other!.text).toMatch(/^There is no request in the e-mail\. Write "send" and gfs:[^\n]*\n$/);
    });

    it("answers those on the list, those of its domains, and those with a valid key in the subject", async () => {
      imap.deliver(rawMail(SPOT, { From: "SKIPPER@boat.example" }));
      imap.deliver(rawMail(SPOT, { From: "cook@crew.example" }));
      imap.deliver(rawMail(SPOT, { From: "stranger@example.net", Subject: `weather ${key}` }));
      await open().poll();
      const to = sent().map(({ recipients }) => recipients);
      expect(to).toEqual([["skipper@boat.example"], ["cook@crew.example"], ["stranger@example.net"]]);
      expect(smtp.emails.map(({ raw }) => raw).join()).not.toContain(key);
    });

    it("says nothing to strangers, wrong keys, programs and lists, and stores nothing of them", async () => {
      imap.deliver(rawMail(SPOT, { From: "stranger@example.net" }));
      imap.deliver(rawMail(SPOT, { From: "x@sub.crew.example" }));
      imap.deliver(rawMail(SPOT, { From: "x@example.net", Subject: key.replace("k", "x") }));
      imap.deliver(rawMail(SPOT, { "Auto-Submitted": "auto-replied" }));
      imap.deliver(rawMail(SPOT, { "List-Id": "<crew.example>" }));
      imap.deliver(rawMail(SPOT, { "Content-Type": "multipart/report; boundary=x" }));
      imap.deliver(rawMail(SPOT, { From: "weather@example.org" }));
      imap.deliver(rawMail(SPOT, { From: "a@crew.example, b@crew.example" }));
      imap.deliver(rawMail("Thank you", { "In-Reply-To": "<0198c0de@metocean>" }));
      await open().poll();
      expect(sent()).toEqual([]);
      expect(await rows()).toHaveLength(1);
    });

    it("reads the text of a message and none of its attachments", async () => {
      const attachment = { type: "text/plain", disposition: "attachment; filename=a.txt", content: GFS };
      for (const parts of [
        rawParts({ type: "text/plain", content: SPOT }, attachment),
        rawParts(attachment, { type: "text/html", content: "<p>send</p>" }),
        rawParts({ type: "message/rfc822", content: rawMail(GFS) }),
      ])
        imap.deliver(rawMail(parts.text, { "Content-Type": parts.type }));
      await open().poll();
      expect(sent().flatMap(({ files }) => files)).toEqual([]);
      expect(texts()).toEqual([
        "47.00N 5.00W UTC, GFS 2026-09-15T12Z",
        expect.stringMatching(/^The e-mail has no plain text/),
        expect.stringMatching(/^The e-mail has no plain text/),
      ]);
    });

    it("answers a message once, also one that was delivered twice, and by one of several processes", async () => {
      const mail = rawMail(SPOT);
      imap.deliver(mail);
      imap.deliver(mail);
      const boxes = [open(), open()];
      for (let round = 0; round < 2; round++) await Promise.all(boxes.map((each) => each.poll()));
      await boxes[0]!.close();
      await boxes[1]!.close();
      await open().poll();
      expect(sent()).toHaveLength(1);
      expect(imap.flags()).toEqual(["RS", "RS"]);
    });

    it("sends a second copy under the same Message-ID where the process ends before it has noted the first", async () => {
      imap.deliver(rawMail(SPOT));
      const killed = new RequestRows(store.tables);
      const fail = (): Promise<never> => Promise.reject(new Error("killed"));
      Object.assign(killed, { end: fail, retry: fail, release: fail });
      const first = open({ rows: killed });
      await first.poll();
      await first.close();
      const second = open();
      await second.poll();
      expect(sent()).toHaveLength(1);
      store.pass(16);
      await second.poll();
      await second.poll();
      expect(sent()).toHaveLength(2);
      expect(new Set(sent().map(({ headers }) => headers.get("message-id"))).size).toBe(1);
    });

    it("does not answer again where the process ends before it has marked the message", async () => {
      imap.deliver(rawMail(SPOT));
      const first = open({
        open: async (onNew, signal) => {
          const inbox = await openInbox(imap.url, onNew, signal);
          return { ...inbox, isOpen: true, markAnswered: () => Promise.reject(new Error("killed")) };
        },
      });
      await first.poll();
      await first.close();
      expect(imap.flags()).not.toContain("RS");
      await open().poll();
      expect(sent()).toHaveLength(1);
      expect(imap.flags()).toEqual(["RS"]);
    });

    it("sends a sender as many answers as a day has, says so once, and goes on a day later", async () => {
      const mailbox = open({ perDay: 2 });
      for (let each = 0; each < 5; each++) imap.deliver(rawMail(SPOT));
      imap.deliver(rawMail(SPOT, { From: "cook@crew.example" }));
      await mailbox.poll();
      expect(texts()).toEqual([
        expect.stringMatching(/^47/),
        expect.stringMatching(/^47/),
        "You have had 2 answers in 24 hours, the most that are sent. Please write again tomorrow.",
        expect.stringMatching(/^47/),
      ]);
      store.pass(86_401);
      imap.deliver(rawMail(SPOT));
      await mailbox.poll();
      expect(sent()).toHaveLength(5);
    });

    it("counts the answers of a key together, whatever the addresses", async () => {
      for (const name of ["a", "b", "c"])
        imap.deliver(rawMail(SPOT, { From: `${name}@example.net`, Subject: key }));
      await open({ perDay: 1 }).poll();
      expect(sent().map(({ recipients }) => recipients[0])).toEqual(["a@example.net", "b@example.net"]);
    });

    it("tries an e-mail again that could not be sent, and gives up one that is refused", async () => {
      const failures: Error[] = [new Error("451 try later")];
      const send: Mailer["send"] = async (mail) => {
        const failure = failures.shift();
        if (failure) throw failure;
        await mailer.send(mail);
      };
      const mailbox = open({ mailer: { send } });
      imap.deliver(rawMail(SPOT));
      await mailbox.poll();
      await mailbox.poll();
      expect(sent()).toHaveLength(0);
      store.pass(31);
      await mailbox.poll();
      expect(sent()).toHaveLength(1);
      failures.push(new MailRefusedError("The mail server refused the email (550)", 550));
      imap.deliver(rawMail(SPOT));
      await mailbox.poll();
      store.pass(86_400);
      await mailbox.poll();
      expect(sent()).toHaveLength(1);
      expect((await rows()).map(({ error }) => error).sort()).toEqual([
        "The mail server refused the email (550)",
        null,
      ]);
    });

    it("opens the mailbox again after its server was away", async () => {
      const mailbox = open();
      imap.deliver(rawMail(SPOT));
      await mailbox.poll();
      await imap.stop();
      await mailbox.poll();
      await imap.start();
      imap.deliver(rawMail(SPOT));
      await mailbox.poll();
      await mailbox.poll();
      expect(sent()).toHaveLength(2);
    });
  });
});
