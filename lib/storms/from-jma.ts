import { distanceKm } from "@open-metocean/geo/sphere";
import { isPublished, lastFixTime, type SilenceClock } from "./activity.ts";
import {
  type ActiveList,
  aliasesOf,
  type Bulletin,
  type Fix,
  isSameId,
  type Parsed,
  type Report,
  stormId,
} from "./bulletin.ts";
import {
  bulletinOf,
  inheritedEnd,
  isBehind,
  isWithdrawn,
  listsOf,
  mergedFixes,
  newestCorrection,
  newestForecast,
  newestOf,
  newestPerId,
  newestValue,
  underLists,
  withCancellations,
  withOwnAliases,
  withoutCorrected,
  withoutLists,
  withoutWithdrawn,
} from "./merge.ts";

/**
 * Merges the texts of the JMA into one bulletin per storm. Storms are identified by their code, because a letter turns
 * into a number when a depression becomes a storm.
 *
 * @param known Bulletins of the refresh before, with analyses that have left the feed.
 * @param now Unix seconds.
 * @param clock Until when the silence of a storm counts.
 * @param removed Storms that had ended and are no longer published.
 */
export function jmaBulletins(
  parsed: readonly Parsed[],
  known: readonly Bulletin[],
  now: number,
  clock: SilenceClock = () => now,
  removed: readonly Bulletin[] = [],
): Bulletin[] {
  // A cancellation stays in force when a mirror shows the withdrawn text again.
  const cancellations = [
    ...parsed.flatMap(({ cancels }) => cancels ?? []),
    ...known.flatMap(({ withdrawn = [] }) => withdrawn),
  ];
  const previous = known.map((bulletin) => cancellations.reduce(withoutWithdrawn, bulletin));
  const reports = parsed
    .flatMap((each) => each.reports)
    .filter(({ provider }) => provider === "jma")
    .filter((report) => !cancellations.some((each) => isWithdrawn(report, each)))
    .map(inSeasonOfCode);
  // Text advisories have no code: such a text belongs to the storm with the same number.
  const codes = new Map(
    [...previous, ...reports].flatMap((each) => (each.code ? [[stormId(each), each.code]] : [])),
  );
  const keyOf = (bulletin: Bulletin) => bulletin.code ?? codes.get(stormId(bulletin)) ?? stormId(bulletin);
  const groups = Map.groupBy(reports, keyOf);
  const before = new Map(previous.map((bulletin) => [keyOf(bulletin), bulletin]));
  const lists = listsOf(parsed, "jma");
  const bulletins = [
    ...previous.filter((bulletin) => !groups.has(keyOf(bulletin))),
    ...[...groups].map(([key, group]) => mergedReports(group, before.get(key), removed)),
  ].map((bulletin) => asListed(withCancellations(bulletin, cancellations), lists, now));
  return withOwnAliases(newestPerId(bulletins).filter((bulletin) => isPublished(bulletin, now, clock)));
}

/** Gives a depression with a letter the year of its code, which stays the same over New Year. */
function inSeasonOfCode(report: Report): Report {
  const year = report.isInvest ? /^TC(\d\d)/.exec(report.code ?? "")?.[1] : undefined;
  return year === undefined ? report : { ...report, season: 2000 + Number(year) };
}

/** The list decides which storms are active. Without one, the state from the last list stays. */
function asListed(bulletin: Bulletin, all: readonly ActiveList[], now: number): Bulletin {
  const { code } = bulletin;
  if (code === undefined || all.length === 0) return bulletin;
  const has = ({ keys }: ActiveList) => keys.includes(code);
  // Every fix of the JMA is one of its bulletins.
  const lists = all.filter((list) => has(list) || !isBehind(list, lastFixTime(bulletin)));
  return lists.length === 0 ? withoutLists(bulletin) : underLists(bulletin, lists.every(has), now);
}

function mergedReports(
  given: readonly Report[],
  before: Bulletin | undefined,
  removed: readonly Bulletin[],
): Bulletin {
  const reports = withoutCorrected(given, before);
  const endedBefore = before ?? removed.find((each) => given.some((report) => isSameId(each, report)));
  const newestFirst = reports.toSorted((one, other) => other.issued - one.issued);
  const warnings = newestFirst.filter(({ source }) => source === "warning");
  const drawn = newestFirst.filter(({ source }) => source === "drawn track");
  const all = before ? [...warnings, ...drawn, before] : [...warnings, ...drawn];
  const newest = newestOf(all);
  const { isInvest } = newest;
  const { ended: _, ...known } = bulletinOf(newest);
  const { lineIssued, ...track } = jmaTrack(warnings, drawn, before);
  const bulletin: Bulletin = {
    ...known,
    ...track,
    name: isInvest ? null : newestValue(all, ({ name }) => name),
    ...inheritedEnd(warnings[0], endedBefore),
    ...newestCorrection(reports, before),
    issued: newest.issued,
  };
  if (endedBefore?.isListed !== undefined) bulletin.isListed = endedBefore.isListed;
  if (before?.withdrawn) bulletin.withdrawn = before.withdrawn;
  if (lineIssued !== undefined) bulletin.lineIssued = lineIssued;
  const code = newestValue(all, (each) => each.code ?? null);
  if (code !== null) bulletin.code = code;
  const ids = [...all.map(stormId), ...(before?.aliases ?? [])];
  const aliases = aliasesOf(stormId(bulletin), ids);
  if (aliases) bulletin.aliases = aliases;
  else delete bulletin.aliases;
  const forecast = forecastOf(warnings, drawn, before, track.observed.at(-1)?.time);
  if (forecast) bulletin.forecast = forecast;
  else delete bulletin.forecast;
  return bulletin;
}

