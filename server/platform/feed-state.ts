import { HOUR_S, startOfDay } from "#lib/time.ts";
import type { PrismaClient, FeedState as Row } from "#prisma/generated/client.ts";
import type { Clock } from "./clock.ts";

/** Name of the row that counts the bytes of all feeds together, including those of failed attempts. */
const ALL_FEEDS = "*";

/**
 * A feed is late when it is this much later than expected, seconds. Some services publish an hour late on some days.
 */
export const LATE_AFTER_S = HOUR_S;

/** Times are Unix seconds. */
export interface FeedState {
  /** Name of the feed, as in FEEDS. */
  name: string;
  state: "off" | "waiting" | "growing" | "current" | "late" | "failing" | "ended";
  /** Base time of the newest cycle of which at least one step is published. */
  newestRun: number | null;
  /** Published steps of that cycle, and steps of the complete cycle. */
  steps: number;
  stepsExpected: number;
  /** Last published time. */
  validUntil: number | null;
  nextExpected: number | null;
  lastSuccess: number | null;
  /** Describes the fault for the operator; null while the feed works. */
  error: string | null;
  errorAt: number | null;
  mirror: string | null;
  /** Bytes fetched on this UTC day, and since the feed was turned on. */
  bytesToday: number;
  bytesTotal: number;
  quarantined: number;
  /** When the row was last written. A feed that fetches writes it with each part. */
  updatedAt: number;
}

export type FeedStatePatch = Partial<Omit<FeedState, "name" | "bytesToday" | "bytesTotal" | "updatedAt">>;

/** The table `feed_state`. The ingest loop writes it; GET /feeds and `feeds status` read it. */
export interface FeedStates {
  all(): Promise<FeedState[]>;
  /** Changes only the fields that the patch names. */
  set(name: string, patch: FeedStatePatch): Promise<void>;
  count(name: string, bytes: number): Promise<void>;
  /**
   * Adds bytes to the count of all feeds on a day, so that the byte budget outlives the process.
   *
   * @param day Start of a UTC day, Unix seconds.
   * @returns Bytes of that day, these included.
   */
  spend(day: number, bytes: number): Promise<number>;
}

/** @param clock Determines the day to which bytes belong. */
export function feedStates(prisma: PrismaClient, clock: Clock): FeedStates {
  const today = () => startOfDay(clock.now());

  /** Adds in one statement, so that two processes do not lose each other's counts. */
  async function add(name: string, day: number, bytes: number): Promise<number> {
    const [row] = await prisma.$queryRaw<{ bytes: bigint }[]>`
      INSERT INTO feed_state AS known (name, state, bytes_today, bytes_total, spent_on, updated_at)
      VALUES (${name}, 'waiting', ${bytes}, ${bytes}, ${new Date(day * 1000)}::date, ${dateOf(clock.now())})
      ON CONFLICT (name) DO UPDATE SET
        bytes_today = excluded.bytes_today
          + CASE WHEN known.spent_on = excluded.spent_on THEN known.bytes_today ELSE 0 END,
        bytes_total = known.bytes_total + excluded.bytes_total,
        spent_on = excluded.spent_on,
        updated_at = excluded.updated_at
      RETURNING bytes_today AS bytes`;
    return Number(row!.bytes);
  }

  return {
    async all() {
      const rows = await prisma.feedState.findMany({ orderBy: { name: "asc" } });
      return rows.filter(({ name }) => name !== ALL_FEEDS).map((row) => stateOf(row, today()));
    },
    async set(name, { newestRun, validUntil, nextExpected, lastSuccess, errorAt, ...rest }) {
      const patch = {
        ...rest,
        newestRun: dateOf(newestRun),
        validUntil: dateOf(validUntil),
        nextExpected: dateOf(nextExpected),
        lastSuccess: dateOf(lastSuccess),
        errorAt: dateOf(errorAt),
        updatedAt: dateOf(clock.now()),
      };
      const { state = "waiting" } = patch;
      await prisma.feedState.upsert({
        where: { name },
        create: { ...patch, name, state },
        update: patch,
      });
    },
    count: async (name, bytes) => void (await add(name, today(), bytes)),
    spend: (day, bytes) => add(ALL_FEEDS, day, bytes),
  };
}

function stateOf(row: Row, today: number): FeedState {
  const { spentOn, ...rest } = row;
  return {
    ...rest,
    state: row.state as FeedState["state"],
    newestRun: secondsOf(row.newestRun),
    validUntil: secondsOf(row.validUntil),
    nextExpected: secondsOf(row.nextExpected),
    lastSuccess: secondsOf(row.lastSuccess),
    errorAt: secondsOf(row.errorAt),
    updatedAt: secondsOf(row.updatedAt)!,
    bytesToday: secondsOf(spentOn) === today ? Number(row.bytesToday) : 0,
    bytesTotal: Number(row.bytesTotal),
  };
}

function secondsOf(date: Date | null): number | null {
  return date && date.getTime() / 1000;
}

function dateOf(seconds: number): Date;
function dateOf(seconds: number | null | undefined): Date | null | undefined;
function dateOf(seconds: number | null | undefined): Date | null | undefined {
  return typeof seconds === "number" ? new Date(seconds * 1000) : seconds;
}
