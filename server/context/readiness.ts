import { type VariableName, variable } from "#lib/catalog/variables.ts";
import type { Catalog } from "#server/archive/catalog.ts";
import type { OpenedArchive } from "#server/context/archive.ts";
import { RETAINED_MS } from "#server/keys/key-lookup.ts";
import { type BlobStore, MARKER_KEY } from "#server/platform/blob-store.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { NoSpaceError, QuotaError, UnavailableError } from "#server/platform/errors.ts";
import type { Logger } from "#server/platform/log.ts";
import type { Metrics } from "#server/platform/metrics.ts";
import type { Storage } from "#server/tasks/storage.ts";

/**
 * State by name of a part: undefined when it works; a text when it fails; `degraded` when it has a problem but requests
 * are answered.
 */
export type Readiness = Record<string, string | undefined | { degraded: string }>;

/**
 * A part that is silent for this long counts as unavailable, milliseconds. Proxies and probes wait longer for /readyz.
 */
const AWAY_MS = 2_000;

export interface ReadinessDeps {
  database: { ping(): Promise<void> };
  archive: Pick<OpenedArchive, "condition">;
  /** Describes an error of the clock. */
  clockProblem(): Promise<string | undefined>;
  /** Throws `UnavailableError` until there is data to answer with. */
  ensureData?(): Promise<void>;
  blobs: Pick<BlobStore, "getRange">;
  storage: Pick<Storage, "ensureSpace">;
  log: Pick<Logger, "warn">;
  metrics: Pick<Metrics, "gauges">;
  /** Monotonic milliseconds. */
  elapsed?: () => number;
}

/** Opens the check of what this process can do. Metrics report the same states as numbers. */
export function openReadiness(deps: ReadinessDeps): () => Promise<Readiness> {
  const databaseState = databaseCheck(deps);
  const ready = async () => {
    const parts = [databaseState(), archiveState(deps), storageState(deps), clockState(deps)];
    const [database, archive, storage, clock] = await Promise.all(parts);
    return { database, archive, storage, clock };
  };
  const help =
    "State of what requests depend on: 0 works, 1 is degraded, 2 fails, so that nothing is answered";
  deps.metrics.gauges("part_state", help, "part", async () => partStates(await ready()));
  return ready;
}

/**
 * Checks the database. Without it, recently used keys keep working for a while, and so do answers from memory; after
 * that the part fails. All replicas share the database, so none may leave service while it still answers something.
 */
function databaseCheck({
  database,
  log,
  elapsed = monotonicMs,
}: ReadinessDeps): () => Promise<Readiness[string]> {
  let answeredAt = elapsed();
  return async () => {
    const failure = await failureOf(() => inTime(database.ping()), "does not answer", log);
    if (failure === undefined) answeredAt = elapsed();
    const isLong = elapsed() - answeredAt > RETAINED_MS;
    return failure === undefined || isLong ? failure : { degraded: `${failure}: what needs it is refused` };
  };
}

/**
 * Checks the archive. It is ready as long as a list of runs is known: cached data is answered, and a request that needs
 * more gets 503.
 */
async function archiveState({ archive, ensureData, log }: ReadinessDeps): Promise<Readiness[string]> {
  let degraded: string | undefined;
  const failure = await failureOf(
    async () => {
      degraded = await archive.condition();
    },
    "cannot be read",
    log,
  );
  if (failure) return failure;
  // Restarting a process that waits for its first forecast would not help, so this state is only degraded.
  degraded ??= await ensureData?.().then(
    () => undefined,
    ({ message }: Error) => message,
  );
  return degraded === undefined ? undefined : { degraded };
}

/**
 * Checks whether something new can be stored, which only tasks need. The database knows how much is stored; reading one
 * byte shows whether the store answers.
 */
async function storageState({ blobs, storage, log }: ReadinessDeps): Promise<Readiness[string]> {
  const look = async () => {
    await blobs.getRange(MARKER_KEY, 0, 1, AbortSignal.timeout(AWAY_MS));
    await storage.ensureSpace();
  };
  const degraded = await failureOf(() => inTime(look()), storageFailure, log);
  return degraded === undefined ? undefined : { degraded };
}

/** Checks the clock. A wrong clock only degrades the service, because requests are answered all the same. */
async function clockState({ clockProblem }: ReadinessDeps): Promise<Readiness[string]> {
  const problem = await clockProblem().catch(() => undefined);
  return problem === undefined ? undefined : { degraded: problem };
}

function storageFailure(error: unknown): string {
  const isFull = error instanceof NoSpaceError || error instanceof QuotaError;
  return `${isFull ? "full" : "does not answer"}: no tasks are accepted`;
}

/** Rejects a check that takes longer than a probe waits. */
async function inTime(look: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("no answer in time")), AWAY_MS);
  try {
    await Promise.race([look, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** States as numbers, for alarms: 0 works, 1 is degraded, 2 fails, so that nothing is answered. */
function partStates(readiness: Readiness): Map<string, number> {
  const numberOf = (state: Readiness[string]) =>
    state === undefined ? 0 : typeof state === "string" ? 2 : 1;
  return new Map(Object.entries(readiness).map(([part, state]) => [part, numberOf(state)]));
}

/** Returns that a part fails. The reason, which may name machines, goes to the log. */
async function failureOf(
  check: () => unknown,
  failure: string | ((error: unknown) => string),
  log: ReadinessDeps["log"],
): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    log.warn({ err: error }, "a part is not ready");
    return typeof failure === "string" ? failure : failure(error);
  }
}

/** Retry-After until there is data, seconds. A first step arrives within a minute on a good line. */
const RETRY_S = 15;

/**
 * Throws while an archive waits for its first forecast, because nulls would look like an answer. Depths are available
 * before.
 *
 * @param brought Variables that the enabled feeds provide.
 * @returns A function that throws `UnavailableError` until there is a forecast or a hindcast.
 */
export function firstData(
  archive: Pick<Catalog, "manifest">,
  brought: ReadonlySet<VariableName>,
): () => Promise<void> {
  const isExpected = [...brought].some((name) => !variable(name).static);
  return async () => {
    if (!isExpected) return;
    const { runs } = await archive.manifest();
    if (runs.some(({ dataset }) => dataset !== "Static")) return;
    throw new UnavailableError(
      "No data yet: the first forecast is being fetched. GET /feeds says how far it is",
      RETRY_S,
    );
  };
}
