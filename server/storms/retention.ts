import type { PrismaClient } from "#prisma/generated/client.ts";

/** How long what no storm is published from is stored, seconds of the weather clock. */
export interface StormRetention {
  /** Texts of feeds, after they were received. */
  textSeconds: number;
  /** Entries of a storm's bulletins, after the last of them. */
  historySeconds: number;
}

/** Rows and storms of one statement, so that none takes long. */
const BATCH = 500;

/**
 * Deletes old texts, and the history of storms that ended long ago: of a storm all bulletins or none. Snapshots contain all
 * that is served, and are never deleted.
 *
 * @param now Weather clock, Unix seconds: a replay of the past keeps its own past.
 */
export async function sweepStorms(
  db: Pick<PrismaClient, "$executeRaw">,
  { textSeconds, historySeconds }: StormRetention,
  now: number,
): Promise<void> {
  const before = (seconds: number) => new Date((now - seconds) * 1000);
  const texts = () => db.$executeRaw`
    DELETE FROM storm_text WHERE id IN (
      SELECT id FROM storm_text WHERE received_at < ${before(textSeconds)} LIMIT ${BATCH}::int)`;
  const histories = () => db.$executeRaw`
    DELETE FROM storm_history WHERE (provider, synthetic, storm) IN (
      SELECT provider, synthetic, storm FROM storm_history GROUP BY provider, synthetic, storm
      HAVING max(issued_at) < ${before(historySeconds)} LIMIT ${BATCH}::int)`;
  for (const sweep of [texts, histories]) while ((await sweep()) > 0);
}
