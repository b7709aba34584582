import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { removedStorms, silenceClock } from "@open-metocean/storms/activity";
import { type AreaSnapshot, areaFields, areasOf, noAreas } from "@open-metocean/storms/areas";
import {
  type Bulletin,
  type FeedText,
  type Parsed,
  type Problem,
  type Provider,
  type Report,
  type StormRecord,
  stormId,
} from "@open-metocean/storms/bulletin";
import { stormEntry } from "@open-metocean/storms/entry";
import { jmaBulletins } from "@open-metocean/storms/from-jma";
import { jtwcBulletins } from "@open-metocean/storms/from-jtwc";
import { CLOCK_TOLERANCE_S, MAX_AHEAD_S } from "@open-metocean/storms/message";
import { stormEntry as entrySchema, type StormEntry } from "@open-metocean/storms/schema";
import { parseText } from "@open-metocean/storms/text";
import { DAY_S, HOUR_S } from "#lib/time.ts";

export interface DeriveInput {
  provider: Provider;
  texts: readonly FeedText[];
  /** Records of the refresh before. */
  previous: readonly StormRecord[];
  /** Areas of interest of the refresh before; none where absent. */
  areas?: AreaSnapshot;
  /** State of the feed after the refresh before; undefined for the first one. */
  feed?: FeedState | undefined;
  /** Weather clock, Unix seconds. */
  now: number;
}

export interface DerivedStorms {
  /** Ordered by id. */
  storms: StormRecord[];
  /** Areas of interest: only the provider jtwc has them. */
  areas: AreaSnapshot;
  /** Faults in the texts that were read. */
  problems: (Problem & { source: string })[];
  /** Storms whose new entry is invalid; their last valid one stays. */
  failures: { id: string; reason: string }[];
  /** Number of reports of the provider's storms in the texts. */
  reports: number;
  /** Sources of the texts that end in the middle. What was known of their storms stays. */
  cut: string[];
  /** State of the feed, for the next refresh. */
  feed: FeedState;
}

const bulletinsOf = { jtwc: jtwcBulletins, jma: jmaBulletins };

/**
 * Derives entries from texts: texts → reports → bulletins → entries. An entry replaces the last one only if it matches the
 * published schema.
 *
 * @param onText Called with the index of each text before it is read, and with −1 when all are.
 */
export function deriveStorms(
  { provider, texts, previous, areas = noAreas, feed: feedBefore, now }: DeriveInput,
  onText?: (index: number) => void,
): DerivedStorms {
  const read = texts.map(({ source, text, receivedAt, refused, mirror }, index): ReadText => {
    if (refused !== undefined) return { source, text, reports: [], problems: [{ line: 0, reason: refused }] };
    onText?.(index);
    const { reports, ...rest } = issuedUntil(parseText(source, text, Math.min(now, receivedAt)), now);
    for (const report of reports) {
      if (mirror !== undefined) report.mirror = mirror;
      if (rest.revision !== undefined) report.revision = rest.revision;
    }
    return { source, text, reports, ...rest };
  });
  onText?.(-1);
  // If two outlooks or alerts have one time of issue, the later in the order counts: it is the correction.
  read.sort((one, other) => (one.revision ?? 0) - (other.revision ?? 0));
  const parsed = withoutObsolete(
    read.map((text) => withoutEarly(text, feedBefore)),
    previous,
  );
  const feed = feedState(provider, parsed, feedBefore, now);
  const derived: DerivedStorms = {
    feed,
    cut: parsed.filter(({ isCut }) => isCut).map(({ source }) => source),
    storms: [],
    areas: provider === "jtwc" ? areasOf(parsed, areas, now) : noAreas,
    problems: parsed.flatMap(({ source, problems }) => problems.map((problem) => ({ source, ...problem }))),
    failures: [],
    reports: parsed.flatMap(({ reports }) => reports).filter((report) => report.provider === provider).length,
  };
  const before = new Map(previous.map((record) => [stormId(record.bulletin), record]));
  const previousBulletins = previous.map(({ bulletin }) => bulletin);
  const clock = silenceClock(previousBulletins, (bulletin) => newestOfCentre(feed, bulletin), now);
  const dated = parsed.map((text) => withListTime(text, feed));
  const removed = feedBefore?.removed ?? [];
  const bulletins = bulletinsOf[provider](dated, previousBulletins, now, clock, removed);
  feed.removed = removedStorms(removed, previousBulletins, bulletins, now);
  const taken = new Set(bulletins.map(stormId));
  for (const bulletin of bulletins) {
    const id = stormId(bulletin);
    const last = before.get(id);
    try {
      const context = { now, heardUntil: clock(bulletin), areas: derived.areas, taken };
      derived.storms.push({ bulletin, entry: entryOf(bulletin, last?.entry, context) });
    } catch (error) {
      derived.failures.push({ id, reason: (error as Error).message });
      if (last) derived.storms.push(last);
    }
  }
  derived.storms.sort((one, other) => (one.entry.id < other.entry.id ? -1 : 1));
  return derived;
}

