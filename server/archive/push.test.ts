import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { publishConstant, temporaryFolder } from "#test/archive.ts";
import { entriesOf } from "#test/blob-stores.ts";
import { publishRandom, push } from "#test/remote-archive.ts";
import { archiveCommand } from "./archive-command.ts";
import { DamagedChunkError } from "./errors.ts";
import { readManifest } from "./manifest.ts";

const { signal } = new AbortController();
const small = (root: string, source: string, value = 1) => publishConstant(root, value, source);

/** Wraps a store and records the calls to it. */
function noting(store: BlobStore, alter: Partial<BlobStore> = {}) {
  const puts: string[] = [];
  const noted: BlobStore = {
    ...store,
    async put(key, pieces, stop) {
      puts.push(key);
      await (alter.put ?? store.put)(key, pieces, stop);
    },
  };
  return { puts, store: { ...noted, ...alter, put: noted.put } };
}

it("copies every file of every run, the manifest last, and nothing a second time", async () => {
  const [root, target] = [temporaryFolder(), temporaryFolder()];
  const run = await publishRandom(root);
  const { puts, store } = noting(folderBlobStore(target));
  expect(await push(root, store)).toMatchObject({ runs: 1, copied: 1, removed: 0 });
  expect(puts.at(-1)).toBe("manifest.json");
  const files = readdirSync(path.join(root, run.path), { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => path.extname(name) !== "" || name.includes("c.")))
    expect(puts).toContain(`${run.path}/${file}`);
  puts.length = 0;
  expect(await push(root, store)).toMatchObject({ runs: 1, copied: 0, bytes: 0 });
  expect(puts).toEqual([]);
});

it("stopped anywhere, leaves the manifest as it was and goes on with what is missing", async () => {
  const [root, target] = [temporaryFolder(), temporaryFolder()];
  await small(root, "one");
  const plain = folderBlobStore(target);
  const first = noting(plain);
  await push(root, first.store);
  await small(root, "two");
  let left = 3;
  const failing = noting(plain, {
    async put(key, pieces, stop) {
      if (left-- <= 0) throw new Error("stopped");
      await plain.put(key, pieces, stop);
    },
  });
  await expect(push(root, failing.store)).rejects.toThrow("stopped");
  expect((await readManifest(target)).runs).toHaveLength(1);
  const rest = noting(plain);
  await push(root, rest.store);
  expect(rest.puts).toHaveLength(first.puts.length - 3);
  expect((await readManifest(target)).runs).toHaveLength(2);
});

it("sends again what an interrupted push left damaged, and names nothing that arrives damaged", async () => {
  const [root, target] = [temporaryFolder(), temporaryFolder()];
  const run = await small(root, "one");
  const plain = folderBlobStore(target);
  const key = `${run.path}/points/air_temperature/c.0.0.0`;
  const right = await buffer(folderBlobStore(root).read(key));
  const wrong = Buffer.from(right);
  wrong[0]! ^= 1;
  await plain.put(key, once(wrong));
  await push(root, plain);
  expect(await buffer(plain.read(key))).toEqual(right);

  const elsewhere = folderBlobStore(temporaryFolder());
  const flipping = noting(elsewhere, {
    put: (name, pieces, stop) => elsewhere.put(name, name === key ? once(wrong) : pieces, stop),
  });
  await expect(push(root, flipping.store)).rejects.toThrow("The store returns another");
  expect(await elsewhere.get("manifest.json")).toBeUndefined();
});

async function* once(bytes: Uint8Array) {
  yield bytes;
}

it("removes replaced runs ten minutes after the manifest stopped to name them", async () => {
  const [root, target] = [temporaryFolder(), temporaryFolder()];
  const store = folderBlobStore(target);
  const old = await small(root, "one");
  await push(root, store, 1000);
  const now = await small(root, "one", 2);
  const has = async (run: { path: string }) =>
    (await entriesOf(store)).some(({ key }) => key.startsWith(`${run.path}/`));
  await push(root, store, 2000);
  expect((await readManifest(target)).runs.map(({ id }) => id)).toEqual([now.id]);
  expect(await has(old)).toBe(true);
  await push(root, store, 2599);
  expect(await has(old)).toBe(true);
  expect(await push(root, store, 2600)).toMatchObject({ removed: 1 });
  expect([await has(old), await has(now)]).toEqual([false, true]);
});

