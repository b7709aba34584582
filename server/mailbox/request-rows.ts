import { DAY_S } from "#lib/time.ts";
import { Prisma, type PrismaClient } from "#prisma/generated/client.ts";
import {
  ClaimedRows,
  claimedBy,
  isOver,
  type RowClaim,
  secondsFromNow,
} from "#server/platform/claimed-rows.ts";

/** The kind of reply to a message; `bound` is the line that says that the sender's answers of a day are used up. */
export type ReplyKind = "answer" | "bound" | "none";

export interface RequestRow {
  reply: ReplyKind;
  /** Whether its reply was sent or abandoned. */
  isEnded: boolean;
}

/** A claimed request belongs to its process for this long, seconds, and again after each renewal. */
const ANSWERING_S = 15;

/** Seconds before a reply that could not be sent is tried again, by the number of attempts. After the last it is abandoned. */
const RETRY_S = [30, 60, 300, 900, 3_600, 10_800, 21_600, 43_200];
/** A request that was claimed more often ended every process that tried to answer it. */
export const MAX_ATTEMPTS = RETRY_S.length + 1;
const LONGEST_S = Math.max(...RETRY_S);

/** Age at which rows are deleted, days. Messages are looked for during a shorter time. */
const MAX_AGE_DAYS = 30;

/** The requests that came by e-mail, so that each is answered once. */
export class RequestRows {
  readonly #db: Pick<PrismaClient, "$queryRaw" | "$executeRaw">;
  readonly #rows: ClaimedRows;

  constructor(db: Pick<PrismaClient, "$queryRaw" | "$executeRaw">) {
    this.#db = db;
    this.#rows = new ClaimedRows(db, "mail_request", ANSWERING_S);
  }

  /**
   * Returns the row of a request, which is written unless it is there.
   *
   * @param sender Hash of the sender.
   * @param perDay Most answers of a sender within 24 hours. The first message beyond them is told so; the others have no
   *   answer.
   */
  async note(id: string, sender: string, perDay: number): Promise<RequestRow> {
    await this.#db.$executeRaw`
      INSERT INTO mail_request (id, sender, reply, created_at, available_at, ended_at)
      SELECT ${id}::uuid, ${sender}, reply, now(), now(), CASE WHEN reply = 'none' THEN now() END FROM (
        SELECT CASE
          WHEN count(*) FILTER (WHERE reply = 'answer') < ${perDay}::int THEN 'answer'
          WHEN count(*) FILTER (WHERE reply = 'bound') = 0 THEN 'bound'
          ELSE 'none' END AS reply
        FROM mail_request WHERE sender = ${sender} AND created_at > ${secondsFromNow(-DAY_S)}
      ) AS decided
      ON CONFLICT (id) DO NOTHING`;
    const [row] = await this.#db.$queryRaw<RequestRow[]>`
      SELECT reply, ended_at IS NOT NULL AS "isEnded" FROM mail_request WHERE id = ${id}::uuid`;
    return row!;
  }

  /** Claims a request; undefined if it is answered, not due yet, or claimed. */
  claim(id: string): Promise<RowClaim | undefined> {
    const isDue = isOver(Prisma.sql`due.available_at`, LONGEST_S);
    return this.#rows.claim(Prisma.sql`WHERE due.id = ${id}::uuid AND due.ended_at IS NULL AND ${isDue}`);
  }

  /** Renews a claim while the work lasts. @param onError Called where that fails: the work may be done twice. */
  hold<T>(claim: RowClaim, work: () => Promise<T>, onError: (error: unknown) => void): Promise<T> {
    return this.#rows.hold(claim, work, onError);
  }

  /** Records that the reply was sent or, with a reason, that it is abandoned. */
  async end(claim: RowClaim, error: string | null = null): Promise<void> {
    await this.#db.$executeRaw`
      UPDATE mail_request SET ended_at = now(), error = ${error} WHERE ${claimedBy(claim)}`;
  }

  /** Has a request tried again later. @returns false where it was tried often enough. */
  async retry(claim: RowClaim): Promise<boolean> {
    const seconds = RETRY_S[claim.attempts - 1];
    if (seconds === undefined) return false;
    await this.#db.$executeRaw`
      UPDATE mail_request SET available_at = ${secondsFromNow(seconds)} WHERE ${claimedBy(claim)}`;
    return true;
  }

  /** Has a request tried again at once. */
  async release(claim: RowClaim): Promise<void> {
    await this.#db.$executeRaw`UPDATE mail_request SET available_at = now() WHERE ${claimedBy(claim)}`;
  }

  sweep(): Promise<void> {
    return this.#rows.sweep(MAX_AGE_DAYS);
  }
}
