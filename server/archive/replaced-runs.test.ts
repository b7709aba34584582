import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { NINE_NODES, newRun, publishConstant, readConstant, temporaryFolder } from "#test/archive.ts";
import { openCatalog } from "./catalog.ts";
import { directoryStore } from "./directory-store.ts";
import { removeRuns } from "./folder-publication.ts";
import { readManifest } from "./manifest.ts";
import { openReader } from "./reader.ts";
import type { Run } from "./run.ts";
import { beginRun } from "./writer.ts";

/** Opens an archive with a clock (Unix seconds) that its writers use. */
function opened() {
  const root = temporaryFolder();
  const time = { now: 1_700_000_000 };
  const clock = { now: () => time.now };
  const put = (value: number, source?: string) => publishConstant(root, value, source, { clock });
  return { root, time, clock, put };
}

it("an answer begun before its run was replaced can be finished nine minutes later, whatever is written meanwhile", async () => {
  const { root, time, clock, put } = opened();
  await put(1);
  const store = directoryStore(root);
  const reader = openReader(store, { cacheBytes: 1 << 24 });
  const catalog = openCatalog(store, { onChange: ({ runs }) => reader.retainOnly(runs) });
  const manifest = await catalog.manifest();

  await put(2);
  time.now += 540;
  // This stands for a writer in another process, which shares only the folder.
  await (await beginRun(root, newRun(NINE_NODES, 1), { clock })).abandon();
  await put(3, "other");
  await catalog.refresh();

  expect(await readConstant(reader, manifest.runs[0]!)).toBe(1);
  const { signal } = new AbortController();
  const { values } = await reader.mapStep(manifest.runs[0]!, "air_temperature", 0, 1, signal);
  expect(values[0]).toBe(200);
});

it("the next writer after ten minutes removes a replaced run, and the manifest forgets it", async () => {
  const { root, time, clock, put } = opened();
  const old = await put(1);
  const newer = await put(2);
  time.now += 300;
  const newest = await put(3);
  time.now += 301;
  await (await beginRun(root, newRun(NINE_NODES, 1), { clock })).abandon();
  expect([old, newer, newest].map(({ path }) => existsSync(join(root, path)))).toEqual([false, true, true]);
  await put(4, "other");
  expect((await readManifest(root)).replaced?.map(({ path }) => path)).toEqual([newer.path]);
  time.now += 600;
  await put(5, "another");
  expect((await readManifest(root)).replaced).toBeUndefined();
  expect(existsSync(join(root, newer.path))).toBe(false);
});

it("a run that comes again while its replaced twin is kept is published beside it", async () => {
  const { root, put } = opened();
  const first = await put(1);
  await put(2);
  const again = await put(1);
  expect(again.id).toBe(`${first.id}-2`);
  expect([first, again].map(({ path }) => existsSync(join(root, path)))).toEqual([true, true]);
  expect((await readManifest(root)).runs).toEqual([again]);
});

it("a run that retention removed is published no longer, and its folder goes ten minutes later", async () => {
  const { root, time, clock, put } = opened();
  const old = await put(1);
  const kept = await put(1, "other");
  const unwanted = (runs: readonly Run[]) => new Set(runs.filter(({ id }) => id === old.id));
  expect((await removeRuns(root, unwanted, { clock })).map(({ id }) => id)).toEqual([old.id]);
  expect((await readManifest(root)).runs.map(({ id }) => id)).toEqual([kept.id]);
  const isThere = async (after: number) => {
    time.now += after;
    await removeRuns(root, unwanted, { clock });
    return existsSync(join(root, old.path));
  };
  expect([await isThere(540), await isThere(61)]).toEqual([true, false]);
  expect(existsSync(join(root, kept.path))).toBe(true);
});
