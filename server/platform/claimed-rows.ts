import { Prisma, type PrismaClient } from "#prisma/generated/client.ts";

/**
 * Returns the time this many seconds from now by the database's clock, so that rows of several machines are comparable.
 *
 * @param seconds Negative for the past.
 */
export function secondsFromNow(seconds: number): Prisma.Sql {
  return Prisma.sql`now() + make_interval(secs => ${seconds}::float8)`;
}

/**
 * A database's clock may be set back by this much without a consequence, seconds; statements that wait for a row are
 * late by less.
 */
const MAX_STEP_S = 60;

/**
 * Whether a wait is over that a column ends. An end that is further away than any such wait lasts was written while the
 * database's clock was ahead: it is past.
 *
 * @param longestS The longest wait of its kind, seconds.
 */
export function isOver(endsAt: Prisma.Sql, longestS: Prisma.Sql | number): Prisma.Sql {
  return Prisma.sql`(${endsAt} <= now() OR ${endsAt} > now() + make_interval(secs => ${longestS}::float8 + ${MAX_STEP_S}::int))`;
}

/** Renewals within a lease. */
const RENEWALS = 4;

/** A claimed row. Each claim raises `attempts`: a row with another number belongs to a later claim. */
export interface RowClaim {
  id: string;
  attempts: number;
}

/** Whether a row still belongs to a claim: a condition of every statement that renews, ends or releases it. */
export function claimedBy({ id, attempts }: RowClaim): Prisma.Sql {
  return Prisma.sql`id = ${id}::uuid AND attempts = ${attempts}::int`;
}

/**
 * Rows that the processes of a database work off together: a table with `id`, `attempts`, `created_at` and `available_at`.
 * A row is due by `available_at`. A claim sets it into the future and renews it while it works, so that a row is free again
 * when its process was killed. Work is done at least once. A process that stalls for longer than its lease loses the row to
 * the next claim, and changes nothing of it any more.
 */
export class ClaimedRows {
  readonly #db: Pick<PrismaClient, "$queryRaw" | "$executeRaw">;
  readonly #table: Prisma.Sql;
  readonly #leaseS: number;

  /** @param leaseS How long a row belongs to a claim, from each renewal on, seconds. */
  constructor(
    db: Pick<PrismaClient, "$queryRaw" | "$executeRaw">,
    table: "outbox" | "alert_delivery" | "mail_request",
    leaseS: number,
  ) {
    this.#db = db;
    this.#table = Prisma.raw(table);
    this.#leaseS = leaseS;
  }

  /**
   * Claims a row. No other process claims it while it is held.
   *
   * @param which Joins, conditions and order, where the table is `due`.
   */
  async claim(which: Prisma.Sql): Promise<RowClaim | undefined> {
    const rows = await this.#db.$queryRaw<RowClaim[]>`
      UPDATE ${this.#table} SET attempts = attempts + 1, available_at = ${secondsFromNow(this.#leaseS)}
      WHERE id = (
        SELECT due.id FROM ${this.#table} AS due ${which} LIMIT 1 FOR UPDATE OF due SKIP LOCKED
      ) RETURNING id::text, attempts`;
    return rows[0];
  }

  /** Renews a claim while the work lasts. @param onError Called where that fails: the work may be done twice. */
  async hold<T>(claim: RowClaim, work: () => Promise<T>, onError: (error: unknown) => void): Promise<T> {
    let last: Promise<unknown> = Promise.resolve();
    const renew = () => {
      last = this.#db.$executeRaw`
        UPDATE ${this.#table} SET available_at = ${secondsFromNow(this.#leaseS)} WHERE ${claimedBy(claim)}`.catch(
        onError,
      );
    };
    const timer = setInterval(renew, (this.#leaseS * 1000) / RENEWALS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      // The caller's next statement on the row follows it.
      await last;
    }
  }

  /** Deletes rows older than this many days. */
  async sweep(maxAgeDays: number): Promise<void> {
    await this.#db.$executeRaw`
      DELETE FROM ${this.#table} WHERE created_at <= ${secondsFromNow(-86_400 * maxAgeDays)}`;
  }
}
