import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "#test/archive.ts";
import { randomBytes } from "#test/blob-stores.ts";
import { FolderCache } from "./folder-cache.ts";

const BYTES = 4092;
const PAGE = 4096;

const cacheIn = (folder: string, pages = 1000, store = "s3://one") =>
  new FolderCache({ folder, maxBytes: pages * PAGE, store });

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());

it("returns what was put in, before and after it is on the disk, also to other processes", async () => {
  const folder = temporaryFolder();
  const cache = cacheIn(folder);
  const blocks = [0, 1, 2].map(() => randomBytes(BYTES));
  for (const [i, block] of blocks.entries()) cache.put("run/a", i, block);
  for (const [i, block] of blocks.entries()) expect(cache.get("run/a", i)).toEqual(block);
  await cache.settled();
  for (const [i, block] of blocks.entries())
    expect(Buffer.compare(cacheIn(folder).get("run/a", i)!, block)).toBe(0);
  expect(cache.get("run/b", 0)).toBeUndefined();
  expect(cacheIn(folder, 1000, "s3://two").get("run/a", 0)).toBeUndefined();
  cache.forget("run/a", 1);
  expect(cacheIn(folder).get("run/a", 1)).toBeUndefined();
});

it("forgets what is still being written, and has what is put in after that", async () => {
  const folder = temporaryFolder();
  const cache = cacheIn(folder);
  for (const block of [0, 1]) {
    cache.put("run/a", block, Buffer.from("damaged"));
    cache.forget("run/a", block);
    expect(cache.get("run/a", block)).toBeUndefined();
  }
  cache.put("run/a", 1, Buffer.from("sound"));
  await cache.settled();
  expect([0, 1].map((block) => cacheIn(folder).get("run/a", block)?.toString())).toEqual([
    undefined,
    "sound",
  ]);
});

it("believes no file that is torn at any length, changed, or of another object", async () => {
  const folder = temporaryFolder();
  const cache = cacheIn(folder);
  cache.put("run/a", 0, randomBytes(200));
  cache.put("run/a", 1, randomBytes(200));
  await cache.settled();
  const [file, other] = filesIn(folder).sort() as [string, string];
  const whole = readFileSync(file);
  for (let length = 0; length < whole.length; length++) {
    writeFileSync(file, whole.subarray(0, length));
    expect(cache.get("run/a", 0)).toBeUndefined();
  }
  for (let at = 0; at < whole.length; at += 7) {
    const changed = Buffer.from(whole);
    changed[at]! ^= 4;
    writeFileSync(file, changed);
    expect(cache.get("run/a", 0)).toBeUndefined();
  }
  writeFileSync(file, readFileSync(other));
  expect(cache.get("run/a", 0)).toBeUndefined();
  writeFileSync(file, whole);
  expect(cache.get("run/a", 0)).toBeDefined();
});

it("stays within its budget, whatever is put in, and keeps what was used last", async () => {
  const folder = temporaryFolder();
  const cache = cacheIn(folder, 40);
  const old = Date.parse("2026-01-01") / 1000;
  for (let block = 0; block < 30; block++) cache.put("run/a", block, randomBytes(BYTES));
  await cache.settled();
  for (const file of filesIn(folder)) utimesSync(file, old, old);
  expect(cache.get("run/a", 3)).toBeDefined();
  for (let block = 100; block < 130; block++) {
    cache.put("run/a", block, randomBytes(BYTES));
    if (block % 5 === 0) await cache.settled();
  }
  await cache.settled();
  await cache.trim();
  expect(filesIn(folder).length).toBeLessThanOrEqual(35);
  expect(cache.get("run/a", 3)).toBeDefined();
  expect(cache.get("run/a", 129)).toBeDefined();
  expect(cache.get("run/a", 4)).toBeUndefined();
});

it("is only a cache: without its folder, or with one that cannot be written, nothing fails", async () => {
  const folder = path.join(temporaryFolder(), "cache");
  const cache = cacheIn(folder);
  cache.put("run/a", 0, randomBytes(10));
  await cache.settled();
  rmSync(folder, { recursive: true });
  expect(cache.get("run/a", 0)).toBeUndefined();
  await cache.trim();
  writeFileSync(folder, "a file");
  cache.put("run/a", 0, randomBytes(10));
  await cache.settled();
  expect(cache.get("run/a", 0)).toBeUndefined();
  rmSync(folder);
  mkdirSync(folder);
  expect(cache.get("run/a", 0)).toBeUndefined();
});
