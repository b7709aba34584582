import { isDeepStrictEqual } from "node:util";
import type { StormEntry } from "#lib/contract/storms.ts";
import { instant } from "./invariants.ts";
import type { Season } from "./season.ts";
import { centreOf, cycloneTimes, newestTime, type Watcher } from "./watcher.ts";

/** The end of a replay, true time and the reader's clock, Unix seconds, and what is served then. */
interface End {
  season: Season;
  time: number;
  now: number;
  watcher: Watcher;
  oneByOne: readonly StormEntry[];
  atOnce: readonly StormEntry[];
}

/** After so long without news the silence decides, which nobody has heard who reads for the first time, seconds. */
const SILENT_S = 18 * 3600;

/**
 * What differs from reading everything at once. One by one may know more: an end told by a text that is too old by now, a fix
 * of a text that was overwritten, a storm whose texts were removed.
 */
export function* againstAtOnce({ season, time, now, watcher, oneByOne, atOnce }: End): Generator<string> {
  const pairs = new Set([
    ...oneByOne.map((entry) => [entry.id, sameStorm(season, entry, atOnce)?.id ?? entry.id].join()),
    ...atOnce.map((its) => [sameStorm(season, its, oneByOne)?.id ?? its.id, its.id].join()),
  ]);
  for (const pair of pairs) {
    const [id, idAtOnce] = pair.split(",") as [string, string];
    const entry = oneByOne.find((each) => each.id === id);
    const its = atOnce.find((each) => each.id === idAtOnce);
    if (watcher.hasEnded(id) && !entry?.is_active) continue;
    if (!its) {
      if (entry!.is_active && now - newestTime(entry!) <= SILENT_S) yield `at once: ${id} is missing`;
      continue;
    }
    if (!entry) {
      // Its invest, or its older texts, are known by then.
      if (its.is_active) yield `at once: ${id} is missing one by one`;
      continue;
    }
    // Before its first advisory: who reads for the first time takes what was no cyclone 9 h ago, and is none now, for a
    // storm that the list has dropped, and also one that has been a cyclone for longer.
    const isNhc = centreOf(id.slice(0, 2)) === "nhc";
    if (isNhc && !its.is_active && !watcher.wasListed(id) && !isBorn(its, now)) continue;
    // A list without times that is empty as it was before the storm may stand still; who reads it for the first time believes it.
    const codes = season.storms.flatMap(({ ids, code }) =>
      code !== undefined && ids.includes(id) ? [code] : [],
    );
    if (codes.length > 0 && !its.is_active && !codes.some((code) => watcher.wasListed(code))) continue;
    if (newestTime(its) < newestTime(entry) || now - newestTime(entry) > SILENT_S) continue;
    for (const part of ["name", "year", "basin", "is_invest", "is_active"] as const)
      if (entry[part] !== its[part] && (id === idAtOnce || part.startsWith("is_")))
        yield `at once: ${id}: ${part} ${its[part]}, one by one ${entry[part]}`;
    if (!isDeepStrictEqual(statedForecast(entry), statedForecast(its)))
      yield `at once: ${id}: forecast ${forecastOf(its)}, one by one ${forecastOf(entry)}`;
    if (season.provider === "jtwc")
      for (const what of differingFixes(entry, its, deckEnd(season, id, time)))
        yield `at once: ${id}: ${what}`;
  }
}

/**
 * The entry of a storm, which has the id that was read first: of an invest that only outlooks name it has the year of the first
 * of them, and of a storm that two centres number it is that of one of them.
 */
function sameStorm({ storms }: Season, entry: StormEntry, others: readonly StormEntry[]) {
  const same = others.find(({ id }) => id === entry.id);
  if (same) return same;
  const ids = storms.filter((storm) => storm.ids.includes(entry.id)).flatMap((storm) => storm.ids);
  const number = entry.id.slice(0, 4);
  return others.find(
    ({ id, is_invest, aliases = [] }) =>
      ids.includes(id) &&
      (entry.is_invest
        ? is_invest && id.startsWith(number)
        : !is_invest && (aliases.includes(entry.id) || entry.aliases?.includes(id) === true)),
  );
}

/** An advisory, and with it a list, comes at most so long after the first fix of a tropical cyclone, seconds. */
const FIRST_ADVISORY_S = 9 * 3600;

function isBorn(entry: StormEntry, now: number): boolean {
  const times = cycloneTimes(entry);
  return times.length > 0 && times.at(-1) === newestTime(entry) && now - times[0]! <= FIRST_ADVISORY_S;
}

/** The forecast without headings and speeds, which depend on the fixes before. */
function statedForecast({ tracks: { forecast } }: StormEntry) {
  return (
    forecast && {
      ...forecast,
      points: forecast.points.map(({ heading_deg: _, speed_kmh: __, ...rest }) => rest),
    }
  );
}

function forecastOf({ is_active, tracks: { forecast } }: StormEntry): string {
  const hours = forecast?.points.map(({ fhr }) => fhr).join();
  return `${forecast ? `of ${instant(forecast.issued_at)} for ${hours} h` : "none"}${is_active ? "" : " (ended)"}`;
}

/** Time of the newest fix of a storm's deck, Unix seconds; without a deck before all times. */
function deckEnd({ publications, storms }: Season, id: string, time: number): number {
  const own = publications.filter(
    ({ at, source, says }) =>
      at <= time && source.startsWith("btk/") && storms[says!.storm!]!.ids.includes(id),
  );
  return own.reduce((latest, { says }) => Math.max(latest, says!.base!), Number.NEGATIVE_INFINITY);
}

/**
 * Fixes that only reading everything at once finds, or finds elsewhere. One by one, texts that have left the mirror add fixes
 * after the end of the deck, and pressures.
 */
function differingFixes(entry: StormEntry, atOnce: StormEntry, deckEnds: number): string[] {
  const own = new Map(entry.tracks.observed.map((fix) => [fix.time, fix]));
  const its = new Map(atOnce.tracks.observed.map((fix) => [fix.time, fix]));
  const lost = [...its.values()].filter((fix) => {
    const mine = own.get(fix.time);
    return (
      !mine ||
      mine.lat !== fix.lat ||
      mine.lon !== fix.lon ||
      (fix.vmax_kt !== null && fix.vmax_kt !== mine.vmax_kt)
    );
  });
  const extra = [...own.values()].filter(({ time }) => time <= deckEnds && !its.has(time));
  const text = (fixes: typeof lost) =>
    fixes.map(({ time, vmax_kt }) => `${instant(time)} ${vmax_kt} kt`).join(", ");
  return [
    ...(lost.length > 0 ? [`what is observed: only at once ${text(lost)}`] : []),
    ...(extra.length > 0 ? [`what is observed: only one by one ${text(extra)}`] : []),
  ];
}
