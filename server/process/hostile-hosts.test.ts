import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { KeyStore } from "#server/keys/keys.ts";
import { realClock } from "#server/platform/clock.ts";
import { openDatabase } from "#server/platform/db.ts";
import { TaskStore } from "#server/tasks/store.ts";
import { addAlert, addChannel, openReceiver, testSecret } from "#test/alerts.ts";
import { whereBuilt } from "#test/built-pages.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { copyDemoWorld } from "#test/demo-world.ts";
import { hostileHost } from "#test/hostile-host.ts";
import { objectServer } from "#test/object-server.ts";
import { startReplica } from "#test/replicas.ts";
import { BUCKET, startS3 } from "#test/s3/start-s3.ts";
import { newTask, testLimits } from "#test/tasks.ts";

const NAME = "a service whose webhooks, feeds, mail server and buckets accept requests and never answer";
const PEPPER = "the pepper of this test";
const NOW = "2026-01-01T00:00:00Z";

/** How long another process may take for a step, milliseconds: a guard against hanging. */
const polling = { timeout: 60_000, interval: 20 };

whereBuilt(NAME, () =>
  describeWithDatabase(NAME, (fresh) => {
    it("answers others, and ends by itself when it is told to stop", { timeout: 180_000 }, async () => {
      const place = await fresh();
      copyDemoWorld(place.dataDir);
      await using webhook = await hostileHost("says nothing");
      await using mail = await hostileHost("says nothing");
      await using feeds = await objectServer();
      const isGfs = ({ path }: { path: string }) => path.includes("gfs");
      feeds.fault = (path) => (isGfs({ path }) ? { silent: "answer" } : { status: 404 });
      const bucket = await startS3();
      const receiver = await openReceiver();
      const database = await openDatabase(place);
      onTestFinished(async () => {
        receiver.close();
        await bucket.close();
        await database.close();
      });
      const keys = new KeyStore(database.prisma, { pepper: PEPPER, clock: realClock });
      const { text: key } = await keys.create({ owner: "Ann", email: "ann@example.org" });
      const service = await startReplica({
        ...bucket.env,
        DATA_DIR: place.dataDir,
        DATABASE_URL: place.databaseUrl,
        KEY_PEPPER: PEPPER,
        METOCEAN_NOW: NOW,
        BLOB_URL: `s3://${BUCKET}/tasks`,
        ARCHIVE_URL: `s3://${BUCKET}/archive`,
        FEEDS: "gfs,jtwc",
        FEED_MIRROR: feeds.url,
        DEMO: "always",
        SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
        ALERT_NETWORKS: "127.0.0.1",
        ANSWER_TIME: "3 seconds",
      });
      onTestFinished(() => void service.child.kill("SIGKILL"));
      const ask = (target: string) =>
        service.ask(target, {
          method: "POST",
          headers: { "x-api-key": key },
          body: {
            points: [{ latitude: 48, longitude: -6, timestamp: NOW }],
            variables: ["wind"],
            receive_mail: true,
          },
        });
      const alert = async (owner: string, target: string) => {
        const channel = { kind: "webhook", owner, target, secret: testSecret } as const;
        await addAlert(database.prisma, [await addChannel(database.prisma, channel)], { owner });
      };
      const sent = (method: string) => bucket.proxy.requests.filter((request) => request.method === method);

      // Each place waits for its host.
      await expect.poll(() => feeds.requests.filter(isGfs).length, polling).toBeGreaterThan(0);
      bucket.proxy.always = { kind: "stall" };
      const task = newTask("Ann");
      await new TaskStore(database.prisma, testLimits).submit(task);
      const isTask = ({ path }: { path: string }) => path.includes(task.requestFile);
      await expect.poll(() => sent("GET").filter(isTask).length, polling).toBeGreaterThan(0);
      await alert("Ann", `http://127.0.0.1:${webhook.port}/`);
      await expect.poll(webhook.open, polling).toBe(1);

      // Others are served.
      expect((await ask("/MetOcean")).status).toBe(200);
      await expect.poll(mail.open, polling).toBe(1);
      await alert("Bob", receiver.url);
      await expect.poll(() => receiver.received.length, polling).toBe(1);
      expect(feeds.requests.filter((request) => !isGfs(request))).not.toEqual([]);

      const written = sent("PUT").length;
      const submission = ask("/MetOcean/async");
      await expect.poll(() => sent("PUT").length, polling).toBeGreaterThan(written);
      const exit = once(service.child, "exit");
      service.child.kill("SIGTERM");
      expect((await submission).status).toBe(503);
      const ended = await exit;
      // A process that has to give up exits with 1, and what had to be killed is named.
      expect({ ended, output: service.output() }).toEqual({
        ended: [0, null],
        output: expect.stringMatching(/"finished":true.*"closed"/),
      });
      expect(service.output()).not.toContain("was killed");
    });
  }),
);
