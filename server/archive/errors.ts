import { LRUCache } from "lru-cache";
import { ProcessingError, UnavailableError } from "#server/platform/errors.ts";

/** The wait is long because an operator has to repair the archive. */
const RETRY_AFTER_S = 60;

/** Stored bytes differ from what was written. The request fails; no number is derived from them. */
export class DamagedChunkError extends ProcessingError {
  override readonly name = "DamagedChunkError";
  readonly run: string;
  readonly field: string;
  /** Describes for the log what is wrong and in which object of the store. */
  readonly detail: string;
  constructor(run: string, field: string, detail: string, options?: ErrorOptions) {
    super(`The stored ${field} of ${run} is damaged; it must be ingested again`, options);
    this.run = run;
    this.field = field;
    this.detail = detail;
  }
}

/** The newest manifest names an object that the store lacks: it was removed by hand. */
export class IncompleteRunError extends ProcessingError {
  override readonly name = "IncompleteRunError";
  constructor(options: ErrorOptions) {
    super("Part of a run that was published is gone from the archive; it must be ingested again", options);
  }
}

/** The manifest cannot be read. Nothing is served, and only a process whose catalog has runs writes it again. */
export class DamagedManifestError extends UnavailableError {
  override readonly name = "DamagedManifestError";
  constructor(detail: string, options?: ErrorOptions) {
    super(`The archive's manifest.json is damaged: ${detail}`, RETRY_AFTER_S, options);
  }
}

/** Another process is writing. */
export class ArchiveBusyError extends ProcessingError {
  override readonly name = "ArchiveBusyError";
  readonly holder: string;
  constructor(holder: string) {
    super(`The archive is being written by ${holder}; wait for it to end`);
    this.holder = holder;
  }
}

/** Receives each damage of the archive that was answered from elsewhere, since the same numbers are stored twice. */
export type OnDamage = (error: DamagedChunkError) => void;

const MAX_REPORTED = 1000;

/** Reports each damage once, however often it is read. A missing object is not reported: its run was replaced. */
export function damageReporter(onDamage: OnDamage): (error: unknown) => void {
  const reported = new LRUCache<string, true>({ max: MAX_REPORTED });
  return (error) => {
    if (!(error instanceof DamagedChunkError) || reported.has(error.detail)) return;
    reported.set(error.detail, true);
    onDamage(error);
  };
}
