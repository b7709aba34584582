import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { directoryStore } from "#server/archive/directory-store.ts";
import { openReader } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { ObjectMissingError } from "#server/archive/store.ts";
import { StoreUnavailableError } from "#server/platform/errors.ts";
import { type S3BlobStore, s3BlobStore } from "#server/platform/s3-blob-store.ts";
import { columnsOf } from "#test/archive.ts";
import { openRemote, publishRandom, push, REMOTE_FIELDS } from "#test/remote-archive.ts";
import { BUCKET, startS3InEnv, type TestStore } from "#test/s3/start-s3.ts";
import { seeded } from "#test/seeded.ts";
import { BLOCK_BYTES, noCache, remoteStore } from "./remote-store.ts";

const { signal } = new AbortController();
let server: TestStore;
let blobs: S3BlobStore;
/** The run as it is published in the folder and in the bucket. */
let plain: Run;
let run: Run;
let root: string;

beforeAll(async () => {
  server = await startS3InEnv();
  blobs = s3BlobStore({ isPathStyle: true, bucket: BUCKET, prefix: "archive/" }, { attempts: 3 });
  root = mkdtempSync(path.join(tmpdir(), "remote-"));
  plain = await publishRandom(root);
  await push(root, blobs);
  run = (await openRemote(blobs).manifest()).runs[0]!;
});
afterEach(() => {
  server.proxy.faults = [];
  server.proxy.always = undefined;
});
afterAll(async () => {
  blobs.close();
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

const random = seeded(7);
const places = (count: number) =>
  columnsOf(
    Array.from({ length: count }, () => [
      -14 + 28 * random(),
      89 * random(),
      run.times[0]! + 97_000 * random(),
    ]),
  );

async function valuesOf(reader: ReturnType<typeof openReader>, of: Run, points = places(1)) {
  return Promise.all(
    REMOTE_FIELDS.map(async (field) => {
      const out = new Float64Array(points.count);
      await reader.valuesAt(of, field, points, undefined, out, signal);
      return out;
    }),
  );
}

const local = () => openReader(directoryStore(root), { cacheBytes: 1 << 24 });

it("answers as the archive in a folder, at places and in boxes", async () => {
  const { reader } = openRemote(blobs);
  const points = places(300);
  expect(await valuesOf(reader, run, points)).toEqual(await valuesOf(local(), plain, points));
  for (const stride of run.levels)
    for (const field of REMOTE_FIELDS)
      expect(await reader.mapStep(run, field, 3, stride, signal)).toEqual(
        await local().mapStep(plain, field, 3, stride, signal),
      );
});

it("asks for a place that nobody asked for before in two rounds: indices of all fields at once, then chunks", async () => {
  const { reader } = openRemote(blobs);
  server.proxy.requests.length = 0;
  const points = columnsOf([[-10.6, 20.6, run.times[0]!]]);
  await valuesOf(reader, run, points);
  const names = server.proxy.requests.map(({ path: name }) => name.split("/").at(-1)!.split("?")[0]);
  expect(names).toEqual(["points.indices", "c.0.0.0", "c.0.0.0", "c.0.0.0"]);
  await valuesOf(reader, run, points);
  expect(server.proxy.requests).toHaveLength(4);
});

it("merges neighbours across gaps of 64 KiB and asks once for what several want at the same time", async () => {
  const { store } = openRemote(blobs);
  const key = `${run.path}/frames/1/wind.br`;
  server.proxy.requests.length = 0;
  const range = (block: number) => [{ offset: block * BLOCK_BYTES + 5, length: 10 }];
  const blocks = [0, 1, 6, 12, 0];
  const ranges = blocks.flatMap(range);
  const [parts, again] = await Promise.all([store.getRanges(key, ranges), store.getRanges(key, range(1))]);
  expect(again).toEqual([parts![1]]);
  expect(server.proxy.requests.map(({ range: header }) => header)).toEqual([
    `bytes=0-${7 * BLOCK_BYTES - 1}`,
    `bytes=${12 * BLOCK_BYTES}-${13 * BLOCK_BYTES - 1}`,
  ]);
  const files = directoryStore(root);
  for (const [i, block] of blocks.entries())
    expect(parts![i]).toEqual(new Uint8Array(files.getRange(key, block * BLOCK_BYTES + 5, 10)!));
});

it("is unavailable while the store fails, goes on with what is known, and recovers", async () => {
  const place = { isPathStyle: true, bucket: BUCKET, prefix: "archive/" };
  const { reader, manifest, refresh } = openRemote(s3BlobStore(place, { attempts: 1 }));
  const known = await manifest();
  const points = columnsOf([[10.6, 20.6, run.times[0]!]]);
  const expected = await valuesOf(reader, run, points);
  server.proxy.always = { kind: "slow-down" };
  const elsewhere = columnsOf([[-12.6, 80.6, run.times[9]!]]);
  const refused = valuesOf(reader, run, elsewhere);
  await expect(refused).rejects.toThrow(StoreUnavailableError);
  await expect(refused).rejects.toMatchObject({ retryAfter: 5 });
  await expect(async () => refresh()).rejects.toThrow(StoreUnavailableError);
  expect(await manifest()).toBe(known);
  expect(await valuesOf(reader, run, points)).toEqual(expected);
  server.proxy.always = undefined;
  expect(await valuesOf(reader, run, elsewhere)).toEqual(await valuesOf(local(), plain, elsewhere));
  expect(await refresh()).toBe(known);
});

it("who gives up waiting ends nobody else's read", async () => {
  const { reader } = openRemote(blobs);
  const points = columnsOf([[10.6, 20.6, run.times[0]!]]);
  const gone = new AbortController();
  const out = new Float64Array(1);
  const first = reader.valuesAt(run, REMOTE_FIELDS[0], points, undefined, out, gone.signal);
  const second = valuesOf(reader, run, points);
  gone.abort(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  expect(await second).toEqual(await valuesOf(local(), plain, points));
});

it("reads what fails its checksum once more, and fails where it is damaged in the store", async () => {
  let flips = 1;
  const flipping = {
    ...blobs,
    async getRange(...args: Parameters<typeof blobs.getRange>) {
      const bytes = await blobs.getRange(...args);
      if (bytes && args[0].endsWith("c.0.0.0") && flips-- > 0)
        for (let i = 0; i < bytes.length; i += 50) bytes[i]! ^= 1;
      return bytes;
    },
  };
  const points = columnsOf([[10.6, 20.6, run.times[0]!]]);
  const out = new Float64Array(1);
  const read = () =>
    openRemote(flipping).reader.valuesAt(run, REMOTE_FIELDS[0], points, undefined, out, signal);
  await read();
  expect([out]).toEqual((await valuesOf(local(), plain, points)).slice(0, 1));
  flips = 2;
  await expect(read()).rejects.toThrow("is damaged");
});

it("sees a new run by the manifest's ETag, and reads it no more than that while nothing changes", async () => {
  const { refresh, manifest } = openRemote(blobs);
  const first = await manifest();
  server.proxy.requests.length = 0;
  expect(await refresh()).toBe(first);
  expect(server.proxy.requests).toMatchObject([{ status: 304, bytes: 0 }]);
});

it("asks for no key that leads out of the archive, whatever a list of runs names", async () => {
  const asked: string[] = [];
  const note = async (key: string) => void asked.push(key);
  const { reader, store } = openRemote({ get: note, getRange: note, getChanged: note, close() {} });
  for (const folder of ["../other", "runs/../../x", "/runs/x", "runs//x", "runs/x?a=b", "runs/%2e%2e/x"])
    for (const hostile of [
      { ...run, path: folder },
      { ...plain, path: folder },
    ]) {
      const read = async () => reader.mapStep(hostile, REMOTE_FIELDS[0], 0, 1, signal);
      await expect(read()).rejects.toThrow(ObjectMissingError);
      expect(await store.getRanges(`${folder}/a`, [{ offset: 0, length: 1 }])).toBeUndefined();
    }
  expect(asked).toEqual([]);
});

it("does not request what waits in the queue for readers that have gone, and asks again for one that comes later", async () => {
  const asked: string[] = [];
  const replies: PromiseWithResolvers<Uint8Array>[] = [];
  const none = async () => undefined;
  const getRange = (key: string) => {
    asked.push(key);
    replies.push(Promise.withResolvers<Uint8Array>());
    return replies.at(-1)!.promise;
  };
  const store = remoteStore({ get: none, getChanged: none, getRange, close() {} }, noCache);
  const gone = new AbortController();
  const read = (i: number, of = signal) => store.getRanges(`runs/${i}`, [{ offset: 0, length: 1 }], of);
  const reads = Array.from({ length: 100 }, (_, i) => read(i, gone.signal));
  const stays = read(80);
  gone.abort();
  expect((await Promise.allSettled(reads)).every(({ status }) => status === "rejected")).toBe(true);
  const late = read(99);
  const answerAll = async () => {
    for (let i = 0; i < 3; i++) {
      for (const reply of replies.splice(0)) reply.resolve(Uint8Array.of(7));
      await nextTurn();
    }
  };
  await answerAll();
  expect(asked.slice(64)).toEqual(["runs/80", "runs/99"]);
  const again = read(70);
  await answerAll();
  expect(asked.at(-1)).toBe("runs/70");
  expect(await Promise.all([stays, late, again])).toEqual(Array(3).fill([Uint8Array.of(7)]));
  // A request could be sent now, but this reader aborted before it asked.
  await expect(read(101, gone.signal)).rejects.toThrow();
  expect(asked).not.toContain("runs/101");
});
