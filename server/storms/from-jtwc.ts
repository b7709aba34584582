import { distanceKm } from "#lib/geo/sphere.ts";
import { type Parsed, type Report, reportSources } from "#server/storms/parse/report.ts";
import { isPublished, lastFixTime } from "./activity.ts";
import type { Bulletin, Fix } from "./bulletin.ts";
import { stormId } from "./identity.ts";
import { bulletinOf, mergedFixes, newestForecast, newestPerId, newestValue } from "./merge.ts";

/** A storm and an invest are the same system if they were within this distance and this time of each other. */
const SAME_KM = 300;
const SAME_S = 24 * 3600;

/**
 * Merges the texts of NHC and JTWC into one bulletin per storm.
 *
 * @param previous Bulletins of the refresh before. Storms that left the feed stay until they have been silent too long.
 * @param now Unix seconds.
 */
export function jtwcBulletins(
  parsed: readonly Parsed[],
  previous: readonly Bulletin[],
  now: number,
): Bulletin[] {
  const reports = parsed.flatMap((each) => each.reports).filter(({ provider }) => provider === "jtwc");
  const groups = Map.groupBy(reports, stormId);
  const before = new Map(previous.map((bulletin) => [stormId(bulletin), bulletin]));
  const unreported = previous.filter((bulletin) => !groups.has(stormId(bulletin)));
  const bulletins = [
    ...unreported,
    ...[...groups].map(([id, group]) => mergedReports(group, sameSystem(group, before.get(id)))),
  ].map((bulletin) => (isUnlisted(bulletin, parsed) ? { ...bulletin, isFinal: true } : bulletin));
  const formerly = new Set([...groups.values()].flat().flatMap((report) => report.formerly));
  return withoutFormerInvests(newestPerId(bulletins), formerly).filter((bulletin) =>
    isPublished(bulletin, now),
  );
}

/** Numbers of invests are reused within weeks: with days in between, the earlier one is another system. */
function sameSystem(reports: readonly Report[], before: Bulletin | undefined): Bulletin | undefined {
  if (!before) return undefined;
  const first = reports.reduce(
    (earliest, { observed, issued }) => Math.min(earliest, observed[0]?.time ?? issued),
    Number.POSITIVE_INFINITY,
  );
  return first - lastFixTime(before) > 2 * SAME_S ? undefined : before;
}

function mergedReports(reports: readonly Report[], before: Bulletin | undefined): Bulletin {
  const ranked = reports.toSorted(
    (one, other) =>
      reportSources.indexOf(one.source) - reportSources.indexOf(other.source) || other.issued - one.issued,
  );
  const best = ranked.find(({ source }) => source === "best track")?.observed ?? [];
  // A fix missing from the best track was removed on purpose: of earlier fixes only those after its end count.
  const lastBest = best.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
  const older = (before?.observed ?? []).filter(({ time }) => time > lastBest);
  const all = before ? [...ranked, before] : ranked;
  const deciding = ranked.filter(({ source }) => source === "warning" || source === "formation alert");
  const newest = deciding.reduce<Report | undefined>(
    (latest, report) => (latest && latest.issued >= report.issued ? latest : report),
    undefined,
  );
  const bulletin: Bulletin = {
    ...bulletinOf(ranked[0]!),
    name: newestValue(all, ({ name }) => name),
    subregion: newestValue(all, ({ subregion }) => subregion),
    isFinal: newest ? newest.isFinal : false,
    observed: mergedFixes([...ranked.map(({ observed }) => observed), older]),
    issued: all.reduce((latest, { issued }) => Math.max(latest, issued), Number.NEGATIVE_INFINITY),
  };
  const forecast = newestForecast(all);
  if (forecast) bulletin.forecast = forecast;
  else delete bulletin.forecast;
  return bulletin;
}

/** Whether a list of active storms of its basin leaves this one out. Invests are on no list. */
function isUnlisted(bulletin: Bulletin, parsed: readonly Parsed[]): boolean {
  if (bulletin.isInvest) return false;
  const lists = parsed.flatMap(({ listed }) => (listed?.provider === "jtwc" ? [listed] : []));
  return lists.some(
    ({ basins, keys }) => basins.includes(bulletin.basin) && !keys.includes(stormId(bulletin)),
  );
}

/** Leaves out invests that have become storms; the storm gets their earlier fixes. */
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

/** Whether a storm was near the invest's last position. */
function isSame(storm: Bulletin, invest: Bulletin): boolean {
  const last = invest.observed.at(-1);
  if (!last) return false;
  const near = (fix: Fix) => Math.abs(fix.time - last.time) <= SAME_S && distanceKm(fix, last) <= SAME_KM;
  return storm.observed.some(near);
}
