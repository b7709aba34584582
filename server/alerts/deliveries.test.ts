import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  addAlert,
  addChannel,
  galeAlert,
  openReceiver,
  type Receiver,
  testDeliveries,
  testSecret,
  testSendDeps,
} from "#test/alerts.ts";
import { ja } from "#test/all-words.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { hostileHost, type Misbehaviour } from "#test/hostile-host.ts";
import { openTestStore, type TestStore } from "#test/tasks.ts";
import { type Outcome, sendAlert } from "./send-alert.ts";

/** State of a channel whose last delivery arrived. */
const working = { failingAt: null, error: null, errorCode: null, disabledAt: null };

const HOUR = 3600;

describeWithDatabase("deliveries of alerts", (fresh) => {
  let test: TestStore;
  const receivers: Receiver[] = [];
  const running: ReturnType<typeof testDeliveries>[] = [];
  beforeAll(async () => {
    test = await openTestStore(await fresh());
  });
  afterAll(() => test?.database.close());
  beforeEach(async () => {
    const { prisma } = test.database;
    await prisma.alertDelivery.deleteMany();
    await prisma.alert.deleteMany();
    await prisma.alertChannel.deleteMany();
  });
  afterEach(async () => {
    for (const receiver of receivers.splice(0)) receiver.close();
    for (const deliveries of running.splice(0)) await deliveries.close();
  });

  const open = async (...answer: Parameters<typeof openReceiver>) => {
    const receiver = await openReceiver(...answer);
    receivers.push(receiver);
    return receiver;
  };
  const replica = (...more: [Parameters<typeof testDeliveries>[2]?]) => {
    const deliveries = testDeliveries(test.tables, testSendDeps(test.clock), ...more);
    running.push(deliveries);
    return deliveries;
  };
  const webhook = (target: string, more = {}) =>
    addChannel(test.database.prisma, { kind: "webhook", target, secret: testSecret, ...more });
  const round = async (...deliveries: ReturnType<typeof replica>[]) => {
    await Promise.all(deliveries.map((one) => one.poll()));
    await Promise.all(deliveries.map((one) => one.settled()));
  };
  const deliveryOf = (id: string) => test.database.prisma.alertDelivery.findUniqueOrThrow({ where: { id } });
  const channelOf = (id: string) => test.database.prisma.alertChannel.findUniqueOrThrow({ where: { id } });
  const notes = () => test.database.prisma.alert.findMany({ where: { kind: "channel" } });
  const secondsUntil = async (id: string) => {
    const [row] = await test.tables.$queryRaw<{ s: number }[]>`
      SELECT extract(epoch FROM available_at - now())::float8 AS s FROM alert_delivery WHERE id = ${id}::uuid`;
    return row!.s;
  };

  it("go neither to unconfirmed channels nor to channels of a kind that this service cannot send by", async () => {
    const { url, received } = await open();
    const unconfirmed = await webhook(url, { verified: false });
    const mail = await addChannel(test.database.prisma, { kind: "mail", target: "ann@example.org" });
    const ids = await addAlert(test.tables, [unconfirmed, mail]);
    await round(replica());
    expect(received).toEqual([]);
    for (const id of ids) expect(await deliveryOf(id)).toMatchObject({ state: "PENDING", attempts: 0 });
  });

  it("go out once each, however often and by however many processes they are looked for", async () => {
    const { url, received } = await open();
    const [one, two] = [await webhook(`${url}/1`), await webhook(`${url}/2`)];
    const ids = [...(await addAlert(test.tables, [one, two])), ...(await addAlert(test.tables, [one, two]))];
    const replicas = [replica(), replica(), replica()];
    for (let times = 0; times < 4; times++) {
      await round(...replicas);
      // The clock stands still, then continues.
      test.pass(times * HOUR);
    }
    expect(received.map(({ headers }) => headers["webhook-id"]).sort()).toEqual(ids.sort());
    for (const id of ids)
      expect(await deliveryOf(id)).toMatchObject({ state: "SENT", attempts: 1, error: null });
  });

  it("are repeated under the same id after a kill between sending and recording, and nothing is lost", async () => {
    const { url, received } = await open();
    const [id] = await addAlert(test.tables, [await webhook(url)]);
    const sent = Promise.withResolvers<void>();
    // A killed process has sent the message, but never records it or renews the claim.
    const deps = testSendDeps(test.clock);
    const killed = testDeliveries(test.tables, deps, {
      send: async (channel, facts, signal) => {
        await sendAlert(deps, channel, facts, signal);
        sent.resolve();
        return new Promise<Outcome>(() => {});
      },
    });
    await killed.poll();
    await sent.promise;
    const next = replica();
    await round(next);
    expect(received).toHaveLength(1);
    test.pass(31);
    await round(next);
    test.pass(HOUR);
    await round(next);
    expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);
    expect(received[0]!.body).toBe(received[1]!.body);
    expect(await deliveryOf(id!)).toMatchObject({ state: "SENT", attempts: 2 });
  });

  it.each<[string, Outcome]>([
    ["failed", { kind: "failed", code: "timeout", error: "late", retryAfterS: 0 }],
    ["delivered", { kind: "delivered" }],
  ])(
    "of a process that lost its claim change nothing any more, whatever came of them: %s",
    async (_, late) => {
      const [id] = await addAlert(test.tables, [await webhook("http://127.0.0.1:9/")]);
      const [first, second] = [Promise.withResolvers<Outcome>(), Promise.withResolvers<Outcome>()];
      const [slow, next] = [first, second].map(({ promise }) => replica({ send: () => promise }));
      await slow!.poll();
      test.pass(31);
      await next!.poll();
      const claimed = await deliveryOf(id!);
      expect(claimed).toMatchObject({ state: "PENDING", attempts: 2 });
      first.resolve(late);
      await slow!.settled();
      expect(await deliveryOf(id!)).toEqual(claimed);
      second.resolve({ kind: "delivered" });
      await next!.settled();
      expect(await deliveryOf(id!)).toMatchObject({ state: "SENT", error: null });
      expect(await channelOf(claimed.channelId)).toMatchObject({ failingAt: null });
    },
  );

  it("are tried again at growing intervals, not earlier, and the text says why", async () => {
    const { url, received } = await open((response, count) =>
      response.writeHead(count < 4 ? 503 : 204).end(),
    );
    const channel = await webhook(url);
    const [id] = await addAlert(test.tables, [channel]);
    const deliveries = replica();
    const waits = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      await round(deliveries);
      waits.push(Math.round(await secondsUntil(id!)));
      expect(await deliveryOf(id!)).toMatchObject({
        state: "PENDING",
        error: "the target answered HTTP 503",
      });
      test.pass(waits.at(-1)! - 1);
      await round(deliveries);
      expect(received).toHaveLength(attempt);
      test.pass(2);
    }
    expect(waits).toEqual([5, 30, 120]);
    expect(await channelOf(channel)).toMatchObject({ failingAt: expect.any(Date), errorCode: "status" });
    await round(deliveries);
    expect(await deliveryOf(id!)).toMatchObject({ state: "SENT", attempts: 4 });
    expect(await channelOf(channel)).toMatchObject(working);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([id]));
    expect(deliveries.counts).toEqual({ delivered: 1, failed: 3, disabled: 0 });
  });

  it("are tried again in time although the database's clock was a day ahead when they failed", async () => {
    let status = 503;
    const { url, received } = await open((response) => response.writeHead(status).end());
    const [id] = await addAlert(test.tables, [await webhook(url)]);
    const deliveries = replica();
    test.pass(86_400);
    await round(deliveries);
    test.pass(-86_400);
    status = 204;
    await round(deliveries);
    expect(received).toHaveLength(2);
    expect(await deliveryOf(id!)).toMatchObject({ state: "SENT", attempts: 2 });
  });

  it("end at once where the target says that it is gone, with one note in the inbox, in the language of the alert", async () => {
    const { url, received } = await open((response) => response.writeHead(410).end());
    const channel = await webhook(url);
    const message = { ...galeAlert, language: "ja" };
    const waiting = await addAlert(test.tables, [channel], { message });
    waiting.push(...(await addAlert(test.tables, [channel], { message })));
    await round(replica(), replica());
    test.pass(HOUR);
    await round(replica());
    expect(received.length).toBeLessThanOrEqual(2);
    expect(await channelOf(channel)).toMatchObject({ disabledAt: expect.any(Date), errorCode: "gone" });
    for (const id of waiting)
      expect(await deliveryOf(id)).toMatchObject({
        state: "FAILURE",
        error: "the target is gone (HTTP 410)",
      });
    expect(await notes()).toMatchObject([
      {
        owner: "Ann",
        watchId: null,
        readAt: null,
        payload: {
          kind: "channel",
          title: expect.stringContaining(url),
          sentence: expect.stringContaining(ja.channels.faults.gone),
        },
      },
    ]);
  });

  it("end after a day of failure, even over New Year, and a success in between starts the day again", async () => {
    let status = 500;
    const { url, received } = await open((response) => response.writeHead(status).end());
    const channel = await webhook(url);
    const deliveries = replica();
    const pass = async (hours: number) => {
      for (let quarter = 0; quarter < hours * 4; quarter++) {
        test.pass(HOUR / 4);
        await round(deliveries);
      }
    };
    // The time is half past eleven at night on 31 December.
    test.pass(Date.UTC(2027, 11, 31, 23, 30) / 1000 - test.clock.now());
    await addAlert(test.tables, [channel]);
    await round(deliveries);
    await pass(20);
    status = 200;
    await pass(3);
    expect(await channelOf(channel)).toMatchObject({ failingAt: null, disabledAt: null });
    status = 500;
    const [id] = await addAlert(test.tables, [channel]);
    await round(deliveries);
    await pass(23);
    expect((await channelOf(channel)).disabledAt).toBeNull();
    expect(await notes()).toEqual([]);
    await pass(4);
    expect((await channelOf(channel)).disabledAt).not.toBeNull();
    expect(await deliveryOf(id!)).toMatchObject({ state: "FAILURE" });
    expect(await notes()).toHaveLength(1);
    const count = received.length;
    await pass(6);
    expect(received).toHaveLength(count);
  });

  it("to one slow target delay neither other targets nor other owners", async () => {
    const stuck = await open(() => {});
    const quick = await open();
    const slow = [];
    for (let each = 0; each < 6; each++) slow.push(await webhook(`${stuck.url}/${each}`));
    const other = await webhook(quick.url);
    const bobs = await webhook(quick.url, { owner: "Bob" });
    await addAlert(test.tables, slow);
    await addAlert(test.tables, [other]);
    await addAlert(test.tables, [bobs], { owner: "Bob" });
    const deliveries = replica();
    await deliveries.poll();
    const seen = () => [quick.received.length, stuck.received.length, deliveries.sending];
    await expect.poll(seen).toEqual([2, 2, 2]);
    stuck.close();
  });

  it("of one owner take at most four places, so that others have theirs", async () => {
    const stuck: Receiver[] = [];
    for (let each = 0; each < 3; each++) stuck.push(await open(() => {}));
    const anns = [];
    for (const { url } of stuck) anns.push(await webhook(`${url}/a`), await webhook(`${url}/b`));
    await addAlert(test.tables, anns);
    const deliveries = replica();
    await deliveries.poll();
    expect(deliveries.sending).toBe(4);
    const quick = await open();
    await addAlert(test.tables, [await webhook(quick.url, { owner: "Bob" })], { owner: "Bob" });
    await deliveries.poll();
    await expect.poll(() => quick.received.length).toBe(1);
    for (const receiver of stuck) receiver.close();
  });

  it.each<Misbehaviour>(["says nothing", "switches protocols", "sends a body byte by byte"])(
    "to a target that %s are given back when the process stops, within its time",
    async (how) => {
      await using host = await hostileHost(how);
      const [id] = await addAlert(test.tables, [await webhook(`http://127.0.0.1:${host.port}/`)]);
      const deliveries = replica();
      await deliveries.poll();
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      const closed = deliveries.close();
      await vi.advanceTimersByTimeAsync(5_000);
      await closed;
      expect(deliveries.sending).toBe(0);
      vi.useRealTimers();
      expect(await deliveryOf(id!)).toMatchObject({ state: "PENDING", attempts: 1 });
    },
  );

  it("of owners whose targets all hang leave the next free place to an owner who has none", async () => {
    const hanging: { owner: string; end(): void }[] = [];
    const arrived: string[] = [];
    const deliveries = replica({
      send: (channel) => {
        if (channel.target.includes("quick")) {
          arrived.push(channel.target);
          return Promise.resolve({ kind: "delivered" });
        }
        const { promise, resolve } = Promise.withResolvers<Outcome>();
        const late: Outcome = { kind: "failed", code: "timeout", error: "late", retryAfterS: 0 };
        hanging.push({ owner: channel.name, end: () => resolve(late) });
        return promise;
      },
    });
    for (let owner = 0; owner < 8; owner++) {
      const ways: string[] = [];
      for (let each = 0; each < 6; each++)
        ways.push(
          await webhook(`http://host-${each}.example.org/${owner}`, {
            owner: `${owner}`,
            host: `${owner} ${each}`,
          }),
        );
      await addAlert(test.tables, ways, { owner: `${owner}` });
    }
    await deliveries.poll();
    expect(hanging).toHaveLength(32);
    // The deliveries of the others have waited for longer.
    test.pass(1);
    await addAlert(test.tables, [await webhook("http://quick.example.org/", { owner: "Bob" })], {
      owner: "Bob",
    });
    await deliveries.poll();
    expect(arrived).toEqual([]);
    hanging[0]!.end();
    await expect.poll(() => arrived).toEqual(["http://quick.example.org/"]);
    for (const { end } of hanging) end();
    await expect.poll(() => hanging.length).toBe(48);
    for (const { end } of hanging) end();
    await deliveries.settled();
  });

  it("continue for an hour in which the mail server and the targets of one owner hang, and a stop ends in time", async () => {
    const hanging: (() => void)[] = [];
    const arrived: string[] = [];
    const deliveries = replica({
      sendsMail: true,
      send: ({ target }, _facts, signal) => {
        if (target.includes("quick")) {
          arrived.push(target);
          return Promise.resolve({ kind: "delivered" });
        }
        const { promise, resolve } = Promise.withResolvers<Outcome>();
        const end = () => resolve({ kind: "failed", code: "timeout", error: "late", retryAfterS: 0 });
        signal.addEventListener("abort", end);
        hanging.push(end);
        return promise;
      },
    });
    // There are more owners than places.
    for (let each = 0; each < 36; each++) {
      const owner = `${each}`;
      const mail = { kind: "mail", target: `${each}@example.org`, owner } as const;
      await addAlert(test.tables, [await addChannel(test.database.prisma, mail)], { owner });
    }
    const anns: string[] = [];
    for (let each = 0; each < 36; each++)
      anns.push(await webhook(`http://${each}.example.org/`, { owner: "Ann" }));
    const bobs = await webhook("http://quick.example.org/", { owner: "Bob" });
    for (let count = 1; count <= 12; count++) {
      await addAlert(test.tables, anns, { owner: "Ann" });
      await addAlert(test.tables, [bobs], { owner: "Bob" });
      await deliveries.poll();
      await expect.poll(() => [arrived.length, deliveries.sending]).toEqual([count, 6]);
      // The hanging requests reach their time limit, and others of the same owners take their places.
      for (const end of hanging.splice(0)) end();
      await expect.poll(() => hanging.length).toBe(6);
      test.pass(HOUR / 12);
    }
    await deliveries.poll();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const closed = deliveries.close();
    await vi.advanceTimersByTimeAsync(5_000);
    await closed;
    expect(deliveries.sending).toBe(0);
  });

  it("in progress are ended when the process stops, and none is begun any more", async () => {
    const { url, received } = await open();
    const channel = await webhook(url);
    await addAlert(test.tables, [channel]);
    const deliveries = replica();
    await deliveries.poll();
    await deliveries.close();
    expect(received).toHaveLength(1);
    await addAlert(test.tables, [channel]);
    await deliveries.poll();
    await deliveries.settled();
    expect(received).toHaveLength(1);
    await round(replica());
    expect(received).toHaveLength(2);
  });

  describe("a test", () => {
    const message = { ...galeAlert, kind: "test" as const };

    it("is tried once, reports why it failed, and does not count as a failure of the channel", async () => {
      const { url, received } = await open((response) => response.writeHead(403).end("inside"));
      const channel = await webhook(url);
      const deliveries = replica();
      const outcome = await deliveries.test("Ann", channel, message);
      const error = "the target answered HTTP 403";
      expect(outcome).toMatchObject({ kind: "failed", code: "status", error });
      test.pass(HOUR);
      await round(deliveries);
      expect(received).toHaveLength(1);
      expect(await channelOf(channel)).toMatchObject({ failingAt: null, error, errorCode: "status" });
    });

    it("that hangs takes no place of an alert, and an owner has two at a time", async () => {
      const hanging: (() => void)[] = [];
      const deliveries = replica({
        send: async (_channel, facts) => {
          if (facts.message.kind === "test") await new Promise<void>((resolve) => hanging.push(resolve));
          return { kind: "delivered" };
        },
      });
      const channel = await webhook("http://127.0.0.1:9/");
      const tests = [0, 1].map(() => deliveries.test("Ann", channel, message));
      await expect.poll(() => hanging.length).toBe(2);
      await expect(deliveries.test("Ann", channel, message)).rejects.toMatchObject({ retryAfter: 10 });
      const [id] = await addAlert(test.tables, [channel]);
      await deliveries.poll();
      await expect.poll(async () => (await deliveryOf(id!)).state).toBe("SENT");
      for (const end of hanging) end();
      expect(await Promise.all(tests)).toEqual([{ kind: "delivered" }, { kind: "delivered" }]);
    });

    it("enables a disabled channel again when it arrives, and belongs to its owner only", async () => {
      let status = 410;
      const { url } = await open((response) => response.writeHead(status).end());
      const channel = await webhook(url);
      const deliveries = replica();
      await addAlert(test.tables, [channel]);
      await round(deliveries);
      expect((await channelOf(channel)).disabledAt).not.toBeNull();
      status = 200;
      expect(await deliveries.test("Bob", channel, message)).toBeUndefined();
      expect((await channelOf(channel)).disabledAt).not.toBeNull();
      expect(await deliveries.test("Ann", channel, message)).toEqual({ kind: "delivered" });
      expect(await channelOf(channel)).toMatchObject(working);
    });
  });
});
