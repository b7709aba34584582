/** A valid request that cannot be answered. The caller sees the message. */
export class ProcessingError extends Error {
  override readonly name: string = "ProcessingError";
}

/** An outage or overload of the service: the caller may retry. */
export class UnavailableError extends Error {
  override readonly name: string = "UnavailableError";
  /** Seconds until a retry is useful. */
  readonly retryAfter: number;
  constructor(message: string, retryAfter: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfter = retryAfter;
  }
}

/** The disk is full, or nearly so. Work waits for space, and nothing that was accepted is lost. */
export class NoSpaceError extends UnavailableError {
  override readonly name = "NoSpaceError";
  constructor(message = NO_SPACE, options?: ErrorOptions) {
    super(message, NO_SPACE_RETRY_S, options);
  }
}

/** The object store does not answer, or refuses this service: whatever needs it waits. */
export class StoreUnavailableError extends UnavailableError {
  override readonly name = "StoreUnavailableError";
  constructor(message = "The object store cannot be reached", options?: ErrorOptions) {
    super(message, STORE_RETRY_S, options);
  }
}

/** The message of an error; for an operator, who may see addresses, with what a store failed by. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (!(error instanceof StoreUnavailableError && cause instanceof Error)) return message;
  // Several refused connections are one error without a message.
  return `${message}: ${cause.message || ((cause as NodeJS.ErrnoException).code ?? cause.name)}`;
}

const STORE_RETRY_S = 5;

const NO_SPACE = "The service has no space left for tasks and stored answers";
const NO_SPACE_RETRY_S = 60;

/** The caller has stored as much as it may; the message says what it can delete. */
export class QuotaError extends Error {
  override readonly name = "QuotaError";
}

/** Of the system: no space on the device, quota of the file system. Of PostgreSQL: disk_full. */
const NO_SPACE_CODES: readonly unknown[] = ["ENOSPC", "EDQUOT", "53100"];

/** Whether a failure, or what caused it, is a full disk: this machine's or the database's. */
export function isNoSpace(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  // Prisma has the code of the database in `meta.driverAdapterError.cause.originalCode`.
  const { code, originalCode, cause, meta, driverAdapterError } = error as Record<string, unknown>;
  if (
    error instanceof NoSpaceError ||
    NO_SPACE_CODES.some((known) => known === code || known === originalCode)
  )
    return true;
  return [cause, meta, driverAdapterError].some(isNoSpace);
}