/**
 * Leaves out reports of an ended storm that a slot still has. If the storm is published, or another text is about it,
 * the report is its last one and stays: a mirror that stood still brings it a day after its issue.
 */
function withoutObsolete(texts: readonly ReadText[], previous: readonly StormRecord[]): ReadText[] {
  const ids = new Set(previous.flatMap(({ bulletin }) => [stormId(bulletin), ...(bulletin.aliases ?? [])]));
  for (const report of texts.flatMap(({ reports }) => reports))
    if (!report.obsolete) ids.add(stormId(report));
  const isOfUse = (report: Report) => !report.obsolete || ids.has(stormId(report));
  return texts.map(({ reports, problems, ...rest }) => {
    const refused = reports.filter((report) => !isOfUse(report));
    const reasons = refused.map(({ obsolete }) => ({ line: 0, reason: obsolete! }));
    return { ...rest, reports: reports.filter(isOfUse), problems: [...problems, ...reasons] };
  });
}

/** The last entry if only `generated_at` would differ, so that cached copies stay valid. */
function entryOf(
  bulletin: Bulletin,
  last: StormEntry | undefined,
  {
    now,
    heardUntil,
    areas,
    taken,
  }: { now: number; heardUntil: number; areas: AreaSnapshot; taken: ReadonlySet<string> },
): StormEntry {
  const made = stormEntry(bulletin, { now, heardUntil, generatedAt: now, previous: last });
  const entry = entrySchema.parse({ ...made, ...areaFields(made, areas, taken) });
  const unchanged = last && isDeepStrictEqual({ ...entry, generated_at: 0 }, { ...last, generated_at: 0 });
  return unchanged ? last : entry;
}

/** The centre that issues the texts of a storm; each has a mirror of its own that can stand still. */
type Centre = "nhc" | "jtwc" | "jma";

/** State of the feed that one refresh passes to the next. */
export interface FeedState {
  /** Time of the newest text of each centre, Unix seconds. */
  newest: Partial<Record<Centre, number>>;
  /** Source → hashes of its last texts that state no time, such as lists of active storms: they are new when they change. */
  timeless: Record<string, string[]>;
  /** Source of a list of active storms → hash of its text, and from when the list is, Unix seconds. */
  lists?: Record<string, { hash: string; updated: number }>;
  /**
   * Source → hash of a text that was read before the time that it seems to state. Alerts and outlooks give only the day of
   * the month, so such a text is of an earlier month and was left in its slot.
   */
  early?: Record<string, string>;
  /** Storms that ended and were removed, with their last fix. */
  removed?: Bulletin[];
}

/** A text and its parsed content. */
export interface ReadText extends Parsed {
  source: string;
  text: string;
}

/** Number of hashes of a source that are stored: a mirror may go back to an older text, which is not new. */
const MAX_HASHES = 8;

const ofNhc: ReadonlySet<string> = new Set(["AL", "EP", "CP"]);

function centreOf({ provider, basin }: Pick<Bulletin, "provider" | "basin">): Centre {
  if (provider === "jma") return "jma";
  return ofNhc.has(basin) ? "nhc" : "jtwc";
}

