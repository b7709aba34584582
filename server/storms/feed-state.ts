import { createHash } from "node:crypto";
import { MAX_AHEAD_S, type Parsed } from "#server/storms/parse/report.ts";
import type { Bulletin, Provider } from "./bulletin.ts";

/** Who issues the texts of a storm; each has a mirror of its own that can stand still. */
type Centre = "nhc" | "jtwc" | "jma";

/** What a refresh remembers of the feed. */
export interface FeedState {
  /** Time of the newest text of each centre, Unix seconds. */
  newest: Partial<Record<Centre, number>>;
  /** Source → hashes of its last texts that state no time, such as lists of active storms: they are new when they change. */
  timeless: Record<string, string[]>;
  /** Source of a list of active storms → hash of its text, and from when the list is, Unix seconds. */
  lists?: Record<string, { hash: string; updated: number }>;
  /**
   * Source → hash of a text that was read before the time that it seems to state. Alerts and outlooks give the day of the
   * month alone: it is one of an earlier month, left in its slot.
   */
  early?: Record<string, string>;
  /** Storms that ended and were removed, with their last fix. */
  removed?: Bulletin[];
}

/** A text and what was read in it. */
export interface ReadText extends Parsed {
  source: string;
  text: string;
}

/** Hashes of a source: a mirror may go back to an older text, which is no news. */
const MAX_HASHES = 8;

const ofNhc: ReadonlySet<string> = new Set(["AL", "EP", "CP"]);

function centreOf({ provider, basin }: Pick<Bulletin, "provider" | "basin">): Centre {
  if (provider === "jma") return "jma";
  return ofNhc.has(basin) ? "nhc" : "jtwc";
}

/**
 * The state of a feed after its texts were read. A text counts from when it was issued; one without a time from when it
 * was first seen to have changed. Without any known time the feed is as old as its first reading.
 *
 * @param before State after the refresh before.
 * @param now Weather clock, Unix seconds.
 */
export function feedState(
  provider: Provider,
  texts: readonly ReadText[],
  before: FeedState | undefined,
  now: number,
): FeedState {
  const newest: FeedState["newest"] = { ...before?.newest };
  const timeless: FeedState["timeless"] = {};
  const lists: FeedState["lists"] = { ...before?.lists };
  const early: NonNullable<FeedState["early"]> = { ...before?.early };
  const heard = (centre: Centre, time: number) => {
    newest[centre] = Math.max(newest[centre] ?? Number.NEGATIVE_INFINITY, Math.min(time, now));
  };
  for (const { source, text, reports, problems, listed, outlook, alert } of texts) {
    if (listed) {
      const hash = hashOf(text);
      const last = before?.lists?.[source];
      const seen = last?.hash === hash ? last.updated : now;
      lists[source] = { hash, updated: Math.min(listed.updated ?? seen, now) };
    }
    // A day of the month that is still to come may be that of a text of the month before, left in its slot.
    const isPast = (time: number) => time <= now + MAX_AHEAD_S;
    if (!isPast(outlook?.issued_at ?? alert?.issued ?? now)) early[source] = hashOf(text);
    if (outlook && isPast(outlook.issued_at))
      heard(outlook.agency === "jtwc" ? "jtwc" : "nhc", outlook.issued_at);
    if (alert && isPast(alert.issued)) heard("jtwc", alert.issued);
    if (outlook || alert) continue;
    const own = reports.filter((report) => report.provider === provider);
    for (const report of own) heard(centreOf(report), report.issued);
    if (own.length > 0 || (problems.length > 0 && !listed)) continue;
    const hash = hashOf(text);
    const known = before?.timeless[source] ?? [];
    timeless[source] = [hash, ...known.filter((each) => each !== hash)].slice(0, MAX_HASHES);
    if (before && !known.includes(hash)) heard(timelessCentre(provider, listed), now);
  }
  if (Object.keys(newest).length === 0 && Object.keys(timeless).length > 0) {
    for (const { listed } of texts) heard(timelessCentre(provider, listed), now);
  }
  // What cannot be read now may be the same when it can.
  const state: FeedState = { newest, timeless: { ...before?.timeless, ...timeless }, lists };
  return Object.keys(early).length > 0 ? { ...state, early } : state;
}

/** A text without what it says, if it was read before the time that it seems to state. */
export function withoutEarly(text: ReadText, before: FeedState | undefined): ReadText {
  const { source, text: content, problems } = text;
  const hash = before?.early?.[source];
  if (hash === undefined || hash !== hashOf(content)) return text;
  const reason = "stale: an alert or outlook of an earlier month";
  return { source, text: content, reports: [], problems: [...problems, { line: 0, reason }] };
}

/** A text whose list of active storms, if it is one, has its time. */
export function withListTime<Text extends ReadText>(text: Text, { lists }: FeedState): Text {
  const updated = lists?.[text.source]?.updated;
  if (!text.listed || updated === undefined) return text;
  const isUndated = text.listed.updated === undefined ? ({ isUndated: true } as const) : {};
  return { ...text, listed: { ...text.listed, updated, ...isUndated } };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** An outlook without invests is JTWC's. */
function timelessCentre(provider: Provider, listed: Parsed["listed"]): Centre {
  return centreOf({ provider, basin: listed?.basins[0] ?? "WP" });
}

/** Time of the newest text of the centre of a storm, Unix seconds; undefined without any. */
export function newestOfCentre({ newest }: FeedState, bulletin: Bulletin): number | undefined {
  return newest[centreOf(bulletin)];
}

/** Time of the newest text of all, Unix seconds; undefined without any. */
export function newestText({ newest }: FeedState): number | undefined {
  const times = Object.values(newest);
  return times.length > 0 ? Math.max(...times) : undefined;
}
