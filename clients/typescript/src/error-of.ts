import {
  AuthenticationError,
  ConflictError,
  GoneError,
  NotFoundError,
  RateLimitError,
  ReplyError,
  StorageFullError,
  TooLargeError,
  UnavailableError,
  ValidationError,
} from "./errors.ts";
import type { Refusal } from "./refusal.ts";

const byStatus: Readonly<Record<number, new (refusal: Refusal) => ReplyError>> = {
  401: AuthenticationError,
  403: AuthenticationError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  413: TooLargeError,
  422: ValidationError,
  429: RateLimitError,
  503: UnavailableError,
  507: StorageFullError,
};

/** The error of a reply that is no success. */
export function errorOf(refusal: Refusal): ReplyError {
  return new (byStatus[refusal.status] ?? ReplyError)(refusal);
}
