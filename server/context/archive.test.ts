import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { formatInstant } from "#lib/time.ts";
import { answerPoints } from "#server/metocean/points.ts";
import { type ArchivePlace, folderPlace } from "#server/platform/blob-url.ts";
import { type S3BlobStore, s3BlobStore } from "#server/platform/s3-blob-store.ts";
import { temporaryFolder } from "#test/archive.ts";
import { publishRandom, push } from "#test/remote-archive.ts";
import { BUCKET, startS3InEnv, type TestStore } from "#test/s3/start-s3.ts";
import { ask, connectWeather } from "#test/send.ts";
import { openArchive } from "./archive.ts";

const bucket = { isPathStyle: true, bucket: BUCKET, prefix: "archive/" };
let server: TestStore;
let blobs: S3BlobStore;
let root: string;
let base: number;

beforeAll(async () => {
  server = await startS3InEnv();
  blobs = s3BlobStore(bucket);
  root = mkdtempSync(path.join(tmpdir(), "archive-"));
  base = (await publishRandom(root)).times[0]!;
  await push(root, blobs);
});
beforeEach(() => {
  server.proxy.requests.length = 0;
});
afterAll(async () => {
  blobs.close();
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

function opened(place: ArchivePlace, dataDir = temporaryFolder()) {
  const settings = {
    archive: { place, cacheBytes: 1 << 24, minFreeBytes: 0 },
    dataDir,
    demo: "never",
    demoSeed: 1,
    frozenAt: undefined,
    sourceOrder: {},
    chunkCacheBytes: 1 << 24,
  } as const;
  return openArchive(settings, { now: () => base });
}

async function answer(archive: Awaited<ReturnType<typeof openArchive>>, hour = 4) {
  const points = [{ latitude: 3.3, longitude: 20.7, timestamp: formatInstant(base + hour * 3600) }];
  const request = { points, variables: ["wind", "temp"], wind_height: 10, include_meta: false } as const;
  const { signal } = new AbortController();
  return (await answerPoints(archive, structuredClone(request) as never, base, signal)).results;
}

it("answers from a bucket or a web server as from a folder, and a point takes two rounds of requests", async () => {
  const [near, far] = [await opened(folderPlace(root)), await opened({ kind: "s3", ...bucket })];
  const expected = await answer(near);
  server.proxy.requests.length = 0;
  expect(await answer(far)).toEqual(expected);
  const names = server.proxy.requests.map(({ path: name }) => name.split("/").at(-1)!.split("?")[0]);
  expect(names).toEqual(["points.indices", "c.0.0.0", "c.0.0.0", "c.0.0.0"]);
  const web = await opened({ kind: "https", url: `${server.proxy.url}/${BUCKET}/archive` });
  expect(await answer(web)).toEqual(expected);
  for (const archive of [near, far, web]) await archive.close();
});

it("reports a bucket without a list of runs as an empty archive, and is not ready where no list was ever read", async () => {
  const nowhere = await opened({ kind: "s3", ...bucket, prefix: "nowhere/" });
  expect(await nowhere.condition()).toMatch(/no manifest.json: nothing was published there, or ARCHIVE_URL/);
  await nowhere.close();
  server.proxy.always = { kind: "refuse" };
  const away = await opened({ kind: "s3", ...bucket });
  await expect(away.condition()).rejects.toThrow("cannot be reached");
  server.proxy.always = undefined;
  expect(await away.condition()).toBeUndefined();
  await away.close();
}, 60_000);

it("answers 503 with Retry-After for uncached data while the store is unavailable, and recovers by itself", async () => {
  const archive = await opened({ kind: "s3", ...bucket });
  await archive.manifest();
  connectWeather(base, { archive });
  const points = [{ latitude: 3.3, longitude: 20.7, timestamp: formatInstant(base) }];
  const asked = () => ask("POST", "/MetOcean", { body: { points, variables: ["wind", "temp"] } });
  server.proxy.always = { kind: "refuse" };
  const refused = await asked();
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"]);
  expect(JSON.parse(String(refused.body))).toEqual({ detail: "The object store cannot be reached" });
  // The process is ready nevertheless: other replicas use the same store, and cached data is answered.
  const says = () => archive.condition();
  await expect
    .poll(says, { timeout: 20_000 })
    .toMatch(/the list of runs cannot be read: the one that is known/);
  server.proxy.always = undefined;
  expect((await asked()).status).toBe(200);
  await expect.poll(says, { timeout: 20_000 }).toBeUndefined();
  // The state of a store that does not answer is reported before the first request to it is given up and repeated.
  server.proxy.always = { kind: "stall" };
  server.proxy.requests.length = 0;
  await archive.condition();
  expect(server.proxy.requests).toHaveLength(1);
  server.proxy.always = undefined;
  await archive.close();
});
