import { type Clock, realClock } from "#server/platform/clock.ts";
import { readManifest, writeManifest } from "./manifest.ts";
import type { Run } from "./run.ts";
import { sweep, withinGrace } from "./sweep.ts";
import { lockForWriting } from "./writer-lock.ts";

/**
 * Removes runs from the manifest, in one step. Their folders stay as long as those of replaced runs, for answers that have
 * begun.
 *
 * @param unwanted Told of each published run, while nobody else writes.
 * @returns The runs that were removed.
 */
export async function removeRuns(
  root: string,
  unwanted: (runs: readonly Run[]) => ReadonlySet<Run>,
  { clock = realClock, signal }: { clock?: Clock; signal?: AbortSignal } = {},
): Promise<Run[]> {
  const lock = await lockForWriting(root, true, signal);
  try {
    const manifest = await readManifest(root);
    const gone = unwanted(manifest.runs);
    const now = clock.now();
    if (gone.size === 0) {
      await sweep(root, manifest, now);
      return [];
    }
    const replaced = [...withinGrace(manifest, now), ...[...gone].map(({ path }) => ({ path, at: now }))];
    const next = { ...manifest, runs: manifest.runs.filter((run) => !gone.has(run)), replaced };
    await lock.verify();
    await writeManifest(root, next);
    await sweep(root, next, now);
    return [...gone];
  } finally {
    await lock.release();
  }
}
