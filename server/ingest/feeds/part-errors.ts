import { IndexError } from "#server/ingest/grib2/wgrib2-index.ts";
import { FetchError, printable } from "#server/platform/fetching/errors.ts";
import { UnsuitableDataError } from "./check-messages.ts";
import { UnsuitableIndexError } from "./find-messages.ts";

/** Why a mirror did not give a part. */
export interface MirrorFailure {
  /** Name of the mirror. */
  mirror: string;
  error: Error;
}

/** A mirror has a part, but not all that is wanted of it. */
export class LackingError extends Error {
  override readonly name = "LackingError";
  /** What it has nothing for, in words. */
  readonly lacking: readonly string[];
  constructor(where: string, lacking: readonly string[]) {
    super(`${where} lacks ${lacking.join(", ")}`);
    this.lacking = lacking;
  }
}

/** No mirror gave a part. The message, for the operator, says why for each. */
export class PartFailedError extends Error {
  override readonly name = "PartFailedError";
  readonly failures: readonly MirrorFailure[];
  /** Bytes that arrived all the same. */
  readonly bytesFetched: number;

  /** @param absentAt Names of mirrors that do not have it. */
  constructor(failures: readonly MirrorFailure[], absentAt: readonly string[], bytesFetched: number) {
    const reasons = failures.map(({ mirror, error }) => `${mirror}: ${error.message}`);
    const absences = absentAt.map((mirror) => `${mirror}: not there yet`);
    super(printable([...reasons, ...absences].join("; ")), { cause: failures[0]?.error });
    this.failures = failures;
    this.bytesFetched = bytesFetched;
  }
}

/** Whether a failure is the mirror's, so that the next one may do better. Others, such as a full disk, are ours. */
export function isOfMirror(error: unknown): error is Error {
  return error instanceof FetchError || error instanceof LackingError || isUnsuitable(error);
}

/** Whether what arrived was whole, but is not what was wanted. */
export function isUnsuitable(error: unknown): error is Error {
  return (
    error instanceof IndexError ||
    error instanceof UnsuitableIndexError ||
    error instanceof UnsuitableDataError
  );
}
