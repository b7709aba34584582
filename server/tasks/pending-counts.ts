import { LRUCache } from "lru-cache";
import { Prisma } from "#prisma/generated/client.ts";
import type { TaskTables } from "./task.ts";

/** Where fewer may wait, they are counted with each submission: that reads few rows. */
const MANY = 1_000;

/** A count is used for so long, milliseconds, and for so many times as long as it took. */
const COUNT_MS = 1_000;
const COUNT_RATIO = 20;

/** Whose counts are known at the same time. */
const OWNERS = 2_000;

interface Counted {
  /** When counting began, and how long it took, milliseconds. */
  at: number;
  took: number;
  pending: number;
  /** Submissions of this process that were taken since counting began. */
  taken: number;
}

interface Count {
  known?: Counted;
  /** Taken since the count that is under way began. */
  counting?: { taken: number };
}

/**
 * Whether many more tasks may wait, of one owner and of all, without counting them with each submission: PostgreSQL looks
 * at every row that it counts. They are counted beside the submissions, at most a twentieth of the time, as long as half of
 * the room is left.
 */
export class PendingCounts {
  readonly #db: Pick<TaskTables, "$queryRaw">;
  readonly #elapsed: () => number;
  readonly #ofAll: Count = {};
  readonly #ofOwner = new LRUCache<string, Count>({ max: OWNERS });

  /** @param elapsed Monotonic clock, milliseconds. */
  constructor(db: Pick<TaskTables, "$queryRaw">, elapsed: () => number) {
    this.#db = db;
    this.#elapsed = elapsed;
  }

  /** @param limit How many tasks of all owners may wait. */
  areFarFrom(limit: number): boolean {
    return this.#isFar(this.#ofAll, limit, Prisma.sql`true`);
  }

  /** @param limit How many tasks of this owner may wait. */
  areFarFromOf(owner: string, limit: number): boolean {
    if (limit < MANY) return false;
    const count: Count = this.#ofOwner.get(owner) ?? {};
    this.#ofOwner.set(owner, count);
    return this.#isFar(count, limit, Prisma.sql`owner = ${owner}`);
  }

  /** A task of this owner waits from now on. */
  add(owner: string): void {
    for (const count of [this.#ofAll, this.#ofOwner.get(owner)]) {
      if (count?.known) count.known.taken++;
      if (count?.counting) count.counting.taken++;
    }
  }

  #isFar(count: Count, limit: number, which: Prisma.Sql): boolean {
    if (limit < MANY) return false;
    const { known } = count;
    if (!known || this.#elapsed() - known.at > Math.max(COUNT_MS, COUNT_RATIO * known.took))
      void this.#count(count, which);
    return known !== undefined && known.pending + known.taken < limit / 2;
  }

  async #count(count: Count, which: Prisma.Sql): Promise<void> {
    if (count.counting) return;
    const at = this.#elapsed();
    count.counting = { taken: 0 };
    try {
      const rows = await this.#db.$queryRaw<{ pending: number }[]>`
        SELECT count(*)::int AS pending FROM task WHERE status = 'PENDING' AND ${which}`;
      const { taken } = count.counting;
      count.known = { at, took: this.#elapsed() - at, pending: rows[0]!.pending, taken };
    } catch {
      // Each submission counts by itself.
      count.known = undefined;
    } finally {
      count.counting = undefined;
    }
  }
}
