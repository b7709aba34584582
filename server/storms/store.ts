import { createHash } from "node:crypto";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import type { KeptStorm } from "./build.ts";
import type { Provider } from "./bulletin.ts";
import type { FeedText } from "./feed.ts";

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
  /** Another one after every refresh that changed them. */
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

  /** Revisions of all snapshots: what changed since they were read, and when their feeds were. */
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
   * Keeps the texts, and puts what was made of them in the place of the snapshot before: all of it or nothing. What is
   * kept already is not sent again: with an embedded database the server that answers requests would have to read it.
   *
   * @param before The snapshot that is kept now; or that there is none; or that all that was kept of the feed is to be
   * forgotten: another demo world is another planet.
   */
  async replace(
    key: SnapshotKey,
    texts: readonly FeedText[],
    storms: readonly KeptStorm[],
    now: number,
    before: Snapshot | "none" | "forgotten",
  ): Promise<void> {
    const tables = this.#tables;
    const refreshedAt = new Date(now * 1000);
    const forgotten = before === "forgotten";
    const known = typeof before === "string" ? undefined : before;
    const rows = await this.#newTexts(key, texts, forgotten);
    const keptTexts =
      rows.length === 0 ? [] : [tables.stormText.createMany({ data: rows, skipDuplicates: true })];

    const written = storms.map((storm) => JSON.stringify(storm));
    const writtenBefore = new Set(known?.storms.map((storm) => JSON.stringify(storm)));
    if (known && written.length === writtenBefore.size && written.every((one) => writtenBefore.has(one))) {
      const heard = tables.stormSnapshot.updateMany({
        where: { ...key, revision: known.revision },
        data: { refreshedAt },
      });
      // A transaction keeps everybody else from an embedded database until this process has had its turns.
      const { count } =
        keptTexts.length === 0 ? await heard : (await tables.$transaction([heard, ...keptTexts]))[0]!;
      // Unless somebody else has replaced it meanwhile.
      if (count === 1) return;
    }
    const changed = storms.filter((_, index) => !writtenBefore.has(written[index]!));
    const snapshot = { storms: `[${written.join()}]`, refreshedAt };
    await tables.$transaction([
      ...(forgotten
        ? [tables.stormText.deleteMany({ where: key }), tables.stormHistory.deleteMany({ where: key })]
        : []),
      ...keptTexts,
      tables.stormHistory.createMany({
        data: changed.map((storm) => pastRow(key, storm)),
        skipDuplicates: true,
      }),
      tables.stormSnapshot.upsert({
        where: { provider_synthetic: key },
        create: { ...key, ...snapshot, revision: 1 },
        update: { ...snapshot, revision: { increment: 1 } },
      }),
    ]);
  }

  /** Rows for the texts that are not kept already. */
  async #newTexts(key: SnapshotKey, texts: readonly FeedText[], forgotten: boolean) {
    const rows = texts.map(({ source, text, receivedAt }) => ({
      ...key,
      source,
      text,
      hash: createHash("sha256").update(text).digest("hex"),
      receivedAt: new Date(receivedAt * 1000),
    }));
    if (forgotten || rows.length === 0) return rows;
    const kept = await this.#tables.stormText.findMany({
      where: {
        ...key,
        source: { in: rows.map(({ source }) => source) },
        hash: { in: rows.map(({ hash }) => hash) },
      },
      select: { source: true, hash: true },
    });
    const names = new Set(kept.map(({ source, hash }) => `${hash} ${source}`));
    return rows.filter(({ source, hash }) => !names.has(`${hash} ${source}`));
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
    // No storm is called so, and PostgreSQL cannot be asked for it.
    if (storm.includes("\0")) return [];
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
