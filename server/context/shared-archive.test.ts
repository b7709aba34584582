import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createDecoder } from "#server/ingest/decoder.ts";
import { readEnv } from "#server/platform/env.ts";
import { createLogger } from "#server/platform/log.ts";
import { describeWithDatabase, temporaryFolders } from "#test/databases.ts";
import { ingestForTest } from "#test/ingest.ts";
import { metocean } from "#test/processes.ts";
import { BUCKET, startS3 } from "#test/s3/start-s3.ts";
import { ask, connectContext, textOf } from "#test/send.ts";
import { openContext } from "../context.ts";

const smoc = path.join(import.meta.dirname, "../ingest/netcdf/fixtures/smoc_R20260715.nc");
const KEY = "key-of-this-test";
const headers = { "x-api-key": KEY };

/** More than are computed by the thread that answers requests. */
const points = Array.from({ length: 900 }, (_, i) => ({
  latitude: 0.01 + (i % 30) / 33,
  longitude: -180 + Math.floor(i / 30) / 75,
  timestamp: "2026-07-16T01:20:00Z",
}));
const body = { points, variables: ["current"] };

describeWithDatabase("replicas of an archive in a bucket", (fresh) => {
  const folder = temporaryFolders();

  it("answer what another machine ingests, in requests and in threads, as from a folder; while the bucket is away what is cached", async () => {
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

    const dataDir = folder();
    const decoder = createDecoder();
    await ingestForTest(path.join(dataDir, "archive"), decoder, "cmems", smoc);
    await decoder.close();
    connectContext(await open({ DATA_DIR: dataDir }));
    expect((await answer()).result.results).toEqual(far.result.results);
  }, 180_000);
});
