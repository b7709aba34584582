import { realSleep, type Sleep } from "#server/platform/clock.ts";
import type { Database } from "#server/platform/db.ts";
import type { Leadership } from "#server/platform/session.ts";
import type { FeedLoop } from "./feed-deps.ts";

/** The two numbers of the advisory lock: any, and the same in every process. */
const SPACE = 1_718_773_095;
const FIELDS = 1;
const ROUND = 2;
const BACKFILL = 3;
/** How long nobody fetches, at most, when the process that led has ended: seconds. */
const RETRY_S = 10;

/** A notification here makes the process that fetches look at once. */
export const WAKE_CHANNEL = "metocean_feeds";

/** Asks the process that fetches to look for new data now. */
export async function wakeLeader({ prisma }: Pick<Database, "prisma">): Promise<void> {
  await prisma.$executeRaw`SELECT pg_notify(${WAKE_CHANNEL}, '')`;
}

/** The right to fetch fields, which one process of all that share a database has. undefined if another one has it. */
export function leadFeeds(database: Pick<Database, "lead">): Promise<Leadership | undefined> {
  return database.lead(SPACE, FIELDS);
}

/** Waits for the right to fetch, until the process that has it ends. @returns undefined when aborted. */
export async function waitToLeadFeeds(
  database: Pick<Database, "lead">,
  signal: AbortSignal,
  sleep: Sleep = realSleep,
): Promise<Leadership | undefined> {
  while (!signal.aborted) {
    const lead = await leadFeeds(database);
    if (lead) return lead;
    await sleep(RETRY_S, signal).catch(() => {});
  }
  return undefined;
}

/** A loop of which a back-fill sees each round, and waits for its end. */
export function markRounds(database: Pick<Database, "lead">, loop: FeedLoop): FeedLoop {
  return { round: (signal, isAsked) => duringRound(database, () => loop.round(signal, isAsked)) };
}

/** Does a round of the loop, so that a back-fill sees it and waits. A round never waits for anything. */
export async function duringRound<T>(database: Pick<Database, "lead">, round: () => Promise<T>): Promise<T> {
  // Without the mark a back-fill fetches beside it, which is no reason not to fetch.
  const mark = await database.lead(SPACE, ROUND).catch(() => undefined);
  try {
    return await round();
  } finally {
    await mark?.close();
  }
}

/** Whether a process that shares the database does a round. */
export async function isRoundRunning({ prisma }: Pick<Database, "prisma">): Promise<boolean> {
  const [row] = await prisma.$queryRaw<{ running: boolean }[]>`
    SELECT exists(
      SELECT 1 FROM pg_locks
      WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid::bigint = ${SPACE} AND objid::bigint = ${ROUND}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS running`;
  return row!.running;
}

/** The right to fill the past, which one process has at a time. undefined if another one has it. */
export function leadBackfill(database: Pick<Database, "lead">): Promise<Leadership | undefined> {
  return database.lead(SPACE, BACKFILL);
}
