import type { lookup as systemLookup } from "node:dns";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { Calendars } from "#server/alerts/calendars.ts";
import { Channels } from "#server/alerts/channels.ts";
import type { Deliveries } from "#server/alerts/deliveries.ts";
import { networks } from "#server/alerts/post-once.ts";
import { memoryRateLimiter } from "#server/http/rate-limiter.ts";
import { type Mailer, smtpMailer } from "#server/platform/mail.ts";
import { addAlert, openReceiver, publicUrl, type Receiver, testDeliveries, testSendDeps } from "./alerts.ts";
import { describeWithDatabase } from "./databases.ts";
import { testContext, testRequestContext } from "./http.ts";
import { ask, connectContext, textOf } from "./send.ts";
import { openSmtpStub, type SmtpStub } from "./smtp-stub.ts";
import { openTestStore, type TestStore } from "./tasks.ts";

/** Headers without a key. */
export const noKey = { "x-api-key": undefined };

/** Headers with the key of another owner. */
export const other = { "x-api-key": "other-key" };

/** The operations of channels, with a database, a mail server and a receiver of their own. */
export interface ChannelsApi {
  readonly test: TestStore;
  readonly receiver: Receiver;
  readonly emails: SmtpStub["emails"];
  /** Context whose `time` can be set. */
  readonly base: ReturnType<typeof testRequestContext>;
  /** Addresses by host name; every other name resolves to this machine. */
  readonly names: Record<string, string>;
  /** Removes the mail server from now on. */
  disconnectMail(): void;
  /** Resolves when every email with a link has been sent. */
  mailsSent(): Promise<void>;
  /** Delivers an alert through a channel of `good-key` as far as possible. */
  alert(channel: string): Promise<void>;
  /** Delivers everything that is due. */
  deliver(): Promise<void>;
  read(
    ...request: Parameters<typeof ask>
  ): Promise<{ status: number; headers: Record<string, string>; json: ReturnType<typeof JSON.parse> }>;
  list(headers?: Record<string, string>): ReturnType<ChannelsApi["read"]>;
  create(body: object, headers?: Record<string, string>): ReturnType<ChannelsApi["read"]>;
  webhook(): ReturnType<ChannelsApi["read"]>;
}

/** Describes tests of the operations of channels; all rows are deleted before each. */
export function describeChannels(name: string, tests: (api: ChannelsApi) => void): void {
  describeWithDatabase(name, (fresh) => {
    let test: TestStore;
    let stub: SmtpStub;
    let mailer: Mailer;
    let receiver: Receiver;
    let deliveries: Deliveries;
    let channels: Channels;
    const names: Record<string, string> = {};
    const lookup = ((host: string, _options: unknown, done: (error: null, found: object[]) => void) =>
      done(null, [{ address: names[host] ?? "127.0.0.1", family: 4 }])) as unknown as typeof systemLookup;
    const base = testRequestContext();

    const connect = (by: Mailer | undefined) => {
      const { prisma } = test.database;
      const post = { allowed: networks(["127.0.0.1"]), lookup };
      const deps = testSendDeps(base.clock, { post, mailer: by });
      deliveries = testDeliveries(test.tables, deps);
      channels = new Channels({ ...deps, tables: prisma, log: base.log });
      const calendars = new Calendars({ tables: prisma, publicUrl });
      connectContext(testContext({ ...base, channels, deliveries, calendars }));
    };
    beforeAll(async () => {
      test = await openTestStore(await fresh());
      stub = await openSmtpStub();
      mailer = smtpMailer(stub.url, "Open MetOcean <service@example.org>");
      receiver = await openReceiver();
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

    const read: ChannelsApi["read"] = async (...request) => {
      const reply = await ask(...request);
      const text = await textOf(reply);
      return {
        status: reply.status,
        headers: reply.headers,
        json: text === "" ? undefined : JSON.parse(text),
      };
    };
    const create: ChannelsApi["create"] = (body, headers) => read("POST", "/channels", { body, headers });
    const deliver = async () => {
      await deliveries.poll();
      await deliveries.settled();
    };
    tests({
      get test() {
        return test;
      },
      get receiver() {
        return receiver;
      },
      get emails() {
        return stub.emails;
      },
      base,
      names,
      disconnectMail: () => connect(undefined),
      mailsSent: () => channels.close(),
      async alert(channel) {
        await addAlert(test.tables, [channel], { owner: "good-key" });
        await deliver();
      },
      deliver,
      read,
      create,
      list: async (headers) => read("GET", "/channels", { headers }),
      webhook: () => create({ kind: "webhook", target: `${receiver.url}/hook` }),
    });
  });
}
