import { join } from "node:path";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { readManifest } from "./manifest.ts";
import { NothingToPushError, type PushCounts, type PushReport } from "./push.ts";
import { type Run, replaces } from "./run.ts";
import type { RunRows } from "./run-rows.ts";
import { publishInStore } from "./store-archive.ts";

export interface PublishReport extends Pick<PushReport, "copied"> {
  /** A run that was not published, and why, for the operator. */
  left(run: Run, reason: string): void;
}

/**
 * Publishes the runs of a folder in the archive of a bucket, beside those that it has. A run of which the bucket has a longer
 * form stays as it is. Interrupted, it goes on with the runs that are left.
 *
 * Throws UnavailableError, DamagedManifestError, NothingToPushError, DifferentObjectError, RunGivenUpError.
 */
export async function publishArchive(
  root: string,
  rows: RunRows,
  blobs: BlobStore,
  report: PublishReport,
  signal: AbortSignal,
): Promise<PushCounts> {
  const { runs } = await readManifest(root);
  if (runs.length === 0) throw new NothingToPushError(root);
  const counts: PushCounts = { runs: 0, copied: 0, removed: 0, bytes: 0 };
  for (const [done, run] of runs.entries()) {
    signal.throwIfAborted();
    const published = (await rows.manifest()).runs;
    const longer = published.find((other) => replaces(other, run) && other.times.length > run.times.length);
    if (longer) {
      report.left(run, `${longer.id} has more of it`);
      continue;
    }
    const known = new Set(published.map(({ id }) => id));
    let sent = 0;
    const { id } = await publishInStore(join(root, run.path), run, rows, blobs, signal, (bytes) => {
      sent = bytes;
    });
    if (known.has(id)) continue;
    counts.copied++;
    counts.bytes += sent;
    report.copied(run, sent, done + 1, runs.length);
  }
  counts.runs = (await rows.manifest()).runs.length;
  return counts;
}