/**
 * Returns the state of a feed after its texts were read. A text counts from when it was issued; one without a time from
 * when it was first seen to have changed. Without any known time the feed is as old as its first reading.
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
    // A day of the month that lies ahead may belong to a text of the month before, left in its slot.
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
  // A text that cannot be read now may be the same as before when it can be read again.
  const state: FeedState = { newest, timeless: { ...before?.timeless, ...timeless }, lists };
  return Object.keys(early).length > 0 ? { ...state, early } : state;
}

/** Removes the content of a text that was read before the time that it seems to state. */
export function withoutEarly(text: ReadText, before: FeedState | undefined): ReadText {
  const { source, text: content, problems } = text;
  const hash = before?.early?.[source];
  if (hash === undefined || hash !== hashOf(content)) return text;
  const reason = "stale: an alert or outlook of an earlier month";
  return { source, text: content, reports: [], problems: [...problems, { line: 0, reason }] };
}

/** Adds its time to a list of active storms; other texts stay as they are. */
function withListTime<Text extends ReadText>(text: Text, { lists }: FeedState): Text {
  const updated = lists?.[text.source]?.updated;
  if (!text.listed || updated === undefined) return text;
  const isUndated = text.listed.updated === undefined ? ({ isUndated: true } as const) : {};
  return { ...text, listed: { ...text.listed, updated, ...isUndated } };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** The centre of a text without a time. An outlook without invests belongs to JTWC. */
function timelessCentre(provider: Provider, listed: Parsed["listed"]): Centre {
  return centreOf({ provider, basin: listed?.basins[0] ?? "WP" });
}

/** Time of the newest text of the centre of a storm, Unix seconds; undefined without any. */
function newestOfCentre({ newest }: FeedState, bulletin: Bulletin): number | undefined {
  return newest[centreOf(bulletin)];
}

/** Time of the newest text of all centres, Unix seconds; undefined without any. */
export function newestText({ newest }: FeedState): number | undefined {
  const times = Object.values(newest);
  return times.length > 0 ? Math.max(...times) : undefined;
}

/**
 * Removes from a text what it states of times after `now`: a replay of the past must not use it. If the text states nothing
 * older of a storm, then fixes stamped up to 6 h ahead are read and marked, and so are fixes observed by now under a
 * heading up to a day ahead. In that case a clock is wrong, and the storm must not be missing because of it.
 */
export function issuedUntil({ reports, problems, ...rest }: Parsed, now: number): Parsed {
  const marks = new Set<number>();
  const near = now + CLOCK_TOLERANCE_S;
  const far = now + MAX_AHEAD_S;
  const known = new Set(reports.flatMap((report) => (report.issued <= near ? [stormId(report)] : [])));
  const stamp = rest.outlook?.issued_at ?? rest.alert?.issued;
  const refused: Problem[] = [];
  const past = reports.flatMap((report): Report[] => {
    if (report.issued <= near) return untilNow(report, near);
    // Such a report is from an archive or a table that is replayed.
    if (known.has(stormId(report)) || report.issued > now + DAY_S) return [];
    const times = [...report.observed.map(({ time }) => time), report.forecast?.base ?? []].flat();
    const newest = times.length > 0 ? Math.max(...times) : report.issued;
    // The heading of an alert or outlook may be of the month before.
    const isDated = stamp === undefined;
    if (Math.max(newest, report.issued) > far && !(isDated && newest <= near)) {
      refused.push({ line: 0, reason: `${aheadOf(report.issued, now)}: left out` });
      return [];
    }
    marks.add(report.issued);
    return [{ ...report, issued: newest }];
  });
  if (stamp !== undefined && stamp > near && stamp <= far) marks.add(stamp);
  const read = [...marks].map((time): Problem => ({ line: 0, reason: aheadOf(time, now), isRead: true }));
  return { reports: past, problems: [...problems, ...refused, ...read], ...rest };
}

function untilNow(report: Report, near: number): Report[] {
  const observed = report.observed.filter(({ time }) => time <= near);
  // A final warning may have no position, and a text that names an invest may have one that cannot be read.
  const isOfUse = observed.length > 0 || report.forecast || report.observed.length === 0;
  return isOfUse ? [{ ...report, observed }] : [];
}

function aheadOf(time: number, now: number): string {
  return `stamped ${((time - now) / HOUR_S).toFixed(1)} h ahead of this clock`;
}
