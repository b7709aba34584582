import { rm } from "node:fs/promises";
import { join } from "node:path";
import { namesIn } from "#server/platform/files.ts";
import { MANIFEST_KEY } from "./manifest.ts";
import type { Manifest } from "./run.ts";

/** Folders of published runs, and of runs being written. */
export const RUNS = "runs";
export const STAGING = "staging";

/** The folder of the run that an object is of. */
export const runPathOf = (key: string) => key.split("/").slice(0, 2).join("/");

/** A replaced run stays this long, seconds: longer than any answer that was begun with the manifest before it. */
export const GRACE_S = 600;

/** The replaced runs of a manifest whose folders must stay. A time in the future is of a clock that was set back. */
export function withinGrace({ replaced = [] }: Manifest, now: number) {
  return replaced.filter(({ at }) => Math.abs(now - at) < GRACE_S);
}

/**
 * Removes what the manifest does not name: runs that were replaced more than ten minutes ago, and the leftovers of a writer
 * that died. Only the owner of the writer lock may sweep.
 *
 * @param now Unix seconds.
 */
export async function sweep(root: string, manifest: Manifest, now: number): Promise<void> {
  const kept = new Set([...manifest.runs, ...withinGrace(manifest, now)].map(({ path }) => path));
  await sweepStaging(root);
  for (const name of await namesIn(join(root, RUNS)))
    if (!kept.has(`${RUNS}/${name}`)) await rm(join(root, RUNS, name), { recursive: true, force: true });
  for (const name of await namesIn(root))
    if (name.startsWith(`${MANIFEST_KEY}.`)) await rm(join(root, name), { force: true });
}

/** Removes what a writer that died had written. Only the owner of the writer lock may. */
export async function sweepStaging(root: string): Promise<void> {
  for (const name of await namesIn(join(root, STAGING)))
    await rm(join(root, STAGING, name), { recursive: true, force: true });
}
