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

/** By name of a part: undefined when it works; what is wrong; or what is wrong though requests are answered. */
export type Readiness = Record<string, string | undefined | { degraded: string }>;

/** What does not answer for so long counts as away, milliseconds: less than proxies and probes wait for /readyz. */
const AWAY_MS = 2_000;

export interface ReadinessDeps {
  database: { ping(): Promise<void> };
  archive: Pick<OpenedArchive, "condition">;
  /** What is wrong with the clock, in words. */
  clockProblem(): Promise<string | undefined>;
  /** Throws `UnavailableError` until there is something to answer. */
  ensureData?(): Promise<void>;
  blobs: Pick<BlobStore, "getRange">;
  storage: Pick<Storage, "ensureSpace">;
  log: Pick<Logger, "warn">;
  metrics: Pick<Metrics, "gauges">;
  /** Monotonic milliseconds. */
  elapsed?: () => number;
}

/** How a process finds out what it can do. Alarms have the same as numbers. */
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
 * The state of the database. Without it keys that were used lately go on for a while, and so do answers from memory; after
 * that nobody is answered. All replicas have the same one: none may leave while it answers anything.
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

/** Ready as long as a list of runs is known: cached answers go on, and what needs more is 503 by itself. */
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
  // A process that waits for its first forecast is no reason to start another one.
  degraded ??= await ensureData?.().then(
    () => undefined,
    ({ message }: Error) => message,
  );
  return degraded === undefined ? undefined : { degraded };
}

/**
 * Whether something new can be stored, which only tasks need. How much is stored is known from the database: whether the
 * store answers is asked of the store, by one byte.
 */
async function storageState({ blobs, storage, log }: ReadinessDeps): Promise<Readiness[string]> {
  const look = async () => {
    await blobs.getRange(MARKER_KEY, 0, 1, AbortSignal.timeout(AWAY_MS));
    await storage.ensureSpace();
  };
  const degraded = await failureOf(() => inTime(look()), storageFailure, log);
  return degraded === undefined ? undefined : { degraded };
}

/** A wrong clock is no reason to answer nothing: what is judged by it is answered all the same. */
async function clockState({ clockProblem }: ReadinessDeps): Promise<Readiness[string]> {
  const problem = await clockProblem().catch(() => undefined);
  return problem === undefined ? undefined : { degraded: problem };
}

function storageFailure(error: unknown): string {
  const isFull = error instanceof NoSpaceError || error instanceof QuotaError;
  return `${isFull ? "full" : "does not answer"}: no tasks are accepted`;
}

/** Rejects what takes longer than a probe waits. */
async function inTime(look: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("no answer in time")), AWAY_MS);
  try {
    await Promise.race([look, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The parts as numbers, for alarms: 0 works, 1 is degraded, 2 fails, so that nothing is answered. */
function partStates(readiness: Readiness): Map<string, number> {
  const numberOf = (state: Readiness[string]) =>
    state === undefined ? 0 : typeof state === "string" ? 2 : 1;
  return new Map(Object.entries(readiness).map(([part, state]) => [part, numberOf(state)]));
}

/** The caller learns that a part fails; why, which may name machines, is for the log. */
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

/** A first step arrives within a minute on a good line. */
const RETRY_S = 15;

/**
 * Nulls are an answer: until the first forecast is there, a service whose feeds bring one answers that it has no data yet.
 * Depths are there before, and stay those of the archive.
 *
 * @param brought Variables that the feeds bring.
 * @returns Throws `UnavailableError` until there is a forecast or a hindcast.
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
