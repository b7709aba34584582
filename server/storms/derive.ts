import { isDeepStrictEqual } from "node:util";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { stormEntry as entrySchema } from "#lib/contract/storms.ts";
import type { Problem, Report } from "#server/storms/parse/report.ts";
import { parseText } from "#server/storms/parse/text.ts";
import { removedStorms, silenceClock } from "./activity.ts";
import { issuedUntil } from "./ahead-of-clock.ts";
import { type AreaSnapshot, areaFields, areasOf, noAreas } from "./areas.ts";
import type { Bulletin, Provider } from "./bulletin.ts";
import { stormEntry } from "./entry.ts";
import type { FeedText } from "./feed.ts";
import {
  type FeedState,
  feedState,
  newestOfCentre,
  type ReadText,
  withListTime,
  withoutEarly,
} from "./feed-state.ts";
import { jmaBulletins } from "./from-jma.ts";
import { jtwcBulletins } from "./from-jtwc.ts";
import { stormId } from "./identity.ts";

/** A storm as it is stored: the merged bulletin, and the published entry derived from it. */
export interface StormRecord {
  bulletin: Bulletin;
  entry: StormEntry;
}

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
  /** What could not be read. */
  problems: (Problem & { source: string })[];
  /** Storms whose new entry is invalid; their last valid one stays. */
  failures: { id: string; reason: string }[];
  /** Number of reports of the provider's storms in the texts. */
  reports: number;
  /** Texts that end in the middle. What was known of their storms stays. */
  cut: string[];
  /** State of the feed, for the next refresh. */
  feed: FeedState;
}

const bulletinsOf = { jtwc: jtwcBulletins, jma: jmaBulletins };

/**
 * Texts → reports → bulletins → entries. An entry replaces the last one only if it matches the published schema.
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
    if (mirror !== undefined) for (const report of reports) report.mirror = mirror;
    return { source, text, reports, ...rest };
  });
  onText?.(-1);
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
 * Leaves out what a slot has kept of a storm that is over. Of one that is published, or that another text is on, it is the
 * last word: a mirror that stood still brings it a day after it was issued.
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
