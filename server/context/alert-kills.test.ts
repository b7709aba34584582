import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { expiryOf, watchRequest } from "#lib/contract/watch.ts";
import { HOUR_S } from "#lib/time.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { WatchStore } from "#server/watches/store.ts";
import { addChannel, openReceiver, type Receiver, testSecret } from "#test/alerts.ts";
import { kill } from "#test/chaos/kill.ts";
import { messageId } from "#test/chaos/mails.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { BEFORE_GALE, demoGusts, GALE_PLACE, hoursBeforeGale } from "#test/demo-gale.ts";
import { openSmtpStub, type SmtpStub } from "#test/smtp-stub.ts";

const WINDOW = 24;
const CYCLE_H = 6;
const LIMIT_KT = 40;
/** By which gusts are below their limit before a watch clears. */
const MARGIN_KT = 3;

const program = path.resolve(import.meta.dirname, "../../test/processes/alert-sender.ts");

describeWithDatabase(
  "a service that is killed (SIGKILL) while a watch finds the demo's next gale",
  (fresh) => {
    let database: Database | undefined;
    let smtp: SmtpStub | undefined;
    const receivers: Receiver[] = [];
    const lives: ChildProcess[] = [];
    afterEach(async () => {
      for (const life of lives) await kill(life);
      for (const receiver of receivers) receiver.close();
      await smtp?.close();
      await database?.close();
    });

    it("tells it once by each way, on the run that first shows it, and once that it is over; a repeat has its first id", {
      timeout: 300_000,
    }, async () => {
      const gusts = await demoGusts(demoArchive(BEFORE_GALE), hoursBeforeGale(150), BEFORE_GALE);
      const runs = Math.floor((gusts.length - WINDOW - 1) / CYCLE_H);
      const worst = Array.from({ length: runs }, (_, run) =>
        Math.max(...gusts.slice(run * CYCLE_H, run * CYCLE_H + WINDOW + 1)),
      );
      const shows = worst.findIndex((gust) => gust > LIMIT_KT);
      const over = worst.findIndex((gust, run) => run > shows && gust < LIMIT_KT - MARGIN_KT);
      expect(shows).toBeGreaterThan(1);
      expect(over).toBeGreaterThan(shows);

      const place = await fresh();
      database = await openDatabase(place);
      const tables = database.prisma;
      smtp = await openSmtpStub();
      let answers = true;
      const open = async () => {
        const receiver = await openReceiver((response) => answers && response.end());
        receivers.push(receiver);
        return receiver;
      };
      const [webhook, topic] = [await open(), await open()];
      const channels = [
        { kind: "webhook", target: `${webhook.url}/hook`, secret: testSecret },
        { kind: "ntfy", target: `${topic.url}/gales` },
        { kind: "mail", target: "ann@example.org" },
      ] as const;
      for (const channel of channels) await addChannel(tables, channel);
      const question = {
        kind: "place",
        ...GALE_PLACE,
        window_hours: WINDOW,
        conditions: [{ quantity: "gust_kt", over: LIMIT_KT }],
      };
      const request = watchRequest.parse({ name: "gale", question });
      await new WatchStore(tables).add("Ann", request, expiryOf(request, Date.now() / 1000));

      /** What the life before held is over: nobody waits for its end here. */
      const live = async (run: number, moment = "") => {
        await tables.$executeRaw`UPDATE watch_lease SET until = now()`;
        await tables.$executeRaw`UPDATE alert_delivery SET available_at = now() WHERE state = 'PENDING'`;
        const now = BEFORE_GALE + run * CYCLE_H * HOUR_S;
        const args = [place.databaseUrl, place.dataDir, smtp!.url, String(now), moment];
        const life = spawn(process.execPath, [program, ...args], { stdio: "inherit" });
        lives.push(life);
        return life;
      };
      const diesAt = async (run: number, moment: string) => {
        const [, signal] = await once(await live(run, moment), "exit");
        expect(signal, moment).toBe("SIGKILL");
      };
      const alerts = async () =>
        (await tables.alert.findMany({ orderBy: { createdAt: "asc" } })).map(({ kind, payload }) => [
          kind,
          (payload as { run_at: number }).run_at,
        ]);
      const waiting = () => tables.alertDelivery.count({ where: { state: "PENDING" } });
      const livesUntilAllIsSent = async (run: number, count: number) => {
        const life = await live(run);
        await expect
          .poll(() => tables.alertDelivery.count({ where: { state: "SENT" } }), { timeout: 60_000 })
          .toBe(count);
        await kill(life);
      };
      /** Ids by which each way has seen the alerts, each time. */
      const ids = () => ({
        webhook: webhook.received.map(({ headers }) => headers["webhook-id"]),
        ntfy: topic.received.map(({ body }) => JSON.parse(body).sequence_id as string),
        mail: smtp!.emails.map(({ raw }) => messageId(raw)),
      });
      const distinct = () => Object.values(ids()).map((seen) => new Set(seen).size);

      await diesAt(shows - 1, "when the evaluation is written");
      expect(await alerts()).toEqual([]);
      await diesAt(shows, "before the evaluation is written");
      expect(await alerts()).toEqual([]);
      await diesAt(shows, "when the evaluation is written");
      const fired = await alerts();
      expect(fired).toMatchObject([["fired", expect.any(Number)]]);
      expect([distinct(), await waiting()]).toEqual([[0, 0, 0], 3]);

      // The mail server has accepted it and nobody has written it down: a moment after which an alert comes twice. Receivers have
      // the request and do not answer.
      answers = false;
      await diesAt(shows, "before mail is recorded as sent");
      answers = true;
      await diesAt(shows, "before webhook is recorded as sent");
      await livesUntilAllIsSent(shows, 3);
      expect(distinct()).toEqual([1, 1, 1]);
      const first = ids();
      expect(first.webhook.length).toBeGreaterThanOrEqual(2);
      expect(first.mail.length).toBeGreaterThanOrEqual(2);

      // A run that shows that it is over.
      await diesAt(over, "when mail is recorded as sent");
      await livesUntilAllIsSent(over, 6);
      expect(distinct()).toEqual([2, 2, 2]);
      const all = ids();
      for (const way of ["webhook", "ntfy", "mail"] as const)
        expect(all[way].slice(0, first[way].length), way).toEqual(first[way]);
      expect(all.mail).toHaveLength(first.mail.length + 1);
      expect(await alerts()).toEqual([...fired, ["cleared", expect.any(Number)]]);
      const [watch] = await tables.watch.findMany();
      expect([watch!.firing, watch!.failures, watch!.error]).toEqual([false, 0, null]);
    });
  },
);
