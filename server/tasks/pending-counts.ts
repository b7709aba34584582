import { LRUCache } from "lru-cache";
import { Prisma } from "#prisma/generated/client.ts";
import { maxAge } from "./max-age.ts";
import type { TaskTables } from "./task.ts";

/** Where fewer may wait, they are counted with each submission: that reads few rows. */
const MANY = 1_000;

/** Whose counts are known at the same time. */
const OWNERS = 2_000;

interface Count {
  /** Submissions of this process that were taken. */
  taken: number;
  isCounting: boolean;
  /** When counting began, how long it took, milliseconds, and what was taken before. */
  known?: { at: number; took: number; pending: number; takenBefore: number };
}

/**
 * Pending tasks, of each owner and of all, counted beside the submissions: PostgreSQL looks at every row that it counts.
 * A count runs while submissions ask for it, at most a twentieth of the time.
 */
export class PendingCounts {
  readonly #db: Pick<TaskTables, "$queryRaw">;
  readonly #elapsed: () => number;
  readonly #ofAll: Count = { taken: 0, isCounting: false };
  readonly #ofOwner = new LRUCache<string, Count>({ max: OWNERS });

  /** @param elapsed Monotonic clock, milliseconds. */
  constructor(db: Pick<TaskTables, "$queryRaw">, elapsed: () => number) {
    this.#db = db;
    this.#elapsed = elapsed;
  }

  /**
   * Whether less than half of a limit is used, so that a submission need not count. False where few may wait, and where
   * nothing is known yet.
   *
   * @param limit How many tasks may wait: of this owner, or without one of all.
   */
  isFarBelow(limit: number, owner?: string): boolean {
    if (limit < MANY) return false;
    const count = this.#countOf(owner);
    const { known } = count;
    if (!known || this.#elapsed() - known.at > maxAge(known.took)) void this.#count(count, owner);
    return known !== undefined && known.pending + (count.taken - known.takenBefore) < limit / 2;
  }

  /** A task of this owner was taken. */
  add(owner: string): void {
    this.#ofAll.taken++;
    const count = this.#ofOwner.get(owner);
    if (count) count.taken++;
  }

  #countOf(owner: string | undefined): Count {
    if (owner === undefined) return this.#ofAll;
    const count = this.#ofOwner.get(owner) ?? { taken: 0, isCounting: false };
    this.#ofOwner.set(owner, count);
    return count;
  }

  async #count(count: Count, owner: string | undefined): Promise<void> {
    if (count.isCounting) return;
    count.isCounting = true;
    const at = this.#elapsed();
    const takenBefore = count.taken;
    const whose = owner === undefined ? Prisma.empty : Prisma.sql`AND owner = ${owner}`;
    try {
      const rows = await this.#db.$queryRaw<{ pending: number }[]>`
        SELECT count(*)::int AS pending FROM task WHERE status = 'PENDING' ${whose}`;
      count.known = { at, takenBefore, took: this.#elapsed() - at, pending: rows[0]!.pending };
    } catch {
      // Each submission counts by itself.
      count.known = undefined;
    } finally {
      count.isCounting = false;
    }
  }
}
