import { createHash } from "node:crypto";
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { beforeEach, expect, it } from "vitest";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { temporaryFolders } from "#test/databases.ts";
import { BlobDamagedError, gunzipped, putGzip, readVerified } from "./gzip-blobs.ts";

const folders = temporaryFolders();
let folder: string;
let blobs: BlobStore;
beforeEach(() => {
  folder = path.join(folders(), "tasks");
  blobs = folderBlobStore(folder);
});

const random = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(Math.random() * 256)));

it.each([0, 1, 300_000])("returns what was stored, %i bytes, as gzip with its checksum", async (length) => {
  const bytes = random(length);
  const stored = await putGzip(blobs, "a.1", [bytes.subarray(0, length >> 1), bytes.subarray(length >> 1)]);
  const packed = readFileSync(path.join(folder, "a.1"));
  expect(stored).toEqual({
    bytes: packed.length,
    hash: createHash("sha256").update(packed).digest("hex"),
  });
  const read = await buffer(readVerified(blobs, "a.1", stored.hash));
  expect(gunzipSync(read).equals(bytes)).toBe(true);
  const plain = await buffer(gunzipped(blobs.read("a.1")));
  expect(plain.equals(bytes)).toBe(true);
});

it("leaves nothing behind when the pieces end in an error, or when the caller stops", async () => {
  const broken = async function* () {
    yield Buffer.alloc(1000);
    throw new Error("no more");
  };
  await expect(putGzip(blobs, "a", broken())).rejects.toThrow("no more");
  const stop = new AbortController();
  const endless = async function* () {
    for (;;) {
      yield random(100_000);
      stop.abort();
    }
  };
  await expect(putGzip(blobs, "b", endless(), stop.signal)).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ["cut short", (file: string) => truncateSync(file, 100_000)],
  ["changed", (file: string) => writeFileSync(file, "x", { flag: "r+" })],
])("never returns the whole of a blob that was %s", async (_how, damage) => {
  const { hash, bytes } = await putGzip(blobs, "a", [random(200_000)]);
  damage(path.join(folder, "a"));
  let read = 0;
  const reading = async () => {
    for await (const chunk of readVerified(blobs, "a", hash)) read += chunk.length;
  };
  await expect(reading()).rejects.toThrow(BlobDamagedError);
  expect(read).toBeLessThan(bytes);
});
