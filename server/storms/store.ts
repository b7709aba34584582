import { createHash } from "node:crypto";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import type { KeptStorm } from "#server/storms/build.ts";
import type { Provider } from "#server/storms/bulletin.ts";
import type { FeedText } from "#server/storms/feed.ts";

/** Whose snapshot: what agencies said and what the demo world invents are never one. */
export interface SnapshotKey {
  provider: Provider;
  synthetic: boolean;
}

export interface Snapshot {
  /** Ordered by id. */
  storms: KeptStorm[];
  /** Weather clock when the feed was last read, Unix seconds. */
  refreshedAt: number;
  /** Another one after every refresh. */
  revision: number;
}

/** The part of the database that storms are kept in. */
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
    const storms = JSON.parse(row.storms) as KeptStorm[];
    return { storms, refreshedAt: seconds(row.refreshedAt), revision: row.revision };
  }

  /** Revisions of all snapshots: what changed since they were read. */
  async revisions(): Promise<(SnapshotKey & { revision: number })[]> {
    const rows = await this.#tables.stormSnapshot.findMany({
      select: { provider: true, synthetic: true, revision: true },
    });
    return rows.map(({ provider, ...rest }) => ({ provider: provider as Provider, ...rest }));
  }

  /**
   * Keeps the texts, and puts what was made of them in the place of the snapshot before: all of it or nothing.
   *
   * @param afresh Forgets what was kept of the feed before: another demo world is another planet.
   */
  async replace(
    key: SnapshotKey,
    texts: readonly FeedText[],
    storms: readonly KeptStorm[],
    now: number,
    afresh = false,
  ): Promise<void> {
    const refreshedAt = new Date(now * 1000);
    const snapshot = { storms: JSON.stringify(storms), refreshedAt };
    await this.#tables.$transaction([
      ...(afresh
        ? [
            this.#tables.stormText.deleteMany({ where: key }),
            this.#tables.stormHistory.deleteMany({ where: key }),
          ]
        : []),
      this.#tables.stormText.createMany({
        data: texts.map(({ source, text, receivedAt }) => ({
          ...key,
          source,
          text,
          hash: createHash("sha256").update(text).digest("hex"),
          receivedAt: new Date(receivedAt * 1000),
        })),
        skipDuplicates: true,
      }),
      this.#tables.stormHistory.createMany({
        data: storms.map((storm) => pastRow(key, storm)),
        skipDuplicates: true,
      }),
      this.#tables.stormSnapshot.upsert({
        where: { provider_synthetic: key },
        create: { ...key, ...snapshot, revision: 1 },
        update: { ...snapshot, revision: { increment: 1 } },
      }),
    ]);
  }

  /** Adds entries of bulletins that came before; those that are known stay. */
  async remember(key: SnapshotKey, storms: readonly KeptStorm[]): Promise<void> {
    await this.#tables.stormHistory.createMany({
      data: storms.map((storm) => pastRow(key, storm)),
      skipDuplicates: true,
    });
  }

  /**
   * Entries of a storm's newest bulletins, the oldest first.
   *
   * @param until Weather clock, Unix seconds: a replay of the past does not know what came later.
   */
  async history(
    key: SnapshotKey,
    storm: string,
    most: number,
    until: number,
  ): Promise<{ issued: number; entry: StormEntry }[]> {
    const rows = await this.#tables.stormHistory.findMany({
      where: { ...key, storm, issuedAt: { lte: new Date(until * 1000) } },
      orderBy: { issuedAt: "desc" },
      take: most,
    });
    return rows
      .map(({ issuedAt, entry }) => ({ issued: seconds(issuedAt), entry: JSON.parse(entry) as StormEntry }))
      .reverse();
  }
}

function pastRow(key: SnapshotKey, { bulletin, entry }: KeptStorm) {
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
