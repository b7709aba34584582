import { distanceKm } from "#lib/geo/sphere.ts";
import { type Parsed, type Report, reportSources } from "#server/storms/parse/report.ts";
import type { Bulletin, Fix } from "./bulletin.ts";
import { bulletinOf, isKept, lastFix, mergedFixes, newestForecast, newestSaid, oneAnId } from "./fold.ts";
import { stormId } from "./identity.ts";

/** A storm is the invest that was here: within this far and this long of each other. */
const SAME_KM = 300;
const SAME_S = 24 * 3600;

/**
 * Folds the texts of NHC and JTWC into one bulletin a storm.
 *
 * @param previous Bulletins of the refresh before: what the feed does not tell of now is kept until it has been silent
 *   for long.
 * @param now Unix seconds.
 */
export function jtwcBulletins(
  parsed: readonly Parsed[],
  previous: readonly Bulletin[],
  now: number,
): Bulletin[] {
  const groups = new Map<string, Report[]>();
  for (const report of parsed.flatMap(({ reports }) => reports)) {
    if (report.provider !== "jtwc") continue;
    const group = groups.get(stormId(report));
    if (group) group.push(report);
    else groups.set(stormId(report), [report]);
  }
  const before = new Map(previous.map((bulletin) => [stormId(bulletin), bulletin]));
  const untold = previous.filter((bulletin) => !groups.has(stormId(bulletin)));
  const bulletins = [
    ...untold,
    ...[...groups].map(([id, reports]) => folded(reports, continued(reports, before.get(id)))),
  ].map((bulletin) => (isUnlisted(bulletin, parsed) ? { ...bulletin, isFinal: true } : bulletin));
  const formerly = new Set([...groups.values()].flat().flatMap((report) => report.formerly));
  return withoutFormerInvests(oneAnId(bulletins), formerly).filter((bulletin) => isKept(bulletin, now));
}

/** Numbers of invests are used again within weeks: the one before is another system when days lie between. */
function continued(reports: readonly Report[], before: Bulletin | undefined): Bulletin | undefined {
  if (!before) return undefined;
  const first = Math.min(...reports.map(({ observed, issued }) => observed[0]?.time ?? issued));
  return first - lastFix(before) > 2 * SAME_S ? undefined : before;
}

function folded(reports: readonly Report[], before: Bulletin | undefined): Bulletin {
  const ranked = reports.toSorted(
    (one, other) =>
      reportSources.indexOf(one.source) - reportSources.indexOf(other.source) || other.issued - one.issued,
  );
  const best = ranked.find(({ source }) => source === "best track")?.observed ?? [];
  // A best track that lost a fix has lost it on purpose: of what was told before only what comes after it counts.
  const lastBest = best.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
  const older = (before?.observed ?? []).filter(({ time }) => time > lastBest);
  const said = before ? [...ranked, before] : ranked;
  const deciding = ranked.filter(({ source }) => source === "warning" || source === "formation alert");
  const newest = deciding.reduce<Report | undefined>(
    (latest, report) => (latest && latest.issued >= report.issued ? latest : report),
    undefined,
  );
  const bulletin: Bulletin = {
    ...bulletinOf(ranked[0]!),
    name: newestSaid(said, ({ name }) => name),
    subregion: newestSaid(said, ({ subregion }) => subregion),
    isFinal: newest ? newest.isFinal : false,
    observed: mergedFixes([...ranked.map(({ observed }) => observed), older]),
    issued: Math.max(...said.map(({ issued }) => issued)),
  };
  const forecast = newestForecast(said);
  if (forecast) bulletin.forecast = forecast;
  else delete bulletin.forecast;
  return bulletin;
}

/** Whether a list of its basin names other storms, and not this one. Invests are on no list. */
function isUnlisted(bulletin: Bulletin, parsed: readonly Parsed[]): boolean {
  if (bulletin.isInvest) return false;
  const lists = parsed.flatMap(({ listed }) => (listed?.provider === "jtwc" ? [listed] : []));
  return lists.some(
    ({ basins, keys }) => basins.includes(bulletin.basin) && !keys.includes(stormId(bulletin)),
  );
}

/** Leaves out invests that are storms by now; the storm takes over where they were. */
function withoutFormerInvests(bulletins: readonly Bulletin[], formerly: ReadonlySet<string>): Bulletin[] {
  const storms = bulletins.filter(({ isInvest }) => !isInvest);
  const remaining: Bulletin[] = [];
  for (const invest of bulletins.filter(({ isInvest }) => isInvest)) {
    const storm = storms.find((candidate) => isSame(candidate, invest));
    if (!storm && !formerly.has(stormId(invest))) remaining.push(invest);
    else if (storm) {
      const first = storm.observed[0]?.time ?? Number.POSITIVE_INFINITY;
      storm.observed = [...invest.observed.filter(({ time }) => time < first), ...storm.observed];
    }
  }
  return [...storms, ...remaining];
}

/** Whether a storm stood where the invest was last seen. */
function isSame(storm: Bulletin, invest: Bulletin): boolean {
  const last = invest.observed.at(-1);
  if (!last) return false;
  const near = (fix: Fix) => Math.abs(fix.time - last.time) <= SAME_S && distanceKm(fix, last) <= SAME_KM;
  return storm.observed.some(near);
}
