import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { beforeEach, expect, it } from "vitest";
import { temporaryFolders } from "#test/databases.ts";
import { type BlobEntry, BlobMissingError, type BlobStore } from "./blob-store.ts";
import { folderBlobStore } from "./folder-blob-store.ts";

const folders = temporaryFolders();
let folder: string;
let blobs: BlobStore;
beforeEach(() => {
  folder = path.join(folders(), "tasks");
  blobs = folderBlobStore(folder);
});

const random = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(Math.random() * 256)));

async function* piecesOf(bytes: Uint8Array) {
  yield bytes.subarray(0, bytes.length >> 1);
  yield bytes.subarray(bytes.length >> 1);
}

it.each([0, 1, 300_000])("returns what was stored, %i bytes, whole and in parts", async (length) => {
  const bytes = random(length);
  await blobs.put("a/b.1", piecesOf(bytes));
  expect(Buffer.compare((await blobs.get("a/b.1"))!, bytes)).toBe(0);
  expect(Buffer.compare(await buffer(blobs.read("a/b.1")), bytes)).toBe(0);
  const part = async (offset: number, size: number) =>
    Buffer.from((await blobs.getRange("a/b.1", offset, size))!);
  expect(await part(1, 2)).toEqual(bytes.subarray(1, 3));
  expect(await part(-2, 100)).toEqual(bytes.subarray(-2));
  expect(await part(length, 5)).toEqual(Buffer.alloc(0));
});

it("leaves nothing behind when the pieces end in an error, or when the caller stops", async () => {
  const broken = async function* () {
    yield Buffer.alloc(1000);
    throw new Error("no more");
  };
  await expect(blobs.put("a", broken())).rejects.toThrow("no more");
  const stop = new AbortController();
  const endless = async function* () {
    for (;;) {
      yield random(100_000);
      stop.abort();
    }
  };
  await expect(blobs.put("b", endless(), stop.signal)).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

it.skipIf(process.platform === "win32")("keeps what it stores from other users of the machine", async () => {
  await blobs.put("a", piecesOf(random(2)));
  expect([folder, path.join(folder, "a")].map((file) => statSync(file).mode & 0o777)).toEqual([0o700, 0o600]);
});

it("reports what is missing, deletes it without complaint, and takes no path for a key", async () => {
  expect(await blobs.get("a")).toBeUndefined();
  expect(await blobs.getRange("a", 0, 1)).toBeUndefined();
  await expect(buffer(blobs.read("a"))).rejects.toThrow(BlobMissingError);
  await blobs.put("a", piecesOf(random(2)));
  await blobs.delete("a");
  await blobs.delete("a");
  expect(await blobs.get("a")).toBeUndefined();
  for (const key of ["../a", "/a", "a/../b", "a//b", ".a", ""])
    await expect(blobs.delete(key), key).rejects.toThrow(TypeError);
});

it("lists blobs with their age, drafts of killed writers too, and nothing where there is no folder", async () => {
  const list = async () => {
    const entries: BlobEntry[] = [];
    for await (const entry of blobs.list()) entries.push(entry);
    return entries;
  };
  expect(await list()).toEqual([]);
  await blobs.put("new", piecesOf(random(2)));
  await blobs.put("a/old", piecesOf(random(2)));
  writeFileSync(path.join(folder, "x.1-1.draft"), "");
  for (const name of ["a/old", "x.1-1.draft"]) utimesSync(path.join(folder, name), 1000, 1000);
  const entries = await list();
  expect(entries.map(({ key }) => key).toSorted()).toEqual(["a/old", "new", "x.1-1.draft"]);
  expect(entries.filter(({ modified }) => modified < 2000)).toHaveLength(2);
  await blobs.delete("x.1-1.draft");
  expect(await list()).toHaveLength(2);
});
