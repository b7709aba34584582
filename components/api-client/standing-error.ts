import { useState } from "react";

/** What a query reports of its failures. */
interface Failing {
  error: Error | null;
  /** Of the last attempt, while it is repeated. */
  failureReason: Error | null;
  /** How often the query has failed for good. */
  errorUpdateCount: number;
  /** It has no answer yet. */
  isPending: boolean;
}

/**
 * Why a query has no answer, also while it is asked again: a query without an answer forgets its error with each new
 * attempt, and a page that said "loading" then would say so for as long as the service is out.
 *
 * @param last What this said before.
 */
export function standingError(query: Failing, last: Error | undefined): Error | undefined {
  if (query.error) return query.error;
  if (!query.isPending) return undefined;
  return query.failureReason ?? (query.errorUpdateCount > 0 ? last : undefined);
}

export function useStandingError(query: Failing): Error | undefined {
  const [last, setLast] = useState<Error>();
  const error = standingError(query, last);
  if (error !== last) setLast(error);
  return error;
}
