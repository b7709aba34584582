/** One message of a GRIB file cannot be read; the others may be fine. */
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

/** Why bytes cannot be read, thrown where the file and the message number are not known. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}
