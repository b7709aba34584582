import { BackupDamagedError, RestoreRefusedError } from "#server/platform/backup.ts";
import { DatabaseUnreachableError } from "#server/platform/db.ts";
import { ConfigError } from "#server/platform/env.ts";
import { describeFailure, isNoSpace, UnavailableError } from "#server/platform/errors.ts";
import { LockedError } from "#server/platform/lock.ts";
import { MigrationError } from "#server/platform/migrate.ts";

const expected = [
  ConfigError,
  LockedError,
  DatabaseUnreachableError,
  MigrationError,
  BackupDamagedError,
  RestoreRefusedError,
];

/** What PostgreSQL's own programs print. unshare has the same words where user namespaces are not allowed. */
const FULL = /(?<!unshare failed: )no space left on device|disk quota exceeded/i;

/** What a command prints of an error in place of a stack, which would only obscure it; undefined where it is unexpected. */
export function describeCommandError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isNoSpace(error) || FULL.test(error.message))
    return `The disk is full: ${error.message.split("\n")[0]}. Make room in DATA_DIR, and run the command again; doctor says what takes it.`;
  if (error instanceof UnavailableError) return describeFailure(error);
  if (expected.some((kind) => error instanceof kind)) return error.message;
  // A path that is not a folder, or cannot be written: the message names the path and the reason.
  return "syscall" in error && "path" in error ? error.message : undefined;
}
