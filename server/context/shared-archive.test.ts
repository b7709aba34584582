import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished, vi } from "vitest";
import { openReader } from "#server/archive/reader.ts";
import { openContext } from "#server/context.ts";
import { openDatabase } from "#server/platform/db.ts";
import { readEnv } from "#server/platform/env.ts";
import { createLogger } from "#server/platform/log.ts";
import { doctorCommand } from "#server/process/doctor.ts";
import { columnsOf } from "#test/archive.ts";
import { describeWithDatabase, temporaryFolders } from "#test/databases.ts";
import { metocean } from "#test/processes.ts";
import { BUCKET, startS3, startS3InEnv } from "#test/s3/start-s3.ts";
import { ask, connectContext, textOf } from "#test/send.ts";
import { openRunArchive } from "./run-archive.ts";

const smoc = path.join(import.meta.dirname, "../ingest/netcdf/fixtures/smoc_R20260715.nc");
const KEY = "key-of-this-test";
const headers = { "x-api-key": KEY };

/** More points than the request thread computes itself. */
const points = Array.from({ length: 900 }, (_, i) => ({
  latitude: 0.01 + (i % 30) / 33,
  longitude: -180 + Math.floor(i / 30) / 75,
  timestamp: "2026-07-16T01:20:00Z",
}));
const body = { points, variables: ["current"] };

describeWithDatabase("a process that publishes in a bucket", (fresh) => {
  const folder = temporaryFolders();

  it("loses no published run when it is killed, and leaves nothing that another process does not remove", async () => {
    const bucket = await startS3InEnv();
    onTestFinished(() => bucket.close());
    const { databaseUrl } = await fresh();
    const settings = { DATABASE_URL: databaseUrl, ARCHIVE_URL: `s3://${BUCKET}/kill`, DATA_DIR: folder() };
    const child = spawn(process.execPath, ["test/processes/store-writer.ts"], {
      cwd: path.join(import.meta.dirname, "../.."),
      env: { ...process.env, ...bucket.env, ...settings },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const published: string[] = [];
    for await (const id of createInterface(child.stdout)) {
      published.push(id);
      // The process is killed in the middle of the next run, after one of its objects.
      if (published.length < 3) continue;
      const before = bucket.proxy.requests.length;
      const puts = () => bucket.proxy.requests.slice(before).filter(({ method }) => method === "PUT").length;
      await expect.poll(puts, { timeout: 20_000, interval: 1 }).toBeGreaterThan(0);
      child.kill("SIGKILL");
      break;
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");

    const env = readEnv({ ...settings, DATA_DIR: folder(), AWS_ENDPOINT_URL_S3: bucket.proxy.url });
    const database = await openDatabase(env);
    onTestFinished(() => database.close());
    const archive = await openRunArchive(env, async () => database);
    const { runs } = await archive.manifest();
    expect(runs.map(({ id }) => id)).toEqual(expect.arrayContaining(published));
    const reader = openReader(archive.store, { cacheBytes: 1 << 24 });
    for (const [i, run] of runs.entries()) {
      const out = new Float64Array(1);
      const at = columnsOf([[1, 1, run.times[0]!]]);
      await reader.valuesAt(run, "air_temperature", at, undefined, out, new AbortController().signal);
      expect(out[0]).toBeCloseTo(i + 1, 1);
    }
    await database.prisma.$executeRaw`
      UPDATE archive_run SET touched_at = touched_at - interval '2 hours' WHERE published_at IS NULL`;
    await archive.close();
    expect(await database.prisma.archiveRun.count()).toBe(runs.length);
  }, 120_000);
});

describeWithDatabase("replicas of an archive in a bucket", (fresh) => {
  const folder = temporaryFolders();

  it("answers data that another machine ingests, in requests and in threads, and cached data while the bucket is unavailable", async () => {
    const bucket = await startS3();
    onTestFinished(() => bucket.close());
    for (const [name, value] of Object.entries(bucket.env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { databaseUrl } = await fresh();
    const shared = {
      ...bucket.env,
      DATABASE_URL: databaseUrl,
      ARCHIVE_URL: `s3://${BUCKET}/archive`,
      BLOB_URL: `s3://${BUCKET}/tasks`,
    };
    const open = async (more: Record<string, string>) => {
      const { context } = await openContext(
        readEnv({
          DATA_DIR: folder(),
          DEMO: "never",
          LOG_LEVEL: "silent",
          METOCEAN_NOW: "2026-07-16T01:00:00Z",
          BOOTSTRAP_API_KEY: KEY,
          ...more,
        }),
        createLogger("silent", [], { write() {} }),
      );
      onTestFinished(() => context.close());
      return context;
    };
    const asked = async () => ask("POST", "/MetOcean", { body, headers });
    const answer = async () => JSON.parse(await textOf(await asked()));

    const replica = await open(shared);
    connectContext(replica);
    const isAnswered = async () => {
      const { result } = await answer();
      return /_Intensity":\s*\d/.test(JSON.stringify(result));
    };
    expect(await isAnswered()).toBe(false);
    const { status, stderr } = await metocean(["ingest", "cmems", "--from", smoc], {
      ...shared,
      DATA_DIR: folder(),
    });
    expect([status, stderr]).toEqual([0, ""]);
    await expect.poll(isAnswered, { timeout: 30_000 }).toBe(true);
    const far = await answer();

    await replica.work();
    const accepted = JSON.parse(await textOf(await ask("POST", "/MetOcean/async", { body, headers })));
    const ended = async () =>
      JSON.parse(await textOf(await ask("GET", `/task/${accepted.task_id}`, { headers })));
    await expect.poll(async () => (await ended()).status, { timeout: 60_000 }).toBe("SUCCESS");
    expect((await ended()).result.results).toEqual(far.result.results);

    const parts = async () => JSON.parse(await textOf(await ask("GET", "/readyz"))).parts;
    expect(await parts()).toMatchObject({ archive: "ok" });
    bucket.proxy.always = { kind: "refuse" };
    expect((await answer()).result.results).toEqual(far.result.results);
    bucket.proxy.always = undefined;

    const doctor = async () => {
      let text = "";
      const env = readEnv({ ...shared, DATA_DIR: folder() });
      await doctorCommand(env, { write: (line) => (text += line) });
      return text;
    };
    expect(await doctor()).toMatch(/Archive +1 runs, 0\.\d MiB, in s3:\/\/metocean-test\/archive/);
  }, 180_000);
});
