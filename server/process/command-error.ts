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

/**
 * Messages of a full disk from PostgreSQL's own programs. unshare uses the same words where user namespaces are not
 * allowed.
 */
const FULL = /(?<!unshare failed: )no space left on device|disk quota exceeded/i;

/** The message that a command prints for an expected error in place of its stack; undefined for an unexpected one. */
export function describeCommandError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isNoSpace(error) || FULL.test(error.message))
    return `The disk is full: ${error.message.split("\n")[0]}. Make room in DATA_DIR, and run the command again; doctor says what takes it.`;
  if (error instanceof UnavailableError) return describeFailure(error);
  if (expected.some((kind) => error instanceof kind)) return error.message;
  // A path is not a folder or cannot be written; Node's message names the path and the reason.
  return "syscall" in error && "path" in error ? error.message : undefined;
}
