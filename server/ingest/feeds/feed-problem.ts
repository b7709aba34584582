import { OutOfBudgetError } from "#server/platform/fetching/errors.ts";

/** What went wrong, in words for the operator. */
export function describe(error: unknown): string {
  if (error instanceof OutOfBudgetError)
    return `${error.message}. FEED_BYTES_A_DAY allows more, or a smaller profile needs less`;
  return error instanceof Error ? error.message : String(error);
}

/** When what is spent is there again, Unix seconds, if the error says so. */
export function againAt(error: unknown): number | undefined {
  return error instanceof OutOfBudgetError ? error.until : undefined;
}
