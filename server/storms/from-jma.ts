import type { Parsed, Report } from "#server/storms/parse/report.ts";
import { isPublished } from "./activity.ts";
import type { Bulletin } from "./bulletin.ts";
import { stormId } from "./identity.ts";
import { bulletinOf, mergedFixes, newestForecast, newestPerId, newestValue } from "./merge.ts";

/**
 * Merges the texts of the JMA into one bulletin per storm. Storms are identified by their code, because a letter turns
 * into a number when a depression becomes a storm.
 *
 * @param previous Bulletins of the refresh before, with analyses that have left the feed.
 * @param now Unix seconds.
 */
export function jmaBulletins(
  parsed: readonly Parsed[],
  previous: readonly Bulletin[],
  now: number,
): Bulletin[] {
  const reports = parsed.flatMap((each) => each.reports).filter(({ provider }) => provider === "jma");
  // Text advisories have no code: they belong to the storm with the same number.
  const codes = new Map(
    [...previous, ...reports].flatMap((each) => (each.code ? [[stormId(each), each.code]] : [])),
  );
  const keyOf = (bulletin: Bulletin) => bulletin.code ?? codes.get(stormId(bulletin)) ?? stormId(bulletin);
  const groups = Map.groupBy(reports, keyOf);
  const before = new Map(previous.map((bulletin) => [keyOf(bulletin), bulletin]));
  const lists = parsed.flatMap(({ listed }) => (listed?.provider === "jma" ? [listed.keys] : []));
  const bulletins = [
    ...previous.filter((bulletin) => !groups.has(keyOf(bulletin))),
    ...[...groups].map(([key, group]) => mergedReports(group, before.get(key))),
  ].map((bulletin) =>
    bulletin.code !== undefined && lists.some((keys) => !keys.includes(bulletin.code!))
      ? { ...bulletin, isFinal: true }
      : bulletin,
  );
  return newestPerId(bulletins).filter((bulletin) => isPublished(bulletin, now));
}

function mergedReports(reports: readonly Report[], before: Bulletin | undefined): Bulletin {
  const newestFirst = reports.toSorted((one, other) => other.issued - one.issued);
  const warnings = newestFirst.filter(({ source }) => source === "warning");
  const drawn = newestFirst.filter(({ source }) => source === "drawn track");
  const all = before ? [...warnings, ...drawn, before] : [...warnings, ...drawn];
  const newest = all.reduce((latest, each) => (each.issued > latest.issued ? each : latest));
  const analyses = mergedFixes([
    ...warnings.map(({ observed }) => observed),
    before?.observed ?? [],
    ...drawn.map(({ observed }) => observed.slice(-1)),
  ]);
  // The points of a drawn track have no times. The oldest bulletin's track is the least wrong for the time before it.
  const first = analyses[0]?.time ?? Number.POSITIVE_INFINITY;
  const line = drawn.at(-1)?.observed.filter(({ time }) => time < first) ?? [];
  const { isInvest } = newest;
  const bulletin: Bulletin = {
    ...("source" in newest ? bulletinOf(newest as Report) : newest),
    name: isInvest ? null : newestValue(all, ({ name }) => name),
    isFinal: warnings[0]?.isFinal ?? false,
    observed: [...line, ...analyses],
    issued: newest.issued,
  };
  const code = newestValue(all, (each) => each.code ?? null);
  if (code !== null) bulletin.code = code;
  // Only the specifications of a bulletin have winds, not its drawn track.
  const forecast = newestForecast([...warnings, before]) ?? newestForecast(drawn);
  const isNewer = forecast && forecast.base >= (analyses.at(-1)?.time ?? forecast.base) - SAME_ANALYSIS_S;
  if (forecast && isNewer) bulletin.forecast = forecast;
  else delete bulletin.forecast;
  return bulletin;
}

/** A forecast stays valid until an analysis is later than its base by more than this: hourly bulletins have none. */
const SAME_ANALYSIS_S = 6 * 3600;
