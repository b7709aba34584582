import { isNoSpace, UnavailableError } from "#server/platform/errors.ts";

/** No memory, too many open files, a disk that fails or was mounted read-only, a lost connection. */
const CODES = new Set([
  "EROFS",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "ESTALE",
  "ETIMEDOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
]);

/** The machine failed, not the task: the task waits until it can go on. */
export class MachineFailureError extends Error {
  override readonly name = "MachineFailureError";

  /** @returns undefined for an error that the task may have caused itself. */
  static of(error: unknown): MachineFailureError | undefined {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (cause instanceof MachineFailureError) return cause;
      if (cause instanceof UnavailableError || isNoSpace(cause) || CODES.has(code ?? ""))
        return new MachineFailureError(cause.message, { cause: error });
    }
    return undefined;
  }
}
