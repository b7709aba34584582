import { join } from "node:path";
import { acquireLock, type Lock, LockedError } from "#server/platform/lock.ts";
import { ArchiveBusyError } from "./errors.ts";

/** A writer of another container or machine counts as dead after this long without a heartbeat. */
const SILENCE_MS = 60_000;

/** The right to write to an archive; `verify` and `lockForWriting` throw ArchiveBusyError. */
export type WriterLock = Lock;

/**
 * Takes the right to write to an archive, which one process has at a time.
 *
 * @param wait Waits for the holder to end, until `signal` aborts, instead of throwing ArchiveBusyError.
 */
export async function lockForWriting(root: string, wait: boolean, signal?: AbortSignal): Promise<WriterLock> {
  const options = { wait, signal, silenceMs: SILENCE_MS };
  const lock = await acquireLock(join(root, "writer.lock"), options).catch(asBusy);
  return { verify: () => lock.verify().catch(asBusy), release: () => lock.release() };
}

function asBusy(error: unknown): never {
  throw error instanceof LockedError ? new ArchiveBusyError(error.holder) : error;
}
