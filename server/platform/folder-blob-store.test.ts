import { rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { entriesOf, piecesOf, randomBytes, testBlobStore } from "#test/blob-stores.ts";
import { temporaryFolders } from "#test/databases.ts";
import type { BlobStore } from "./blob-store.ts";
import { folderBlobStore, openBlobs } from "./folder-blob-store.ts";

const folders = temporaryFolders();
let folder: string;
let blobs: BlobStore;
beforeEach(() => {
  folder = path.join(folders(), "tasks");
  blobs = folderBlobStore(folder);
});

testBlobStore(() => blobs, 2 * 2 ** 20);

it("lists blobs with their age, including drafts of killed writers, and nothing where there is no folder", async () => {
  const list = () => entriesOf(blobs);
  expect(await list()).toEqual([]);
  await blobs.put("new", piecesOf(randomBytes(2)));
  await blobs.put("a/old", piecesOf(randomBytes(2)));
  writeFileSync(path.join(folder, "x.1-1.draft"), "");
  for (const name of ["a/old", "x.1-1.draft"]) utimesSync(path.join(folder, name), 1000, 1000);
  const entries = await list();
  expect(entries.map(({ key }) => key).toSorted()).toEqual(["a/old", "new", "x.1-1.draft"]);
  expect(entries.filter(({ modified }) => modified < 2000)).toHaveLength(2);
  await blobs.delete("x.1-1.draft");
  expect(await list()).toHaveLength(2);
});

it("lists the other blobs where folders are removed meanwhile", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `${index}`);
  for (const name of names) await blobs.put(`${name}/blob`, piecesOf(randomBytes(2)));
  let count = 0;
  for await (const _ of blobs.list())
    if (++count === 1)
      for (const name of names.slice(0, -1)) rmSync(path.join(folder, name), { recursive: true });
  expect(count).toBeGreaterThanOrEqual(1);
  expect(count).toBeLessThan(names.length);
});

it("lets other users read only what is public", async () => {
  const modes = async (name: string, isPublic?: boolean) => {
    const root = path.join(folder, name);
    const store = await openBlobs({ kind: "folder", folder: root }, 0, { isPublic });
    await store.put("runs/a", piecesOf(randomBytes(10)));
    return [root, path.join(root, "runs"), path.join(root, "runs", "a")].map(
      (file) => statSync(file).mode & 0o777,
    );
  };
  const open = ~process.umask();
  expect(await modes("one")).toEqual([0o700, 0o700, 0o600]);
  expect(await modes("two", true)).toEqual([0o777 & open, 0o777 & open, 0o666 & open]);
});
