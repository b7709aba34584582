import type { Parsed, Report } from "#server/storms/parse/report.ts";
import type { Bulletin } from "./bulletin.ts";
import { bulletinOf, isKept, mergedFixes, newestForecast, newestSaid, oneAnId } from "./fold.ts";
import { stormId } from "./identity.ts";

/**
 * Folds the texts of the JMA into one bulletin a storm. Storms are known by their code, because a letter turns into a
 * number when a depression becomes a storm.
 *
 * @param previous Bulletins of the refresh before, which know the analyses that are no longer on the feed.
 * @param now Unix seconds.
 */
export function jmaBulletins(
  parsed: readonly Parsed[],
  previous: readonly Bulletin[],
  now: number,
): Bulletin[] {
  const reports = parsed.flatMap((each) => each.reports).filter(({ provider }) => provider === "jma");
  // Advisories in words have no code: they belong to the storm that has the number.
  const codes = new Map(
    [...previous, ...reports].flatMap((each) => (each.code ? [[stormId(each), each.code]] : [])),
  );
  const keyOf = (bulletin: Bulletin) => bulletin.code ?? codes.get(stormId(bulletin)) ?? stormId(bulletin);
  const groups = new Map<string, Report[]>();
  for (const report of reports) {
    const group = groups.get(keyOf(report));
    if (group) group.push(report);
    else groups.set(keyOf(report), [report]);
  }
  const before = new Map(previous.map((bulletin) => [keyOf(bulletin), bulletin]));
  const lists = parsed.flatMap(({ listed }) => (listed?.provider === "jma" ? [listed.keys] : []));
  const bulletins = [
    ...previous.filter((bulletin) => !groups.has(keyOf(bulletin))),
    ...[...groups].map(([key, group]) => folded(group, before.get(key))),
  ].map((bulletin) =>
    bulletin.code !== undefined && lists.some((keys) => !keys.includes(bulletin.code!))
      ? { ...bulletin, isFinal: true }
      : bulletin,
  );
  return oneAnId(bulletins).filter((bulletin) => isKept(bulletin, now));
}

function folded(reports: readonly Report[], before: Bulletin | undefined): Bulletin {
  const newestFirst = reports.toSorted((one, other) => other.issued - one.issued);
  const told = newestFirst.filter(({ source }) => source === "warning");
  const drawn = newestFirst.filter(({ source }) => source === "drawn track");
  const said = before ? [...told, ...drawn, before] : [...told, ...drawn];
  const newest = said.reduce((latest, each) => (each.issued > latest.issued ? each : latest));
  const analyses = mergedFixes([
    ...told.map(({ observed }) => observed),
    before?.observed ?? [],
    ...drawn.map(({ observed }) => observed.slice(-1)),
  ]);
  // The drawn line has no times of its own, and the oldest bulletin's is the least wrong: it is what happened before.
  const first = analyses[0]?.time ?? Number.POSITIVE_INFINITY;
  const line = drawn.at(-1)?.observed.filter(({ time }) => time < first) ?? [];
  const { isInvest } = newest;
  const bulletin: Bulletin = {
    ...("source" in newest ? bulletinOf(newest as Report) : newest),
    name: isInvest ? null : newestSaid(said, ({ name }) => name),
    isFinal: told[0]?.isFinal ?? false,
    observed: [...line, ...analyses],
    issued: newest.issued,
  };
  const code = newestSaid(said, (each) => each.code ?? null);
  if (code !== null) bulletin.code = code;
  // Of one bulletin's two halves the specifications have winds.
  const forecast = newestForecast([...told, before]) ?? newestForecast(drawn);
  const isNewer = forecast && forecast.base >= (analyses.at(-1)?.time ?? forecast.base) - SAME_ANALYSIS_S;
  if (forecast && isNewer) bulletin.forecast = forecast;
  else delete bulletin.forecast;
  return bulletin;
}

/** An hourly bulletin between two forecasts does not end the one before; the last bulletin of a storm does. */
const SAME_ANALYSIS_S = 6 * 3600;
