/** One message of a GRIB file cannot be read; the others may be valid. */
export class GribError extends Error {
  override readonly name = "GribError";
  readonly file: string;
  /** Number of the message in its file, from 1. */
  readonly gribMessage: number;
  readonly reason: string;

  constructor(file: string, gribMessage: number, reason: string, options?: ErrorOptions) {
    super(`${file}, GRIB message ${gribMessage}: ${reason}`, options);
    this.file = file;
    this.gribMessage = gribMessage;
    this.reason = reason;
  }
}

/** Bytes cannot be read. Thrown by code that does not know file and message number. */
export class UnreadableError extends Error {
  override readonly name = "Unreadable";
}
