import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeEach, expect, it } from "vitest";
import { temporaryFolders } from "#test/databases.ts";
import { BlobDamagedError, BlobMissingError, type BlobStore } from "./blob-store.ts";
import { folderBlobStore } from "./folder-blob-store.ts";

const folders = temporaryFolders();
let folder: string;
let room: BlobStore;
beforeEach(() => {
  folder = path.join(folders(), "tasks");
  room = folderBlobStore(folder);
});

const random = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(Math.random() * 256)));

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of pieces) chunks.push(chunk);
  return Buffer.concat(chunks);
}

it.each([0, 1, 300_000])("hands back what was written, %i bytes, packed and checksummed", async (length) => {
  const bytes = random(length);
  const stored = await room.write("a.1", [bytes.subarray(0, length >> 1), bytes.subarray(length >> 1)]);
  const packed = readFileSync(path.join(folder, "a.1"));
  expect(stored).toEqual({
    bytes: packed.length,
    hash: createHash("sha256").update(packed).digest("hex"),
  });
  expect(gunzipSync(await bytesOf(room.read("a.1", stored.hash))).equals(bytes)).toBe(true);
});

it("leaves nothing behind when the pieces end in an error, or when it is stopped", async () => {
  const broken = async function* () {
    yield Buffer.alloc(1000);
    throw new Error("no more");
  };
  await expect(room.write("a", broken())).rejects.toThrow("no more");
  const stop = new AbortController();
  const endless = async function* () {
    for (;;) {
      yield random(100_000);
      stop.abort();
    }
  };
  await expect(room.write("b", endless(), stop.signal)).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ["cut short", (file: string) => truncateSync(file, 100_000)],
  ["changed", (file: string) => writeFileSync(file, "x", { flag: "r+" })],
])("never hands out the whole of a file that was %s", async (_how, damage) => {
  const { hash, bytes } = await room.write("a", [random(200_000)]);
  damage(path.join(folder, "a"));
  let read = 0;
  const reading = async () => {
    for await (const chunk of room.read("a", hash)) read += chunk.length;
  };
  await expect(reading()).rejects.toThrow(BlobDamagedError);
  expect(read).toBeLessThan(bytes);
});

it("says what is missing, removes without complaint, and takes no path for a name", async () => {
  await expect(bytesOf(room.read("a"))).rejects.toThrow(BlobMissingError);
  await room.write("a", [Buffer.from("a")]);
  await room.remove("a");
  await room.remove("a");
  expect(existsSync(path.join(folder, "a"))).toBe(false);
  await expect(room.remove("../a")).rejects.toThrow(TypeError);
});

it("finds what is old, drafts too, and nothing where there is no folder", async () => {
  const old = async (before: number) => {
    const names: string[] = [];
    for await (const name of room.olderThan(before)) names.push(name);
    return names;
  };
  expect(await old(2e9)).toEqual([]);
  await room.write("new", [Buffer.from("a")]);
  await room.write("old", [Buffer.from("a")]);
  writeFileSync(path.join(folder, "x.draft"), "");
  for (const name of ["old", "x.draft"]) utimesSync(path.join(folder, name), 1000, 1000);
  expect((await old(2000)).toSorted()).toEqual(["old", "x.draft"]);
});
