import { readdirSync } from "node:fs";
import { expect, it, onTestFinished, vi } from "vitest";
import { formatInstant } from "#lib/time.ts";
import { weatherClock } from "#server/platform/clock.ts";
import { openDatabase } from "#server/platform/db.ts";
import { ConfigError, readEnv } from "#server/platform/env.ts";
import { NoSpaceError } from "#server/platform/errors.ts";
import { feedStates } from "#server/platform/feed-state.ts";
import { createLogger } from "#server/platform/log.ts";
import { type DatabasePlace, describeWithDatabase } from "#test/databases.ts";
import { BUCKET, startS3 } from "#test/s3/start-s3.ts";
import { ask, connectContext, textOf } from "#test/send.ts";
import { newTask } from "#test/tasks.ts";
import { openContext } from "./context.ts";

describeWithDatabase("a process of the service", (fresh) => {
  const envOf = ({ dataDir, databaseUrl }: DatabasePlace, more: Record<string, string> = {}) =>
    readEnv({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, DEMO: "never", LOG_LEVEL: "silent", ...more });

  async function bucketOfTest() {
    const bucket = await startS3();
    onTestFinished(() => bucket.close());
    for (const [name, value] of Object.entries(bucket.env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    return bucket;
  }

  async function open(place: DatabasePlace, more?: Record<string, string>) {
    const env = envOf(place, more);
    const { context } = await openContext(env, createLogger("silent", [], { write() {} }));
    onTestFinished(() => context.close());
    return context;
  }

  it("reports degraded storage and refuses tasks while the disk has less free space than it must keep", async () => {
    const context = await open(await fresh(), { MIN_FREE_MB: "99999999" });
    expect(await context.ready()).toMatchObject({
      database: undefined,
      storage: { degraded: "full: no tasks are accepted" },
    });
    await expect(context.tasks.submit(newTask("a"), Buffer.from("{}"))).rejects.toThrow(NoSpaceError);
    const { body } = await context.metrics.text();
    expect(body).toMatch(/^storage_free_bytes [1-9]\d+$/m);
    expect(body).toMatch(/^storage_held_bytes 0$/m);
  });

  it("reports the bytes of the day of the weather clock, under which the fetching process counts them", async () => {
    const place = await fresh();
    const frozen = { METOCEAN_NOW: "2026-09-15T12:00:00Z", FEEDS: "gfs" };
    const context = await open(place, frozen);
    const database = await openDatabase(place);
    onTestFinished(() => database.close());
    const { frozenAt } = envOf(place, frozen);
    await feedStates(database.prisma, weatherClock(frozenAt)).count("gfs", 1234);
    expect((await context.feeds.read()).feeds).toMatchObject([{ name: "gfs", bytes_today: 1234 }]);
  });

  it("with feeds on but no data yet it says so, and answers neither nulls nor invented weather and storms", async () => {
    const context = await open(await fresh(), {
      FEEDS: "gfs,etopo,jtwc",
      DEMO: "auto",
      BOOTSTRAP_API_KEY: "key-of-this-test",
    });
    connectContext(context);
    const headers = { "x-api-key": "key-of-this-test" };
    const timestamp = formatInstant(Math.floor(context.weather.now()));
    const points = { points: [{ latitude: 48, longitude: -5, timestamp }], variables: ["wind"] };
    for (const [method, path, body] of [
      ["POST", "/MetOcean", points],
      ["POST", "/MetOcean/async", points],
      ["GET", "/point?lat=48&lon=-5&f=text", undefined],
    ] as const) {
      const reply = await ask(method, path, { body, headers });
      expect([path, reply.status, reply.headers["retry-after"], await textOf(reply)]).toEqual([
        path,
        503,
        "15",
        expect.stringContaining('{"detail":"No data yet: the first forecast is being fetched'),
      ]);
    }
    const manifestOf = async (variable: string) =>
      JSON.parse(await textOf(await ask("GET", `/2DMetOcean/manifest?variable=${variable}`, { headers })));
    expect(await manifestOf("wind")).toMatchObject({ runs: [], awaited: true });
    // No enabled feed provides storms of this provider.
    expect(await manifestOf("current")).not.toHaveProperty("awaited");
    expect((await ask("GET", "/storms?provider=jtwc", { headers })).status).toBe(503);
    const { status, body } = await ask("GET", "/readyz");
    expect([status, body]).toEqual([200, expect.stringContaining('"archive":"degraded: No data yet')]);
  });

  it("stores requests and results in a bucket, where another process finds them; while the bucket is unavailable, what needs it waits", async () => {
    const bucket = await bucketOfTest();
    const place = await fresh();
    const more = {
      ...bucket.env,
      BLOB_URL: `s3://${BUCKET}/replicas`,
      METOCEAN_NOW: "2026-09-15T12:00:00Z",
      BOOTSTRAP_API_KEY: "key-of-this-test",
    };
    const context = await open(place, more);
    connectContext(context);
    const headers = { "x-api-key": "key-of-this-test" };
    const body = {
      points: [{ latitude: 48.5, longitude: -5.2, timestamp: "2026-09-15T12:00:00Z" }],
      variables: ["wind"],
    };
    const accepted = JSON.parse(await textOf(await ask("POST", "/MetOcean/async", { body, headers })));
    const key = { ...headers, "idempotency-key": "one" };
    const direct = await textOf(await ask("POST", "/MetOcean", { body, headers: key }));
    // Another process computes the task and replays the answer.
    const other = await open(place, more);
    await other.work();
    connectContext(other);
    const target = `/task/${accepted.task_id}`;
    const ended = async () => JSON.parse(await textOf(await ask("GET", target, { headers })));
    await expect.poll(async () => (await ended()).status, { timeout: 30_000 }).toBe("SUCCESS");
    expect((await ended()).result.points).toEqual(JSON.parse(direct).result.points);
    expect(await textOf(await ask("POST", "/MetOcean", { body, headers: key }))).toBe(direct);
    const csv = () => ask("GET", target, { headers: { ...headers, accept: "text/csv" } });
    expect(await textOf(await csv())).toMatch(/\n48\.5,-5\.2,/);
    expect(readdirSync(place.dataDir)).not.toContain("tasks");

    bucket.proxy.always = { kind: "refuse" };
    const refused = await ask("POST", "/MetOcean/async", { body, headers });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"]);
    expect((await other.ready()).storage).toEqual({ degraded: "does not answer: no tasks are accepted" });
    const second = { ...headers, "idempotency-key": "two" };
    expect((await ask("POST", "/MetOcean", { body, headers: second })).status).toBe(200);
    bucket.proxy.always = undefined;
    expect((await other.ready()).storage).toBeUndefined();
    expect((await ask("POST", "/MetOcean/async", { body, headers })).status).toBe(202);
  }, 60_000);

  it("does not start beside a process that has other blobs, nor on a bucket that another database uses", async () => {
    const { env } = await bucketOfTest();
    const place = await fresh();
    const at = (name: string) => ({ ...env, BLOB_URL: `s3://${BUCKET}/${name}` });
    await open(place, at("one"));
    await expect(open(place, at("two"))).rejects.toThrow(ConfigError);
    await expect(open(place)).rejects.toThrow("the same ARCHIVE_URL and BLOB_URL");
    await expect(open(await fresh(), at("one"))).rejects.toThrow(ConfigError);
    await open(place, at("one"));
  });
});
