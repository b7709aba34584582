import { rm } from "node:fs/promises";
import { join } from "node:path";
import { namesIn } from "./files.ts";
import { NEXT_MANIFEST } from "./manifest.ts";
import type { Manifest } from "./run.ts";

/** Folder of published runs, and of those being written. */
export const RUNS = "runs";
export const STAGING = "staging";

/**
 * Removes what no manifest names: runs that were replaced, and what a writer that died has left. Only the holder of the
 * writer's lock may sweep.
 */
export async function sweep(root: string, manifest: Manifest): Promise<void> {
  const published = new Set(manifest.runs.map(({ path }) => path));
  for (const name of await namesIn(join(root, STAGING)))
    await rm(join(root, STAGING, name), { recursive: true, force: true });
  for (const name of await namesIn(join(root, RUNS)))
    if (!published.has(`${RUNS}/${name}`)) await rm(join(root, RUNS, name), { recursive: true, force: true });
  await rm(join(root, NEXT_MANIFEST), { force: true });
}
