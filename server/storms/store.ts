import { createHash } from "node:crypto";
import { type AreaSnapshot, noAreas } from "@open-metocean/storms/areas";
import type { FeedText, Provider, StormRecord } from "@open-metocean/storms/bulletin";
import type { PrismaClient } from "#prisma/generated/client.ts";
import { type FeedState, newestText } from "./derive.ts";

/** Key of a snapshot. Snapshots of agencies and synthetic ones are stored apart. */
export interface SnapshotKey {
  provider: Provider;
  synthetic: boolean;
}

export interface Snapshot {
  /** Ordered by id. */
  storms: StormRecord[];
  /** Areas of interest: outlooks and formation alerts; absent where there are none. */
  areas?: AreaSnapshot;
  /** Weather clock when the feed was last read, Unix seconds. */
  refreshedAt: number;
  /** Weather clock of the feed's newest text, Unix seconds; undefined if unknown. */
  newestTextAt?: number | undefined;
  /** Incremented by every refresh that changed the storms. */
  revision: number;
}

export interface StoredSnapshot extends Snapshot {
  /** Origin of a computed feed; null for texts of an agency. */
  origin: string | null;
  /** State of the feed; undefined where it was never written. */
  feed?: FeedState | undefined;
}

/** An entry as it was published with an earlier bulletin. */
export interface PastEntry {
  /** Time at which the bulletin was issued, Unix seconds. */
  issued: number;
  /** The entry as JSON. */
  entry: string;
}

/** Another refresh has replaced the snapshot since it was read. Nothing was written. */
export class SupersededError extends Error {
  override readonly name = "SupersededError";

  constructor({ provider }: SnapshotKey) {
    super(`Another refresh of ${provider} was faster`);
  }
}

/** Time limit of a transaction, milliseconds: its texts may have some megabytes. */
const TIMEOUT_MS = 60_000;

/** The tables of the storms. */
export type StormTables = Pick<PrismaClient, "stormText" | "stormSnapshot" | "stormHistory" | "$transaction">;

/** Texts, snapshots and past entries in the database. */
export class StormStore {
  readonly #tables: StormTables;

  constructor(tables: StormTables) {
    this.#tables = tables;
  }

  /** The last good snapshot; undefined for a feed that was never read. */
  async snapshot(key: SnapshotKey): Promise<StoredSnapshot | undefined> {
    const row = await this.#tables.stormSnapshot.findUnique({ where: { provider_synthetic: key } });
    if (!row) return undefined;
    const storms = JSON.parse(row.storms) as StormRecord[];
    const { revision, origin } = row;
    const areas = row.areas === null ? undefined : (JSON.parse(row.areas) as AreaSnapshot);
    const feed = feedOf(row.feed);
    const newestTextAt = feed && newestText(feed);
    const refreshedAt = seconds(row.refreshedAt);
    return { storms, ...(areas && { areas }), refreshedAt, newestTextAt, revision, origin, feed };
  }

