import { useState } from "react";

/** The failure state of a query. */
interface Failing {
  error: Error | null;
  /** Error of the last attempt while the query is being retried. */
  failureReason: Error | null;
  /** Number of times that the query has failed after all retries. */
  errorUpdateCount: number;
  /** The query has no answer yet. */
  isPending: boolean;
}

/**
 * Why a query has no answer, also while it is being repeated. Without this function such a query loses its
 * error with each new attempt, and a page would show "loading" throughout an outage.
 *
 * @param last Previous result of this function.
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
