import type { BlobStore } from "#server/platform/blob-store.ts";
import type { TaskLog } from "./task.ts";

/**
 * Deletes blobs that no row names any more. Where the store fails, they stay until the sweep of orphans (retention.ts): what
 * was written to the row holds in any case.
 */
export async function discardBlobs(
  blobs: Pick<BlobStore, "delete">,
  keys: readonly string[],
  log: Pick<TaskLog, "warn">,
): Promise<void> {
  try {
    for (const key of keys) await blobs.delete(key);
  } catch (error) {
    log.warn({ err: error, keys }, "blobs of a task could not be deleted; the next sweep deletes them");
  }
}
