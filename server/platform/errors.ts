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