/** A forecast with winds outweighs a newer one without winds until an analysis is later than its base by more than this. */
const SAME_ANALYSIS_S = 6 * 3600;

/** Stages of a storm that weakens. */
const weak: readonly (string | null)[] = ["TD", "LOW"];

/**
 * The forecast in force. The last bulletin of a weakening storm is an analysis alone: the JMA expects no further
 * development, so an earlier forecast ends with it. Hourly bulletins of a typhoon have no forecast either, and there the
 * last one stays.
 *
 * @param lastAnalysis Unix seconds.
 */
function forecastOf(
  warnings: readonly Report[],
  drawn: readonly Report[],
  before: Bulletin | undefined,
  lastAnalysis: number | undefined,
): Bulletin["forecast"] {
  const ends = [...warnings, ...drawn].flatMap(({ forecast, observed }) => {
    const analysis = observed.at(-1);
    return !forecast && analysis && weak.includes(analysis.stage) ? [analysis.time] : [];
  });
  const isInForce = (bulletin: Bulletin | undefined) =>
    bulletin?.forecast !== undefined && !ends.some((time) => time > bulletin.forecast!.base);
  // Only the specifications of a bulletin have winds, not its drawn track.
  const withWinds = newestForecast([...warnings, before].filter(isInForce));
  const isRecent = withWinds && (lastAnalysis ?? withWinds.base) - withWinds.base <= SAME_ANALYSIS_S;
  if (isRecent) return withWinds;
  const lines = newestForecast(drawn.filter(isInForce));
  return lines && lines.base > (withWinds?.base ?? Number.NEGATIVE_INFINITY) ? lines : withWinds;
}

/** Longer gaps between analyses may be those between two lives of a depression that kept its code. */
const GAP_S = 24 * 3600;

/**
 * The past of a JMA storm consists of its analyses, preceded by the line that the oldest known bulletin drew.
 *
 * Points of a line have no times, and while bulletins come hourly there is one an hour. A line is therefore dated once,
 * by the oldest bulletin; that of a later one would add what falls before the first analysis again, at each refresh.
 *
 * @param warnings Newest first, as `drawn`.
 */
function jmaTrack(
  warnings: readonly Report[],
  drawn: readonly Report[],
  before: Bulletin | undefined,
): Pick<Bulletin, "observed" | "lineIssued"> {
  const known = before?.observed ?? [];
  const isOfLine = (fix: Fix) => fix.isDrawn === true || (before?.lineIssued === undefined && isBare(fix));
  const given = [
    ...warnings.map(({ observed }) => observed),
    known.filter((fix) => !isOfLine(fix)),
    ...drawn.map(({ observed }) => observed.slice(-1)),
  ];
  const analyses = mergedFixes([...given, provenPoints(known.filter(isOfLine), given.flat())]);
  const restart = restartOf(analyses, drawn);
  if (restart) return tracked(restart.line, analyses.slice(restart.index));
  const oldest = drawn.at(-1);
  if (before?.lineIssued !== undefined && (!oldest || oldest.issued >= before.lineIssued)) {
    const line = known.filter(isOfLine);
    return { observed: [...untilFirst(line, analyses), ...analyses], lineIssued: before.lineIssued };
  }
  return oldest ? tracked(oldest, analyses) : { observed: analyses };
}

/**
 * Points of a line between analyses, if the line has the older analysis at its time and place. Their times are then proven,
 * and an older bulletin that a mirror shows for once takes none of them away.
 */
function provenPoints(line: readonly Fix[], analyses: readonly Fix[]): Fix[] {
  const first = line.findIndex((point) =>
    analyses.some((each) => each.time === point.time && distanceKm(each, point) === 0),
  );
  return first < 0 ? [] : line.slice(first + 1).map(({ isDrawn: _, ...fix }) => fix);
}

function tracked({ observed, issued }: Report, analyses: readonly Fix[]) {
  const line = observed.slice(0, -1).map((fix): Fix => ({ ...fix, isDrawn: true }));
  return { observed: [...untilFirst(line, analyses), ...analyses], lineIssued: issued };
}

function untilFirst(line: readonly Fix[], analyses: readonly Fix[]): Fix[] {
  const first = analyses[0]?.time ?? Number.POSITIVE_INFINITY;
  return line.filter(({ time }) => time < first);
}

/**
 * The point at which a storm begins again: the line drawn after a long gap between analyses begins within the gap. The line
 * of a storm that continued is longer, and a line of hourly points appears longer still.
 */
function restartOf(analyses: readonly Fix[], drawn: readonly Report[]) {
  for (let index = analyses.length - 1; index > 0; index--) {
    const [last, next] = [analyses[index - 1]!, analyses[index]!];
    if (next.time - last.time <= GAP_S) continue;
    const line = drawn.findLast(({ observed }) => observed.at(-1)!.time >= next.time);
    return line && line.observed[0]!.time > last.time ? { index, line } : undefined;
  }
  return undefined;
}

/** Whether a fix has nothing but a place and a time: in records without a mark, such a fix is a point of a line. */
function isBare({ vmaxKt, mslpHpa, stage }: Fix): boolean {
  return vmaxKt === null && mslpHpa === null && stage === null;
}
