/** A request that was understood and could not be answered. The message is what its caller reads. */
export class ProcessingError extends Error {
  override readonly name: string = "ProcessingError";
}

/** Our own outage or overload: the caller did nothing wrong and may come again. */
export class UnavailableError extends Error {
  override readonly name: string = "UnavailableError";
  /** Seconds until it is worth trying again. */
  readonly retryAfter: number;
  constructor(message: string, retryAfter: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfter = retryAfter;
  }
}
