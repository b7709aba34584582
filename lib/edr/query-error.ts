/** A query that breaks a rule of OGC API – EDR. The message is for the caller. */
export class EdrQueryError extends Error {
  override readonly name = "EdrQueryError";
}
