import { isDeepStrictEqual } from "node:util";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { stormEntry as published } from "#lib/contract/storms.ts";
import type { Parsed, Problem } from "#server/storms/parse/report.ts";
import { parseText } from "#server/storms/parse/text.ts";
import type { Bulletin, Provider } from "./bulletin.ts";
import { stormEntry } from "./entry.ts";
import type { FeedText } from "./feed.ts";
import { jmaBulletins } from "./from-jma.ts";
import { jtwcBulletins } from "./from-jtwc.ts";
import { stormId } from "./identity.ts";

/** A storm as it is kept: what was said of it, and the entry made of that. */
export interface KeptStorm {
  bulletin: Bulletin;
  entry: StormEntry;
}

export interface BuildInput {
  provider: Provider;
  texts: readonly FeedText[];
  /** What the refresh before made. */
  previous: readonly KeptStorm[];
  /** Weather clock, Unix seconds. */
  now: number;
}

export interface Built {
  /** Ordered by id. */
  storms: KeptStorm[];
  /** What of the texts could not be read. */
  problems: (Problem & { source: string })[];
  /** Storms whose new entry is no good; their last good one stays. */
  failures: { id: string; reason: string }[];
  /** How many reports of the provider's storms the texts held. */
  reports: number;
}

const folds = { jtwc: jtwcBulletins, jma: jmaBulletins };

/** Texts → reports → bulletins → entries. Every entry passes our own public schema before it replaces the last good one. */
export function build({ provider, texts, previous, now }: BuildInput): Built {
  const parsed = texts.map(({ source, text, receivedAt }) => ({
    source,
    ...heardBy(parseText(source, text, Math.min(now, receivedAt)), now),
  }));
  const built: Built = {
    storms: [],
    problems: parsed.flatMap(({ source, problems }) => problems.map((problem) => ({ source, ...problem }))),
    failures: [],
    reports: parsed.flatMap(({ reports }) => reports).filter((report) => report.provider === provider).length,
  };
  const before = new Map(previous.map((storm) => [stormId(storm.bulletin), storm]));
  const bulletins = folds[provider](
    parsed,
    previous.map(({ bulletin }) => bulletin),
    now,
  );
  for (const bulletin of bulletins) {
    const id = stormId(bulletin);
    const last = before.get(id);
    try {
      built.storms.push({ bulletin, entry: entryOf(bulletin, last?.entry, now) });
    } catch (error) {
      built.failures.push({ id, reason: (error as Error).message });
      if (last) built.storms.push(last);
    }
  }
  built.storms.sort((one, other) => (one.entry.id < other.entry.id ? -1 : 1));
  return built;
}

/** A replay of the past hears nothing of what came later. */
function heardBy({ reports, ...rest }: Parsed, now: number): Parsed {
  const heard = reports.flatMap((report) => {
    if (report.issued > now + AHEAD_S) return [];
    const observed = report.observed.filter(({ time }) => time <= now + AHEAD_S);
    return observed.length > 0 || report.forecast ? [{ ...report, observed }] : [];
  });
  return { reports: heard, ...rest };
}

/** Clocks of agencies and of this machine differ a little. */
const AHEAD_S = 3600;

/** The entry before where nothing but the time of making would differ: then caches still hold it. */
function entryOf(bulletin: Bulletin, last: StormEntry | undefined, now: number): StormEntry {
  const entry = published.parse(stormEntry(bulletin, { now, generatedAt: now, previous: last }));
  const unchanged = last && isDeepStrictEqual({ ...entry, generated_at: 0 }, { ...last, generated_at: 0 });
  return unchanged ? last : entry;
}
