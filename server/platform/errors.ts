/** A valid request or command cannot be done. The caller sees the message. */
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

/** The disk is full or nearly full. Tasks wait for space, and nothing that was accepted is lost. */
export class NoSpaceError extends UnavailableError {
  override readonly name = "NoSpaceError";
  constructor(message = NO_SPACE, options?: ErrorOptions) {
    super(message, NO_SPACE_RETRY_S, options);
  }
}

/** The object store does not answer or refuses this service. Whatever needs it waits. */
export class StoreUnavailableError extends UnavailableError {
  override readonly name = "StoreUnavailableError";
  constructor(message = "The object store cannot be reached", options?: ErrorOptions) {
    super(message, STORE_RETRY_S, options);
  }
}

/** The database does not answer: it is restarting or cannot be reached. */
export class DatabaseUnavailableError extends UnavailableError {
  override readonly name = "DatabaseUnavailableError";
  constructor(options?: ErrorOptions) {
    super("The database does not answer at the moment", DATABASE_RETRY_S, options);
  }
}

/**
 * The message of an error for an operator. It includes the cause of a store's failure, since operators may see
 * addresses.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (!(error instanceof StoreUnavailableError && cause instanceof Error)) return message;
  // When several connections are refused, Node throws one error without a message.
  return `${message}: ${cause.message || ((cause as NodeJS.ErrnoException).code ?? cause.name)}`;
}

const STORE_RETRY_S = 5;
const DATABASE_RETRY_S = 5;

const NO_SPACE = "The service has no space left for tasks and stored answers";
const NO_SPACE_RETRY_S = 60;

/** The caller has stored as much as it may; the message says what it can delete. */
export class QuotaError extends Error {
  override readonly name = "QuotaError";
}

/** Codes of a full disk: ENOSPC and EDQUOT (no space, quota exceeded) from the system, disk_full from PostgreSQL. */
const NO_SPACE_CODES: readonly unknown[] = ["ENOSPC", "EDQUOT", "53100"];

/** Whether a failure or its cause is a full disk, of this machine or of the database. */
export function isNoSpace(error: unknown): boolean {
  return someCause(
    error,
    (each) => each instanceof NoSpaceError || codesOf(each).some((code) => NO_SPACE_CODES.includes(code)),
  );
}

/** PostgreSQL's connection_exception, too_many_connections, admin_shutdown, crash_shutdown and cannot_connect_now. */
const AWAY_CODE = /^(08...|53300|57P0[123])$/;

/** Error codes of Prisma, and kinds of its adapter, for a connection that cannot be opened or has broken. */
const AWAY_OF_PRISMA: readonly unknown[] = ["P1001", "P1002", "P1008", "P1017"];
const AWAY_KINDS: readonly unknown[] = [
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TooManyConnections",
];

/** Messages of the PostgreSQL driver that carry no code. */
const AWAY_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether the failure of a query, or its cause, means that the database cannot be reached. */
export function isDatabaseAway(error: unknown): boolean {
  return someCause(
    error,
    (each) =>
      codesOf(each).some((code) => AWAY_OF_PRISMA.includes(code) || AWAY_CODE.test(String(code))) ||
      AWAY_KINDS.includes(each.kind) ||
      (typeof each.message === "string" && AWAY_MESSAGE.test(each.message)),
  );
}

const codesOf = ({ code, originalCode }: Record<string, unknown>) => [code, originalCode];

/**
 * Whether an error, or any of its causes, meets a test. Prisma keeps the database's error in
 * `meta.driverAdapterError.cause`.
 */
function someCause(error: unknown, test: (each: Record<string, unknown>) => boolean): boolean {
  if (typeof error !== "object" || error === null) return false;
  const each = error as Record<string, unknown>;
  const { cause, meta, driverAdapterError } = each;
  return test(each) || [cause, meta, driverAdapterError].some((inner) => someCause(inner, test));
}
