import { NoSpaceError, StoreUnavailableError, UnavailableError } from "./errors.ts";

/** There is no such object; the range begins behind its end; or what callers are told. */
export type FailureOf = "missing" | "beyond" | Error;

const MISSING = new Set(["NoSuchKey", "NotFound"]);
const FULL = new Set(["QuotaExceeded", "XMinioStorageFull", "InsufficientStorage", "EntityTooLarge"]);
/** What no retry mends, beside 401 and 403: the operator has to. The second and third are of another region. */
const REFUSED = new Set([
  "NoSuchBucket",
  "PermanentRedirect",
  "AuthorizationHeaderMalformed",
  "ExpiredToken",
]);

/** As `s3Failure`, where an object is written or all are listed: an error in any case. */
export function s3Error(error: unknown): Error {
  const failure = s3Failure(error);
  return failure instanceof Error ? failure : new StoreUnavailableError(undefined, { cause: error });
}

/** What an error of the S3 client means. */
export function s3Failure(error: unknown): FailureOf {
  const { name = "", $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  if (MISSING.has(name) || (status === 404 && name !== "NoSuchBucket")) return "missing";
  if (name === "InvalidRange" || status === 416) return "beyond";
  if (error instanceof UnavailableError || error instanceof TypeError) return error;
  if (FULL.has(name) || status === 507) return new NoSpaceError(undefined, { cause: error });
  if (name === "CredentialsProviderError")
    return new StoreUnavailableError("There are no credentials for the object store", { cause: error });
  const isRefused = REFUSED.has(name) || status === 401 || status === 403;
  const words = isRefused ? `The object store refuses this service (${name})` : undefined;
  return new StoreUnavailableError(words, { cause: error });
}