  /** Revisions of all snapshots, and when their feeds were last read. */
  async revisions(): Promise<(SnapshotKey & Omit<Snapshot, "storms" | "areas">)[]> {
    const rows = await this.#tables.stormSnapshot.findMany({
      select: { provider: true, synthetic: true, revision: true, refreshedAt: true, feed: true },
    });
    return rows.map(({ provider, refreshedAt, feed: written, ...rest }) => {
      const feed = feedOf(written);
      return {
        provider: provider as Provider,
        refreshedAt: seconds(refreshedAt),
        newestTextAt: feed && newestText(feed),
        ...rest,
      };
    });
  }

  /**
   * Stores the texts and replaces the snapshot in one transaction. Texts that are stored already are not sent again.
   *
   * @param before The snapshot that the storms were derived from, as it was read before the texts: a refresh that read its
   *   texts earlier than another one can then not be written after it.
   * @param state State of the feed, for the next refresh.
   * @param origin All texts and history of another origin are deleted, as a new demo planet requires.
   * @throws SupersededError
   */
  async replace(
    key: SnapshotKey,
    texts: readonly FeedText[],
    storms: readonly StormRecord[],
    now: number,
    before: StoredSnapshot | undefined,
    origin: string | null = null,
    state?: FeedState,
    areas: AreaSnapshot = noAreas,
  ): Promise<void> {
    const refreshedAt = new Date(now * 1000);
    const feed = state ? JSON.stringify(state) : null;
    const isOfAnotherOrigin = before !== undefined && before.origin !== origin;
    const rows = await this.#newTexts(key, texts, isOfAnotherOrigin);
    const written = storms.map((storm) => JSON.stringify(storm));
    const writtenBefore = new Set(
      isOfAnotherOrigin ? [] : before?.storms.map((storm) => JSON.stringify(storm)),
    );
    const writtenAreas = areas.outlooks.length + areas.alerts.length > 0 ? JSON.stringify(areas) : null;
    const isUnchanged =
      before !== undefined &&
      !isOfAnotherOrigin &&
      (before.areas ? JSON.stringify(before.areas) : null) === writtenAreas &&
      written.length === writtenBefore.size &&
      written.every((one) => writtenBefore.has(one));
    const changed = isUnchanged ? [] : storms.filter((_, index) => !writtenBefore.has(written[index]!));
    const snapshot = {
      storms: `[${written.join()}]`,
      areas: writtenAreas,
      refreshedAt,
      origin,
      feed,
    };

    await this.#tables.$transaction(
      async (tables) => {
        // The snapshot comes first: a second writer waits for its row, and then does not find the revision that it has
        // read.
        const { count } =
          before === undefined
            ? await tables.stormSnapshot.createMany({
                data: { ...key, ...snapshot, revision: 1 },
                skipDuplicates: true,
              })
            : await tables.stormSnapshot.updateMany({
                where: {
                  ...key,
                  revision: before.revision,
                  refreshedAt: new Date(before.refreshedAt * 1000),
                },
                data: isUnchanged ? { refreshedAt, feed } : { ...snapshot, revision: { increment: 1 } },
              });
        if (count === 0) throw new SupersededError(key);
        if (isOfAnotherOrigin) {
          await tables.stormText.deleteMany({ where: key });
          await tables.stormHistory.deleteMany({ where: key });
        }
        if (rows.length > 0) await tables.stormText.createMany({ data: rows, skipDuplicates: true });
        const history = changed.map((storm) => historyRow(key, storm));
        if (history.length > 0) await tables.stormHistory.createMany({ data: history, skipDuplicates: true });
      },
      { timeout: TIMEOUT_MS },
    );
  }

  /**
   * Rows of the texts that are not stored yet.
   *
   * @param all Whether all texts are new, because the stored ones are deleted.
   */
  async #newTexts(key: SnapshotKey, texts: readonly FeedText[], all: boolean) {
    const readable = texts.filter(({ refused }) => refused === undefined);
    const rows = readable.map(({ source, text, receivedAt }) => ({
      ...key,
      source,
      text,
      hash: createHash("sha256").update(text).digest("hex"),
      receivedAt: new Date(receivedAt * 1000),
    }));
    if (all || rows.length === 0) return rows;
    const stored = await this.#tables.stormText.findMany({
      where: {
        ...key,
        source: { in: rows.map(({ source }) => source) },
        hash: { in: rows.map(({ hash }) => hash) },
      },
      select: { source: true, hash: true },
    });
    const names = new Set(stored.map(({ source, hash }) => `${hash} ${source}`));
    return rows.filter(({ source, hash }) => !names.has(`${hash} ${source}`));
  }

  /** Adds entries of earlier bulletins to the history; existing ones stay. */
  async backfill(key: SnapshotKey, storms: readonly StormRecord[]): Promise<void> {
    await this.#tables.stormHistory.createMany({
      data: storms.map((storm) => historyRow(key, storm)),
      skipDuplicates: true,
    });
  }

  /**
   * Entries of a storm's newest bulletins, oldest first, as the JSON that is stored: a hundred of them take megabytes.
   *
   * @param until Weather clock, Unix seconds: a replay of the past must not show what came later.
   */
  async history(key: SnapshotKey, storm: string, limit: number, until: number): Promise<PastEntry[]> {
    // PostgreSQL rejects NUL in a parameter, and no storm has it.
    if (storm.includes("\0")) return [];
    const rows = await this.#tables.stormHistory.findMany({
      where: { ...key, storm, issuedAt: { lte: new Date(until * 1000) } },
      orderBy: { issuedAt: "desc" },
      take: limit,
    });
    return rows.map(({ issuedAt, entry }) => ({ issued: seconds(issuedAt), entry })).reverse();
  }

  /**
   * The newest entries of other storms whose text contains the id of a storm, for example as an alias.
   *
   * @param from Earliest bulletin, Unix seconds. @param until Latest one.
   */
  async naming(key: SnapshotKey, id: string, from: number, until: number): Promise<string[]> {
    const rows = await this.#tables.stormHistory.findMany({
      where: {
        ...key,
        storm: { not: id },
        issuedAt: { gte: new Date(from * 1000), lte: new Date(until * 1000) },
        entry: { contains: `"${id}"` },
      },
      distinct: ["storm"],
      orderBy: { issuedAt: "desc" },
    });
    return rows.map(({ entry }) => entry);
  }
}

function feedOf(written: string | null): FeedState | undefined {
  return written === null ? undefined : (JSON.parse(written) as FeedState);
}

function historyRow(key: SnapshotKey, { bulletin, entry }: StormRecord) {
  return {
    ...key,
    storm: entry.id,
    issuedAt: new Date(bulletin.issued * 1000),
    entry: JSON.stringify(entry),
  };
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** Retention of texts and entries from which no storm is published, seconds of the weather clock. */
export interface StormRetention {
  /** Texts of feeds, after they were received. */
  textSeconds: number;
  /** Entries of a storm's bulletins, after the last of them. */
  historySeconds: number;
}

/** Rows and storms of one statement, so that none takes long. */
const BATCH = 500;

/**
 * Deletes old texts, and the history of storms that ended long ago: either all bulletins of a storm are deleted or none.
 * Snapshots contain all data that is served, and are never deleted.
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
