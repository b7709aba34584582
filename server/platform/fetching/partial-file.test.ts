import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { seeded } from "#test/seeded.ts";
import { PartialFile } from "./partial-file.ts";

const version = { etag: '"1"', lastModified: 1.7e9, total: 1_000_000 };
const bytes = Buffer.from(Array.from({ length: 500_000 }, (_, at) => (at * 7919) >> 3));
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "partial-"));
  file = path.join(folder, "object");
});

afterEach(() => rm(folder, { recursive: true }));

/** Writes two stretches and closes the file as a killed process would, without any final step. */
async function interrupted(): Promise<void> {
  const partial = await PartialFile.open(file, "key");
  await partial.bind(version);
  for (const [from, to] of [
    [0, 210_000],
    [400_000, 500_000],
  ] as const) {
    const writer = partial.writer();
    for (let at = from; at < to; at += 10_000) writer.write(at, bytes.subarray(at, at + 10_000));
    if (from > 0) writer.end();
  }
  await partial[Symbol.asyncDispose]();
}

const found = async (key = "key") => {
  await using partial = await PartialFile.open(file, key);
  return { version: partial.version, found: partial.size, missing: partial.missing(0, 500_000) };
};

it("keeps all but the last block of each request after a kill", async () => {
  await interrupted();
  expect(await found()).toEqual({
    version,
    found: 200_000 + 100_000,
    missing: [[200_000, 400_000]],
  });
});

it("loses no complete block in a kill, even when the host falls silent after it", async () => {
  const partial = await PartialFile.open(file, "key");
  await partial.bind(version);
  const writer = partial.writer();
  writer.write(0, bytes.subarray(0, 10_000));
  writer.write(10_000, bytes.subarray(10_000, 20_000));
  expect((await found()).found).toBe(20_000);
  await partial[Symbol.asyncDispose]();
});

it("uses nothing that was fetched under another key", async () => {
  await interrupted();
  expect(await found("other")).toEqual({ version: undefined, found: 0, missing: [[0, 500_000]] });
});

it("uses no block whose bytes differ from those that arrived, or that the disk has lost", async () => {
  await interrupted();
  const changed = await readFile(file);
  changed[199_999]! ^= 1;
  await writeFile(file, changed);
  expect((await found()).missing).toEqual([[180_000, 400_000]]);
  await truncate(file, 499_999);
  expect((await found()).missing).toEqual([
    [180_000, 400_000],
    [480_000, 500_000],
  ]);
});

it("reads a journal whose last line is torn, or whose numbers are damaged", async () => {
  await interrupted();
  for (const line of ["x 100 1a2", "-1 100 1a2", "0.5 100 1a2", "0 1e400 1a2", "200000 100000 1a2"]) {
    await appendFile(`${file}.journal`, `\n${line}`);
    expect((await found()).missing).toEqual([[200_000, 400_000]]);
  }
  for (const head of ["", "{", "null", `${JSON.stringify({ key: "key", version: {} })}\n0 1 0`]) {
    await writeFile(`${file}.journal`, head);
    expect((await found()).found).toBe(0);
  }
});

it("never reports bytes that were not written, whatever happened to file and journal", async () => {
  const random = seeded(5);
  for (let round = 0; round < 30; round++) {
    await rm(file, { force: true });
    await rm(`${file}.journal`, { force: true });
    await interrupted();
    const damaged = [file, `${file}.journal`][round % 2]!;
    const content = await readFile(damaged);
    for (let flips = 0; flips < 3; flips++)
      content[Math.floor(random() * content.length)]! ^= 1 << (random() * 8);
    await writeFile(damaged, content.subarray(0, Math.ceil(random() * content.length)));
    await using partial = await PartialFile.open(file, "key");
    const there = await readFile(file);
    let at = 0;
    for (const [from, to] of [...partial.missing(0, 500_000), [500_000, 500_000] as const]) {
      expect(bytes.subarray(at, from).equals(there.subarray(at, from))).toBe(true);
      at = to;
    }
  }
});
