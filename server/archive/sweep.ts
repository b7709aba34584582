import { rm } from "node:fs/promises";
import { join } from "node:path";
import { namesIn } from "#server/platform/files.ts";
import { MANIFEST_KEY } from "./manifest.ts";
import type { Manifest } from "./run.ts";

/** Folders of published runs, and of runs being written. */
export const RUNS = "runs";
export const STAGING = "staging";

/**
 * Removes what the manifest does not name: replaced runs, and the leftovers of a writer that died. Only the owner of the
 * writer lock may sweep.
 */
export async function sweep(root: string, manifest: Manifest): Promise<void> {
  const published = new Set(manifest.runs.map(({ path }) => path));
  for (const name of await namesIn(join(root, STAGING)))
    await rm(join(root, STAGING, name), { recursive: true, force: true });
  for (const name of await namesIn(join(root, RUNS)))
    if (!published.has(`${RUNS}/${name}`)) await rm(join(root, RUNS, name), { recursive: true, force: true });
  for (const name of await namesIn(root))
    if (name.startsWith(`${MANIFEST_KEY}.`)) await rm(join(root, name), { force: true });
}
