import type { OpenedArchive } from "#server/context/archive.ts";
import { StoreUnavailableError } from "#server/platform/errors.ts";
import type { Logger } from "#server/platform/log.ts";

/** Ready as long as a list of runs is known: cached answers go on, and what needs more is 503 by itself. */
export async function archiveState(archive: Pick<OpenedArchive, "condition">, log: Logger) {
  let degraded: string | undefined;
  const failure = await failureOf(
    async () => {
      degraded = await archive.condition();
    },
    "cannot be read",
    log,
  );
  return failure ?? (degraded === undefined ? undefined : { degraded });
}

/** What a store of requests and results that fails means. */
export const storageFailure = (error: unknown) =>
  `${error instanceof StoreUnavailableError ? "does not answer" : "full"}: no tasks are accepted`;

/** The caller learns that a part fails; why, which may name machines, is for the log. */
export async function failureOf(
  check: () => unknown,
  failure: string | ((error: unknown) => string),
  log: Logger,
): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    log.warn({ err: error }, "a part is not ready");
    return typeof failure === "string" ? failure : failure(error);
  }
}
