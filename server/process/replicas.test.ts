import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseLimit } from "#lib/contract/limits.ts";
import { KeyStore } from "#server/keys/keys.ts";
import { realClock } from "#server/platform/clock.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { TaskStore } from "#server/tasks/store.ts";
import { whereBuilt } from "#test/built-pages.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { type Replica, startReplica } from "#test/replicas.ts";
import { newTask, testLimits } from "#test/tasks.ts";

// The test runs two servers of two processes each on one database. One server's clock is a minute fast, the other's a
// minute slow.
const NAME = "two replicas of two processes, whose clocks differ by two minutes";
const PEPPER = "the same in both replicas";

whereBuilt(NAME, () => describeWithDatabase(NAME, compare));

function compare(fresh: Parameters<Parameters<typeof describeWithDatabase>[1]>[0]): void {
  let fast: Replica;
  let slow: Replica;
  let database: Database;
  let keys: KeyStore;

  beforeAll(async () => {
    const place = await fresh();
    database = await openDatabase(place);
    keys = new KeyStore(database.prisma, { pepper: PEPPER, clock: realClock });
    await keys.create({ owner: "somebody" });
    const settings = {
      DATA_DIR: place.dataDir,
      DATABASE_URL: place.databaseUrl,
      KEY_PEPPER: PEPPER,
      PROCESSES: "2",
      DEMO: "never",
      DRAIN_WAIT: "2 seconds",
      GUESTS: "map",
      LOG_LEVEL: "info",
    };
    [fast, slow] = await Promise.all([startReplica(settings, 60), startReplica(settings, -60)]);
  }, 180_000);
  afterAll(async () => {
    await Promise.all([fast?.stop(), slow?.stop()]);
    await database?.close();
  });

  const newKey = async (limit: string, expiresAt?: number) => {
    const expires = expiresAt === undefined ? undefined : new Date(1000 * expiresAt);
    const { text } = await keys.create({ owner: "Ann", limit: parseLimit(limit)!, expiresAt: expires });
    return { "x-api-key": text };
  };
  const both = <Result>(ask: (replica: Replica) => Promise<Result>) => Promise.all([ask(fast), ask(slow)]);

  /** 200 requests of a new key, 25 at each of four connections to each server. */
  async function sendMany(): Promise<{ statuses: number[]; resets: Set<string> }> {
    const headers = await newKey("100 per 1 hour");
    const statuses: number[] = [];
    const resets = new Set<string>();
    const send = async (replica: Replica) => {
      for (let sent = 0; sent < 25; sent++) {
        const reply = await replica.ask("/user/tasks", { headers });
        statuses.push(reply.status);
        resets.add(String(reply.headers["x-ratelimit-reset"]));
      }
    };
    await Promise.all([fast, slow].flatMap((replica) => [1, 2, 3, 4].map(() => send(replica))));
    return { statuses, resets };
  }

  /** How often processes have begun to count alone, and how often they have shared again, by their logs. */
  function countedAlone(): { begun: number; ended: number } {
    const logged = fast.output() + slow.output();
    const count = (words: string) => logged.split(words).length - 1;
    return { begun: count("rate limits cannot be shared"), ended: count("rate limits are shared again") };
  }

  it("200 requests of one key share one limit across all processes", async () => {
    // A process that waits two seconds for a busy database counts alone. Only requests that were all counted in the
    // database say how processes share a limit.
    let before = countedAlone();
    let sent = await sendMany();
    while (before.begun !== before.ended || countedAlone().begun !== before.begun) {
      before = countedAlone();
      sent = await sendMany();
    }
    const { statuses, resets } = sent;
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    // All replies fall in one window, by the database's clock.
    expect(resets.size).toBe(1);
  });

  it("a key expires in both by the database's clock", async () => {
    const now = realClock.now();
    const valid = await newKey("100 per 1 minute", now + 50);
    const expired = await newKey("100 per 1 minute", now - 50);
    for (const [headers, status] of [
      [valid, 200],
      [expired, 401],
    ] as const) {
      const replies = await both((replica) => replica.ask("/user/tasks", { headers }));
      expect(replies.map((reply) => reply.status)).toEqual([status, status]);
    }
  });

  it("a server that is told to stop says so at once, still answers, and tells its streams to reconnect", async () => {
    const headers = await newKey("1000 per 1 minute");
    const task = newTask("Ann");
    await new TaskStore(database.prisma, testLimits).submit(task);
    // The task is never claimed.
    await database.prisma.task.update({ where: { id: task.id }, data: { availableAt: new Date(4e12) } });
    const stream = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${fast.url}/task/${task.id}/events`, { headers, agent: false }, resolve).on("error", reject);
    });
    expect(stream.statusCode).toBe(200);
    const told = text(stream);
    const exit = once(fast.child, "exit");
    fast.child.kill("SIGTERM");
    await expect.poll(async () => (await fast.ask("/readyz")).status, { interval: 10 }).toBe(503);
    const late = await fast.ask("/user/tasks", { headers });
    expect([late.status, late.headers.connection]).toEqual([200, "close"]);
    expect(await told).toMatch(/retry: \d+\n\n$/);
    expect(await exit).toEqual([0, null]);
    expect((await slow.ask("/readyz")).status).toBe(200);
  });
}
