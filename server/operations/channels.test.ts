import type { lookup as systemLookup } from "node:dns";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { networks } from "#server/alerts/address-guard.ts";
import { Calendars } from "#server/alerts/calendars.ts";
import { Channels } from "#server/alerts/channels.ts";
import type { Deliveries } from "#server/alerts/deliveries.ts";
import type { Context } from "#server/context.ts";
import { memoryRateLimiter } from "#server/http/rate-limiter.ts";
import { type Mailer, smtpMailer } from "#server/platform/mail.ts";
import {
  addAlert,
  openReceiver,
  publicUrl,
  type Receiver,
  testDeliveries,
  testSendDeps,
} from "#test/alerts.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { testRequestContext } from "#test/http.ts";
import { ask, connectContext, textOf } from "#test/send.ts";
import { openSmtpStub, type SmtpStub } from "#test/smtp-stub.ts";
import { openTestStore, type TestStore } from "#test/tasks.ts";

describeWithDatabase("channels", (fresh) => {
  let test: TestStore;
  let stub: SmtpStub;
  let mailer: Mailer;
  let receiver: Receiver;
  let deliveries: Deliveries;
  let channels: Channels;
  /** What names are: everything is this machine but what is said here. */
  const names: Record<string, string> = {};
  const lookup = ((host: string, _options: unknown, done: (error: null, found: object[]) => void) =>
    done(null, [{ address: names[host] ?? "127.0.0.1", family: 4 }])) as unknown as typeof systemLookup;
  const base = testRequestContext();

  beforeAll(async () => {
    test = await openTestStore(await fresh());
    stub = await openSmtpStub();
    mailer = smtpMailer(stub.url, "Open MetOcean <service@example.org>");
    receiver = await openReceiver();
    connect(mailer);
  });
  afterAll(async () => {
    await deliveries?.close();
    receiver?.close();
    mailer?.close();
    await stub?.close();
    await test?.database.close();
  });
  beforeEach(async () => {
    const { prisma } = test.database;
    await prisma.alertDelivery.deleteMany();
    await prisma.alert.deleteMany();
    await prisma.alertChannel.deleteMany();
    await prisma.alertCalendar.deleteMany();
    await prisma.watch.deleteMany();
    base.limiter = memoryRateLimiter(base.clock);
    base.time = 1_800_000_000;
    stub.emails.length = 0;
    receiver.received.length = 0;
    connect(mailer);
  });

  function connect(by: Mailer | undefined) {
    const { prisma } = test.database;
    const deps = testSendDeps(base.clock, { post: { allowed: networks(["127.0.0.1"]), lookup }, mailer: by });
    deliveries = testDeliveries(test.tables, deps);
    channels = new Channels({ ...deps, tables: prisma, log: base.log });
    const calendars = new Calendars({ tables: prisma, publicUrl });
    connectContext({ ...base, channels, deliveries, calendars } as unknown as Context);
  }
  const read = async (...request: Parameters<typeof ask>) => {
    const reply = await ask(...request);
    const text = await textOf(reply);
    return {
      status: reply.status,
      headers: reply.headers,
      json: text === "" ? undefined : JSON.parse(text),
      text,
    };
  };
  const create = (body: object, headers = {}) => read("POST", "/channels", { body, headers });
  const list = async (headers = {}) => (await read("GET", "/channels", { headers })).json;
  const other = { "x-api-key": "other-key" };
  const webhook = () => create({ kind: "webhook", target: `${receiver.url}/hook` });
  /** Links of the e-mails that came: of our page, with channel and token. */
  const links = async (name: string) => {
    await channels.close();
    return stub.emails.map(({ raw }) => {
      const text = raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
      const [, channel = "", token = ""] =
        new RegExp(`/inbox#${name}=([0-9a-f-]{36})\\.([\\w.-]+)`).exec(text) ?? [];
      return { channel, token };
    });
  };

  it("show the secret of a webhook once, and are their owner's alone", async () => {
    const made = await webhook();
    expect(made).toMatchObject({
      status: 201,
      json: {
        kind: "webhook",
        state: "active",
        secret: expect.stringMatching(/^whsec_/),
        target: `${receiver.url}/hook`,
      },
    });
    expect(await list()).toEqual({
      channels: [expect.objectContaining({ id: made.json.id, name: `${receiver.url}/hook`, error: null })],
      mail: true,
      calendar: false,
    });
    expect(JSON.stringify(await list())).not.toContain("whsec_");
    expect((await list(other)).channels).toEqual([]);
    for (const [method, path] of [
      ["DELETE", ""],
      ["POST", "/test"],
      ["POST", "/secret"],
      ["POST", "/confirmation"],
    ] as const) {
      const others = await read(method, `/channels/${made.json.id}${path}`, { headers: other });
      expect([others.status, others.json]).toEqual([404, { detail: "Channel not found" }]);
      const malformed = await read(method, `/channels/nothing${path}`);
      expect([malformed.status, malformed.json]).toEqual([404, { detail: "Channel not found" }]);
    }
    expect(receiver.received).toEqual([]);
    expect((await read("DELETE", `/channels/${made.json.id}`)).status).toBe(204);
    expect((await list()).channels).toEqual([]);
  });

  it("are refused where the target is not public, in the same words as where its name is unknown", async () => {
    Object.assign(names, { "inside.example.org": "10.1.2.3", "meta.example.org": "169.254.169.254" });
    const refused = [];
    for (const target of [
      "https://inside.example.org/",
      "https://meta.example.org/latest/meta-data",
      "https://10.0.0.1/",
      "https://[::1]/",
      "http://127.0.0.2/",
    ])
      for (const kind of ["webhook", "ntfy"])
        refused.push(await create({ kind, target: new URL("topic", target).href }));
    for (const { status, json } of refused) expect([status, json]).toEqual([422, refused[0]!.json]);
    expect(refused[0]!.json.detail[0].loc).toEqual(["body", "target"]);
    expect((await list()).channels).toEqual([]);
  });

  it.each([
    [{ kind: "mail", target: "a@example.org\r\nBcc: b@example.org" }, "target"],
    [{ kind: "mail", target: "nobody" }, "target"],
    [{ kind: "webhook", target: "ftp://example.org/" }, "target"],
    [{ kind: "webhook", target: "https://user:secret@example.org/" }, "target"],
    [{ kind: "webhook", target: "https://example.org/#a" }, "target"],
    [{ kind: "ntfy", target: "https://ntfy.sh/" }, "target"],
    [{ kind: "ntfy", target: "https://ntfy.sh/boat", token: "a b" }, "token"],
    [{ kind: "webhook", target: "https://example.org/", token: "a" }, "token"],
    [{ kind: "sms", target: "https://example.org/" }, "kind"],
  ])("of a wrong form are refused: %j", async (body, field) => {
    const { status, json } = await create(body);
    expect([status, json.detail[0].loc]).toEqual([422, ["body", field]]);
  });

  it("are one for each target, and twenty at most", async () => {
    await webhook();
    expect((await webhook()).status).toBe(409);
    const more = Array.from({ length: 25 }, (_, at) =>
      create({ kind: "webhook", target: `${receiver.url}/${at}` }),
    );
    const statuses = (await Promise.all(more)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(19);
    expect(statuses.filter((status) => status === 409)).toHaveLength(6);
    expect((await list()).channels).toHaveLength(20);
  });

  it("take another secret while the one before signs too, for a day", async () => {
    const { json: made } = await webhook();
    const sent = async () => {
      await addAlert(test.tables, [made.id], { owner: "good-key" });
      await deliveries.poll();
      await deliveries.settled();
      return receiver.received.at(-1)!.headers["webhook-signature"]!.toString().split(" ");
    };
    expect(await sent()).toHaveLength(1);
    const { json } = await read("POST", `/channels/${made.id}/secret`);
    expect(json.secret).toMatch(/^whsec_/);
    expect(json.secret).not.toBe(made.secret);
    const row = await test.database.prisma.alertChannel.findUniqueOrThrow({ where: { id: made.id } });
    expect([row.secret, row.oldSecret]).toEqual([json.secret, made.secret]);
    await test.database.prisma.alertChannel.update({
      where: { id: made.id },
      data: { oldSecretUntil: new Date((test.clock.now() + 10) * 1000) },
    });
    expect(await sent()).toHaveLength(2);
    test.pass(11);
    expect(await sent()).toHaveLength(1);
  });

  it("send a test by the way of alerts, and tell what came of it", async () => {
    const { json: made } = await webhook();
    const { status, json } = await read("POST", `/channels/${made.id}/test?language=de`);
    expect([status, json]).toEqual([200, { delivered: true, error: null }]);
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
      type: "alert.test",
      data: { title: "Test von Open MetOcean" },
    });
  });

  describe("of mail", () => {
    const address = { kind: "mail", target: "Mate@example.org" };

    it("are sent nothing but a link until its reader has confirmed it, by a POST, once they want to", async () => {
      const { json: made } = await create(address);
      expect(made).toMatchObject({ state: "unconfirmed", secret: null });
      await addAlert(test.tables, [made.id], { owner: "good-key" });
      await deliveries.poll();
      await deliveries.settled();
      expect((await read("POST", `/channels/${made.id}/test`)).status).toBe(409);
      const [link] = await links("confirm-channel");
      expect(stub.emails).toHaveLength(1);
      expect(link!.channel).toBe(made.id);
      const open = { "x-api-key": undefined };
      for (const wrong of [
        { ...link, token: `${link!.token}x` },
        { ...link, token: link!.token.replace(/^\d+/, (time) => String(Number(time) + 1)) },
        { ...link, channel: "0199aaaa-0000-7000-8000-000000000001" },
        { channel: "nothing", token: "" },
      ])
        expect((await read("POST", "/channels/confirm", { body: wrong, headers: open })).status).toBe(410);
      expect((await list()).channels[0].state).toBe("unconfirmed");
      expect((await read("POST", "/channels/confirm", { body: link, headers: open })).status).toBe(200);
      expect((await list()).channels[0].state).toBe("active");
      await deliveries.poll();
      await deliveries.settled();
      expect(stub.emails).toHaveLength(2);
    });

    it("are not confirmed by a link of more than three days ago", async () => {
      await create(address);
      const [link] = await links("confirm-channel");
      base.time += 3 * 86_400 + 1;
      expect((await read("POST", "/channels/confirm", { body: link })).status).toBe(410);
      base.time -= 2;
      expect((await read("POST", "/channels/confirm", { body: link })).status).toBe(200);
    });

    it("are ended by one click of a mail program, and only a new confirmation begins them again", async () => {
      const { json: made } = await create(address);
      const [link] = await links("confirm-channel");
      await read("POST", "/channels/confirm", { body: link });
      await addAlert(test.tables, [made.id], { owner: "good-key" });
      await deliveries.poll();
      await deliveries.settled();
      const head = stub.emails[1]!.raw.replace(/\r\n[ \t]+/g, " ");
      const target = /^List-Unsubscribe: <https:\/\/sea\.example\.org(\/channels\/unsubscribe\?\S+)>/m.exec(
        head,
      )![1]!;
      const open = { "x-api-key": undefined, "content-type": "application/x-www-form-urlencoded" };
      // What checks mails opens links: that changes nothing.
      const opened = await read("GET", target, { headers: open });
      expect([opened.status, opened.headers.location]).toEqual([
        303,
        expect.stringContaining("/inbox#unsubscribe="),
      ]);
      expect((await list()).channels[0].state).toBe("active");
      const clicked = await read("POST", target, {
        headers: open,
        body: "List-Unsubscribe=One-Click",
      });
      expect(clicked.status).toBe(200);
      expect((await list()).channels[0].state).toBe("unsubscribed");
      expect((await read("POST", `/channels/${made.id}/test`)).status).toBe(409);
      expect((await read("POST", `${target}x`, { headers: open })).status).toBe(410);
      expect((await read("POST", `/channels/${made.id}/confirmation`)).status).toBe(202);
      const again = (await links("confirm-channel")).at(-1);
      expect((await read("POST", "/channels/confirm", { body: again })).status).toBe(200);
      expect((await list()).channels[0].state).toBe("active");
      expect((await read("POST", `/channels/${made.id}/confirmation`)).status).toBe(409);
    });

    it("are no means to send e-mails to strangers", async () => {
      const statuses = async (count: number, make: (at: number) => object, headers = {}) => {
        const found = [];
        for (let at = 0; at < count; at++) found.push((await create(make(at), headers)).status);
        return found;
      };
      const same = { kind: "mail", target: "victim@example.org" };
      expect((await create(same)).status).toBe(201);
      const { id } = (await list()).channels[0];
      const asked = [];
      for (let each = 0; each < 3; each++)
        asked.push((await read("POST", `/channels/${id}/confirmation`)).status);
      expect(asked).toEqual([202, 202, 429]);
      expect(await statuses(1, () => same, other)).toEqual([429]);
      const many = await statuses(10, (at) => ({ kind: "mail", target: `v${at}@example.org` }));
      expect(many.filter((status) => status === 429).length).toBeGreaterThan(0);
      await channels.close();
      expect(stub.emails.length).toBeLessThanOrEqual(10);
    });

    it("are not made where the service sends no mail", async () => {
      connect(undefined);
      const { status, json } = await create(address);
      expect([status, json.detail[0].loc]).toEqual([422, ["body", "kind"]]);
      expect((await list()).mail).toBe(false);
    });
  });

  describe("the calendar of weather windows", () => {
    const window = (from: number, hours = 36) => ({ from, to: from + hours * 3600 });
    const watch = (owner: string, name: string, windows: object[], more = {}) =>
      test.database.prisma.watch.create({
        data: {
          id: crypto.randomUUID(),
          owner,
          name,
          question: {},
          language: "fr",
          found: { windows } as object,
          evaluatedAt: new Date(1_800_000_000_000),
          availableAt: new Date(),
          createdAt: new Date(),
          expiresAt: new Date(Date.now() + 86_400_000),
          ...more,
        },
      });
    const pathOf = (url: string) => url.slice(publicUrl.length);
    const open = { "x-api-key": undefined };

    it("is read without a key by its secret address, which can be changed and ended", async () => {
      await watch("good-key", "Rade, été", [window(1_800_010_000)]);
      await watch("other-key", "Bob", [window(1_800_010_000)]);
      const { json: first } = await read("POST", "/channels/calendar");
      expect(first.url).toMatch(/^https:\/\/sea\.example\.org\/calendars\/[\w-]{32}\.ics$/);
      const reply = await ask("GET", pathOf(first.url), { headers: open });
      expect([reply.status, reply.headers["content-type"]]).toEqual([200, "text/calendar; charset=utf-8"]);
      const text = await textOf(reply);
      expect(text.match(/^SUMMARY:.*/gm)).toEqual(["SUMMARY:Rade\\, été"]);
      expect(text).toContain("DTSTART:20270115T104640Z\r\nDTEND:20270116T224640Z");
      const known = { ...open, "if-none-match": reply.headers.etag };
      expect((await ask("GET", pathOf(first.url), { headers: known })).status).toBe(304);
      const { json: second } = await read("POST", "/channels/calendar");
      expect((await ask("GET", pathOf(first.url), { headers: open })).status).toBe(404);
      expect((await ask("GET", pathOf(second.url), { headers: open })).status).toBe(200);
      expect((await list()).calendar).toBe(true);
      expect((await ask("DELETE", "/channels/calendar")).status).toBe(204);
      expect((await ask("GET", pathOf(second.url), { headers: open })).status).toBe(404);
      expect((await ask("DELETE", "/channels/calendar")).status).toBe(404);
    });

    it("keeps the id of a window that a new run moves by some hours, and has two for two of a day", async () => {
      const day = Date.UTC(2027, 0, 12) / 1000;
      const { id } = await watch("good-key", "a", [window(day + 3600, 4), window(day + 12 * 3600, 4)]);
      const { json } = await read("POST", "/channels/calendar");
      const text = async () => textOf(await ask("GET", pathOf(json.url), { headers: open }));
      const before = (await text()).match(/^UID:.*/gm);
      expect(before).toEqual([`UID:${id}-20270112@sea.example.org`, `UID:${id}-20270112-2@sea.example.org`]);
      const found = { windows: [window(day + 7200, 4), window(day + 14 * 3600, 4)] };
      await test.database.prisma.watch.update({ where: { id }, data: { found } });
      expect((await text()).match(/^UID:.*/gm)).toEqual(before);
    });
  });
});