it("is refused where the store is the archive itself, of which nothing is changed", async () => {
  const root = temporaryFolder();
  const run = await small(root, "one");
  const link = path.join(temporaryFolder(), "link");
  symlinkSync(root, link);
  const before = readFileSync(path.join(root, "manifest.json"), "utf8");
  mkdirSync(path.join(root, "runs", "just-written"));
  writeFileSync(path.join(root, "runs", "just-written", "a"), "not named yet");
  for (const folder of [root, link])
    await expect(push(root, folderBlobStore(folder))).rejects.toThrow("is the archive itself");
  expect(readFileSync(path.join(root, "manifest.json"), "utf8")).toBe(before);
  expect(readdirSync(path.join(root, run.path))).not.toContain("points.indices");
  expect(readdirSync(path.join(root, "runs", "just-written"))).toEqual(["a"]);
});

it("withdraws nothing of another archive that is pushed there, before or meanwhile", async () => {
  const [root, other, target] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const run = await small(root, "one");
  await small(other, "two");
  const plain = folderBlobStore(target);
  const between = noting(plain, {
    async *list(below) {
      await push(root, plain);
      yield* plain.list(below);
    },
  });
  await expect(push(other, between.store)).rejects.toThrow("Another archive is pushed there");
  await expect(push(other, plain)).rejects.toThrow("Another archive is pushed there");
  expect((await readManifest(target)).runs.map(({ id }) => id)).toEqual([run.id]);
  // A later revision of the same archive is greater even if the clock was set back.
  const { revision } = await readManifest(target);
  await small(root, "three");
  await push(root, plain, -1000);
  expect((await readManifest(target)).revision).toBeGreaterThan(revision!);
});

it("publishes no run with a damaged index, and withdraws nothing where nothing is published", async () => {
  const [root, target] = [temporaryFolder(), temporaryFolder()];
  const run = await small(root, "one");
  const store = folderBlobStore(target);
  await push(root, store);
  await expect(push(temporaryFolder(), store)).rejects.toThrow("has no published runs");
  expect((await readManifest(target)).runs).toHaveLength(1);
  rmSync(target, { recursive: true });
  writeFileSync(path.join(root, run.path, "points/air_temperature/c.0.0.0"), "damaged");
  await expect(push(root, store)).rejects.toThrow(DamagedChunkError);
  expect(await store.get("manifest.json")).toBeUndefined();
});

it("as a command says what it copied, and what is no place for it", async () => {
  const [root, target] = [temporaryFolder(), temporaryFolder()];
  const run = await small(root, "one");
  const printed: Record<"out" | "err", string[]> = { out: [], err: [] };
  const deps = {
    archive: root,
    open: async (url: string) =>
      url.startsWith("file:") ? { ...folderBlobStore(target), close() {} } : undefined,
    openShared: async () => undefined,
    out: { write: (text: string) => void printed.out.push(text) },
    err: { write: (text: string) => void printed.err.push(text) },
    signal,
  };
  expect(await archiveCommand(["push", "file:///there"], deps)).toBe(0);
  expect(printed.out[0]).toContain(`1 of 1: ${run.id}, `);
  expect(printed.out[1]).toContain("1 runs are published there: 1 copied");
  for (const wrong of [["ftp://there"], ["s3://key:secret@there/a"], []])
    expect(await archiveCommand(["push", ...wrong], deps)).toBe(2);
  expect(printed.err.join("")).not.toContain("secret");
  expect(await archiveCommand(["push", "file:///there"], { ...deps, archive: temporaryFolder() })).toBe(1);
});
