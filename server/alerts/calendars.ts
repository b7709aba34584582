import { createHash, randomBytes } from "node:crypto";
import { type CalendarEvent, calendarText } from "#lib/calendar.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import { mailWordsIn } from "./alert-mail.ts";

export interface CalendarsDeps {
  tables: Pick<PrismaClient, "alertCalendar" | "$executeRaw" | "$queryRaw">;
  publicUrl: string;
}

/** A watch that has found weather windows, tides beyond its limit, or high and low waters. */
interface WindowsRow {
  id: string;
  name: string;
  language: string;
  windows: { from: number; to: number }[];
  is_tide: boolean;
  /** The run by which they were found, in the language of the watch. */
  run: string | null;
  evaluated_at: Date;
}

/**
 * Calendars of the weather windows and tides that an owner's watches have found. The secret address of a calendar is
 * enough to read it, without a key.
 */
export class Calendars {
  readonly #deps: CalendarsDeps;

  constructor(deps: CalendarsDeps) {
    this.#deps = deps;
  }

  /**
   * Creates the address of an owner's calendar, and ends the previous one. Only a hash of it is stored. @returns The
   * path.
   */
  async open(owner: string): Promise<string> {
    const token = randomBytes(24).toString("base64url");
    await this.#deps.tables.$executeRaw`
      INSERT INTO alert_calendar (owner, token_hash, created_at) VALUES (${owner}, ${hashOf(token)}, now())
      ON CONFLICT (owner) DO UPDATE SET token_hash = excluded.token_hash, created_at = now()`;
    return `${this.#deps.publicUrl}/calendars/${token}.ics`;
  }

  /** Whether an owner's calendar has an address. */
  async isOpen(owner: string): Promise<boolean> {
    return (await this.#deps.tables.alertCalendar.count({ where: { owner } })) > 0;
  }

  /** Ends the address. @returns Whether there was one. */
  async close(owner: string): Promise<boolean> {
    return (await this.#deps.tables.alertCalendar.deleteMany({ where: { owner } })).count > 0;
  }

  /** @param token Token of the address. @returns The calendar; undefined for an unknown address. */
  async read(token: string): Promise<string | undefined> {
    const { tables, publicUrl } = this.#deps;
    const found = await tables.alertCalendar.findUnique({ where: { tokenHash: hashOf(token) } });
    if (!found) return undefined;
    const rows = await tables.$queryRaw<WindowsRow[]>`
      SELECT id::text AS id, name, language, found->'windows' AS windows, found->>'run' AS run,
        coalesce(question->>'kind' IN ('tide', 'tide_extreme'), false) AS is_tide, evaluated_at FROM watch
      WHERE owner = ${found.owner} AND jsonb_typeof(found->'windows') = 'array' AND NOT paused
        AND deleted_at IS NULL AND expires_at > now()
        AND evaluated_at IS NOT NULL
      ORDER BY id`;
    return calendarText(
      "Open MetOcean",
      rows.flatMap((row) => eventsOf(row, publicUrl)),
    );
  }
}

/**
 * Start times of tides are rounded to this for ids, seconds, because a newer prediction moves them by a minute or two.
 */
const TIDE_STEP_S = 600;

/**
 * The calendar events of a watch. A window keeps its id while it begins on the same day (UTC), because a new run moves
 * it by some hours and calendars should move their entry too. The id of a tide is its start time, to ten minutes,
 * because tides come twice a day and do not move.
 */
function eventsOf(
  { id, name, language, windows, is_tide, run, evaluated_at }: WindowsRow,
  publicUrl: string,
): CalendarEvent[] {
  const seen = new Map<string, number>();
  return windows.map(({ from, to }) => {
    const begin = is_tide ? Math.round(from / TIDE_STEP_S) * TIDE_STEP_S : from;
    const stamp = new Date(begin * 1000)
      .toISOString()
      .slice(0, is_tide ? 16 : 10)
      .replaceAll(/[-:]/g, "");
    const count = (seen.get(stamp) ?? 0) + 1;
    seen.set(stamp, count);
    return {
      uid: `${id}-${stamp}${count === 1 ? "" : `-${count}`}@${new URL(publicUrl).hostname}`,
      from,
      to,
      summary: name,
      description: [...(run ? [`${run}.`] : []), mailWordsIn(language).notForNavigation].join(" "),
      url: `${publicUrl}/inbox`,
      updatedAt: Math.floor(evaluated_at.getTime() / 1000),
    };
  });
}

/** Hashes a token without a secret, which is safe because tokens are long and random. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
