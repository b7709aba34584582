import type { OpenedArchive } from "#server/context/archive.ts";
import { MARKER_KEY } from "#server/platform/blob-key.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { NoSpaceError, QuotaError } from "#server/platform/errors.ts";
import type { Logger } from "#server/platform/log.ts";
import type { Storage } from "#server/tasks/storage.ts";

/** By name of a part: undefined when it works; what is wrong; or what is wrong though requests are answered. */
export type Readiness = Record<string, string | undefined | { degraded: string }>;

/** A store that does not answer for so long counts as one that does not, milliseconds. */
const STORE_MS = 5_000;

/** Ready as long as a list of runs is known: cached answers go on, and what needs more is 503 by itself. */
export async function archiveState(archive: Pick<OpenedArchive, "condition">, log: Logger) {
  let degraded: string | undefined;
  const failure = await failureOf(
    async () => {
      degraded = await archive.condition();
    },
    "cannot be read",
    log,
  );
  return failure ?? (degraded === undefined ? undefined : { degraded });
}

/**
 * Whether something new can be stored. How much is stored is known from the database: whether the store answers is asked of
 * the store, by one byte.
 *
 * @throws What is wrong, for `storageFailure`.
 */
export async function storageState(
  blobs: Pick<BlobStore, "getRange">,
  storage: Pick<Storage, "ensureSpace">,
): Promise<void> {
  await blobs.getRange(MARKER_KEY, 0, 1, AbortSignal.timeout(STORE_MS));
  await storage.ensureSpace();
}

export function storageFailure(error: unknown): string {
  const isFull = error instanceof NoSpaceError || error instanceof QuotaError;
  return `${isFull ? "full" : "does not answer"}: no tasks are accepted`;
}

/** The caller learns that a part fails; why, which may name machines, is for the log. */
export async function failureOf(
  check: () => unknown,
  failure: string | ((error: unknown) => string),
  log: Logger,
): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    log.warn({ err: error }, "a part is not ready");
    return typeof failure === "string" ? failure : failure(error);
  }
}
