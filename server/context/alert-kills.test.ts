import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { expiryOf, watchRequest } from "#lib/contract/watch.ts";
import { parseInstant } from "#lib/time.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { WatchStore } from "#server/watches/store.ts";
import { addChannel, openReceiver, type Receiver, testSecret } from "#test/alerts.ts";
import { kill } from "#test/chaos/kill.ts";
import { messageId } from "#test/chaos/mails.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { openSmtpStub, type SmtpStub } from "#test/smtp-stub.ts";

const NOW = parseInstant("2026-09-15T12:00:00Z");

const program = path.resolve(import.meta.dirname, "../../test/processes/alert-sender.ts");

describeWithDatabase("a service that is killed (SIGKILL) while a watch finds something", (fresh) => {
  let database: Database | undefined;
  let smtp: SmtpStub | undefined;
  let receiver: Receiver | undefined;
  const lives: ChildProcess[] = [];
  afterEach(async () => {
    for (const life of lives) await kill(life);
    receiver?.close();
    await smtp?.close();
    await database?.close();
  });

  it("tells it once by each way; a repeat has its first id", { timeout: 60_000 }, async () => {
    const place = await fresh();
    database = await openDatabase(place);
    const tables = database.prisma;
    smtp = await openSmtpStub();
    receiver = await openReceiver();
    await addChannel(tables, { kind: "webhook", target: `${receiver.url}/hook`, secret: testSecret });
    await addChannel(tables, { kind: "mail", target: "ann@example.org" });
    const question = {
      kind: "place",
      latitude: 52,
      longitude: -20,
      window_hours: 24,
      conditions: [{ quantity: "gust_kt", over: 5 }],
    };
    const request = watchRequest.parse({ name: "breeze", question });
    await new WatchStore(tables).add("Ann", request, expiryOf(request, Date.now() / 1000));

    /** What the life before held is over: nobody waits for its end here. */
    const live = async (moment = "") => {
      await tables.$executeRaw`UPDATE alert_delivery SET available_at = now() WHERE state = 'PENDING'`;
      const args = [place.databaseUrl, place.dataDir, smtp!.url, String(NOW), moment];
      const life = spawn(process.execPath, [program, ...args], { stdio: "inherit" });
      lives.push(life);
      return life;
    };
    const diesAt = async (moment: string) => {
      const [, signal] = await once(await live(moment), "exit");
      expect(signal, moment).toBe("SIGKILL");
    };
    const kinds = async () => (await tables.alert.findMany()).map(({ kind }) => kind);
    const inState = (state: "PENDING" | "SENT") => tables.alertDelivery.count({ where: { state } });

    await diesAt("when the evaluation is written");
    expect([await kinds(), await inState("PENDING")]).toEqual([["fired"], 2]);
    // The target has it and nobody has written that down: a moment after which an alert comes twice.
    await diesAt("before webhook is recorded as sent");
    await live();
    await expect.poll(() => inState("SENT"), { timeout: 30_000 }).toBe(2);

    expect(await kinds()).toEqual(["fired"]);
    const hooks = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(hooks.length).toBeGreaterThanOrEqual(2);
    expect(new Set(hooks).size).toBe(1);
    expect(new Set(smtp.emails.map(({ raw }) => messageId(raw))).size).toBe(1);
  });
});
