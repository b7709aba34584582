import { rename } from "node:fs/promises";
import { join } from "node:path";
import { realClock } from "#server/platform/clock.ts";
import { holdsSameFiles, makeFolder, syncFolder, syncTree } from "#server/platform/files.ts";
import { readManifest, writeManifest } from "./manifest.ts";
import type { Publication, WriterOptions } from "./publication.ts";
import { replaces } from "./replaces.ts";
import type { Manifest, Run } from "./run.ts";
import { contentOf, nextOf } from "./run-id.ts";
import { RUNS, sweep, withinGrace } from "./sweep.ts";
import { lockForWriting, type WriterLock } from "./writer-lock.ts";

/** Takes the right to write to the archive of a folder, whose manifest is what is published. */
export async function beginInFolder(root: string, options: WriterOptions): Promise<Publication> {
  await makeFolder(root);
  const { wait = false, signal, clock = realClock } = options;
  const lock = await lockForWriting(root, wait, signal);
  try {
    await sweep(root, await readManifest(root), clock.now());
  } catch (error) {
    await lock.release();
    throw error;
  }
  return {
    async publish(folder, run) {
      const manifest = await readManifest(root);
      const same = manifest.runs.find(({ id }) => contentOf(id) === run.id);
      if (same && (await holdsSameFiles(join(root, same.path), folder))) return same;
      let id = same ? nextOf(same.id) : run.id;
      // The folder of a replaced run with the same content may still be in use.
      while (manifest.replaced?.some(({ path }) => path === `${RUNS}/${id}`)) id = nextOf(id);
      return add(root, lock, folder, { ...run, id, path: `${RUNS}/${id}` }, manifest, clock.now());
    },
    end: () => lock.release(),
  };
}

/** Moves the run to its place and then, in one step, into the manifest. */
async function add(
  root: string,
  lock: WriterLock,
  folder: string,
  run: Run,
  manifest: Manifest,
  now: number,
): Promise<Run> {
  await syncTree(folder);
  await lock.verify();
  await rename(folder, join(root, run.path));
  await syncFolder(join(root, RUNS));
  const others = manifest.runs.filter((other) => !replaces(run, other));
  const retired = manifest.runs.filter((other) => replaces(run, other));
  const replaced = [...withinGrace(manifest, now), ...retired.map(({ path }) => ({ path, at: now }))];
  const next: Manifest = {
    ...manifest,
    runs: [...others, run],
    replaced: replaced.length > 0 ? replaced : undefined,
  };
  try {
    await writeManifest(root, next);
  } catch (error) {
    // A full disk: the new run goes, unless the manifest names it already.
    await sweep(root, await readManifest(root), now);
    throw error;
  }
  await sweep(root, next, now);
  return run;
}
