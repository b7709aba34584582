import { createHash } from "node:crypto";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import type { Provider } from "./bulletin.ts";
import type { StormRecord } from "./derive.ts";
import type { FeedText } from "./feed.ts";

/** Snapshots of agencies and synthetic ones are stored apart. */
export interface SnapshotKey {
  provider: Provider;
  synthetic: boolean;
}

export interface Snapshot {
  /** Ordered by id. */
  storms: StormRecord[];
  /** Weather clock when the feed was last read, Unix seconds. */
  refreshedAt: number;
  /** Incremented by every refresh that changed the storms. */
  revision: number;
}

/** The tables of the storms. */
export type StormTables = Pick<PrismaClient, "stormText" | "stormSnapshot" | "stormHistory" | "$transaction">;

/** Texts, snapshots and past entries in the database. */
export class StormStore {
  readonly #tables: StormTables;

  constructor(tables: StormTables) {
    this.#tables = tables;
  }

  /** The last good snapshot; undefined for a feed that was never read. */
  async snapshot(key: SnapshotKey): Promise<Snapshot | undefined> {
    const row = await this.#tables.stormSnapshot.findUnique({ where: { provider_synthetic: key } });
    if (!row) return undefined;
    const storms = JSON.parse(row.storms) as StormRecord[];
    return { storms, refreshedAt: seconds(row.refreshedAt), revision: row.revision };
  }

  /** Revisions of all snapshots, and when their feeds were last read. */
  async revisions(): Promise<(SnapshotKey & Omit<Snapshot, "storms">)[]> {
    const rows = await this.#tables.stormSnapshot.findMany({
      select: { provider: true, synthetic: true, revision: true, refreshedAt: true },
    });
    return rows.map(({ provider, refreshedAt, ...rest }) => ({
      provider: provider as Provider,
      refreshedAt: seconds(refreshedAt),
      ...rest,
    }));
  }

  /**
   * Stores the texts and replaces the snapshot in one transaction. Texts that are stored already are not sent again.
   *
   * @param before The stored snapshot; "none" if there is none; "reset" to delete all texts and history of the feed, as a
   * new demo planet requires.
   */
  async replace(
    key: SnapshotKey,
    texts: readonly FeedText[],
    storms: readonly StormRecord[],
    now: number,
    before: Snapshot | "none" | "reset",
  ): Promise<void> {
    const tables = this.#tables;
    const refreshedAt = new Date(now * 1000);
    const reset = before === "reset";
    const stored = typeof before === "string" ? undefined : before;
    const rows = await this.#newTexts(key, texts, reset);
    const insertTexts =
      rows.length === 0 ? [] : [tables.stormText.createMany({ data: rows, skipDuplicates: true })];

    const written = storms.map((storm) => JSON.stringify(storm));
    const writtenBefore = new Set(stored?.storms.map((storm) => JSON.stringify(storm)));
    if (stored && written.length === writtenBefore.size && written.every((one) => writtenBefore.has(one))) {
      const touch = tables.stormSnapshot.updateMany({
        where: { ...key, revision: stored.revision },
        data: { refreshedAt },
      });
      // A single statement needs no transaction.
      const { count } =
        insertTexts.length === 0 ? await touch : (await tables.$transaction([touch, ...insertTexts]))[0]!;
      // Zero rows when another process has replaced the snapshot meanwhile.
      if (count === 1) return;
    }
    const changed = storms.filter((_, index) => !writtenBefore.has(written[index]!));
    const snapshot = { storms: `[${written.join()}]`, refreshedAt };
    await tables.$transaction([
      ...(reset
        ? [tables.stormText.deleteMany({ where: key }), tables.stormHistory.deleteMany({ where: key })]
        : []),
      ...insertTexts,
      tables.stormHistory.createMany({
        data: changed.map((storm) => historyRow(key, storm)),
        skipDuplicates: true,
      }),
      tables.stormSnapshot.upsert({
        where: { provider_synthetic: key },
        create: { ...key, ...snapshot, revision: 1 },
        update: { ...snapshot, revision: { increment: 1 } },
      }),
    ]);
  }

  /** Rows of the texts that are not stored yet. */
  async #newTexts(key: SnapshotKey, texts: readonly FeedText[], reset: boolean) {
    const readable = texts.filter(({ refused }) => refused === undefined);
    const rows = readable.map(({ source, text, receivedAt }) => ({
      ...key,
      source,
      text,
      hash: createHash("sha256").update(text).digest("hex"),
      receivedAt: new Date(receivedAt * 1000),
    }));
    if (reset || rows.length === 0) return rows;
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

  /** Whether all of these texts are stored. */
  async has(key: SnapshotKey, texts: readonly FeedText[]): Promise<boolean> {
    return (await this.#newTexts(key, texts, false)).length === 0;
  }

  /** Adds entries of earlier bulletins to the history; existing ones stay. */
  async backfill(key: SnapshotKey, storms: readonly StormRecord[]): Promise<void> {
    await this.#tables.stormHistory.createMany({
      data: storms.map((storm) => historyRow(key, storm)),
      skipDuplicates: true,
    });
  }

  /**
   * Entries of a storm's newest bulletins, oldest first.
   *
   * @param until Weather clock, Unix seconds: a replay of the past must not show what came later.
   */
  async history(
    key: SnapshotKey,
    storm: string,
    limit: number,
    until: number,
  ): Promise<{ issued: number; entry: StormEntry }[]> {
    // PostgreSQL rejects NUL in a parameter, and no storm has it.
    if (storm.includes("\0")) return [];
    const rows = await this.#tables.stormHistory.findMany({
      where: { ...key, storm, issuedAt: { lte: new Date(until * 1000) } },
      orderBy: { issuedAt: "desc" },
      take: limit,
    });
    return rows
      .map(({ issuedAt, entry }) => ({ issued: seconds(issuedAt), entry: JSON.parse(entry) as StormEntry }))
      .reverse();
  }
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
