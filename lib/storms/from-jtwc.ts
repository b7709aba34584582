import { isActive, isPublished, lastFixTime, type SilenceClock } from "./activity.ts";
import {
  type ActiveList,
  aliasesOf,
  type Bulletin,
  type Fix,
  isSameId,
  type Parsed,
  type Report,
  reportSources,
  stormId,
} from "./bulletin.ts";
import { isTropicalCyclone } from "./entry.ts";
import {
  bulletinOf,
  inheritedEnd,
  isBehind,
  listsOf,
  mergedFixes,
  newestCorrection,
  newestForecast,
  newestOf,
  newestPerId,
  newestValue,
  publishedIds,
  SAME_FIX_S,
  underLists,
  withOwnAliases,
  withoutCorrected,
  withoutFormerInvests,
  withoutLists,
  withoutOthers,
} from "./merge.ts";

/**
 * Merges the texts of NHC and JTWC into one bulletin per storm.
 *
 * @param previous Bulletins of the refresh before. Storms that left the feed stay until they have been silent too long.
 * @param now Unix seconds.
 * @param clock Until when the silence of a storm counts.
 * @param removed Storms that had ended and are no longer published.
 */
export function jtwcBulletins(
  parsed: readonly Parsed[],
  previous: readonly Bulletin[],
  now: number,
  clock: SilenceClock = () => now,
  removed: readonly Bulletin[] = [],
): Bulletin[] {
  const reports = parsed.flatMap((each) => each.reports).filter(({ provider }) => provider === "jtwc");
  // A storm keeps an earlier id as its own after the texts of its first centre have gone.
  const known = [...reports, ...previous, ...previous.flatMap(underAliases)];
  const published = publishedIds(known, new Set(previous.map(stormId)));
  const idOf = (bulletin: Bulletin) => published.get(stormId(bulletin)) ?? stormId(bulletin);
  const groups = Map.groupBy(reports, idOf);
  const before = Map.groupBy(previous, idOf);
  const bulletins = [...new Set([...before.keys(), ...groups.keys()])].flatMap((id) => {
    const group = groups.get(id) ?? [];
    const past = joined(before.get(id) ?? []);
    const others = reports.filter(
      (each) => !each.isInvest && idOf(each) !== id && past?.aliases?.includes(stormId(each)),
    );
    const merged = mergedBulletin(
      id,
      group,
      past && others.length > 0 ? withoutOthers(past, others) : past,
      removed,
    );
    return merged ? [merged] : [];
  });
  const lists = listsOf(parsed, "jtwc");
  const single = withoutFormerInvests(
    newestPerId(bulletins.map((bulletin) => asListed(bulletin, lists, now, previous.length > 0))),
    new Map([...groups].map(([id, of]) => [id, new Set(of.flatMap(({ formerly }) => formerly))])),
    (storm) => !isActive(storm, now, clock(storm)),
  );
  return withOwnAliases(single.filter((bulletin) => isPublished(bulletin, now, clock)));
}

/** Copies of a storm under its other ids. Ids of invests are used again, and do not count. */
function underAliases(bulletin: Bulletin): Bulletin[] {
  return (bulletin.aliases ?? []).flatMap((id) => {
    const number = Number(id.slice(2, 4));
    return number >= 90 ? [] : [{ ...bulletin, basin: id.slice(0, 2), number, season: Number(id.slice(4)) }];
  });
}

/** Merges the bulletins of one storm that were published under several ids into one. */
function joined(bulletins: readonly Bulletin[]): Bulletin | undefined {
  if (bulletins.length < 2) return bulletins[0];
  const newest = newestOf(bulletins);
  const forecast = newestForecast(bulletins);
  return {
    ...newest,
    observed: mergedFixes(bulletins.map(({ observed }) => observed)),
    aliases: bulletins.flatMap((each) => [stormId(each), ...(each.aliases ?? [])]),
    ...(forecast && { forecast }),
  };
}

/** Numbers of invests are reused within weeks: if days lie between, the earlier one is another system. */
const REUSED_AFTER_S = 48 * 3600;

/**
 * Returns the bulletins on the newest system of an id. The deck or alert of an invest stays when its number is used again,
 * and so does what was known of it when its texts have gone or cannot be read.
 */
function ofNewestSystem(known: readonly Bulletin[]): ReadonlySet<Bulletin> {
  if (!known.some(({ isInvest }) => isInvest)) return new Set(known);
  let start = Number.POSITIVE_INFINITY;
  const newest = new Set<Bulletin>();
  for (const each of known.toSorted((one, other) => lastFixTime(other) - lastFixTime(one))) {
    if (newest.size > 0 && start - lastFixTime(each) > REUSED_AFTER_S) break;
    newest.add(each);
    start = Math.min(start, each.observed[0]?.time ?? each.issued);
  }
  return newest;
}

function mergedBulletin(
  id: string,
  given: readonly Report[],
  known: Bulletin | undefined,
  removed: readonly Bulletin[],
) {
  const newestSystem = ofNewestSystem(known ? [...given, known] : given);
  const reports = withoutCorrected(given, known).filter((each) => newestSystem.has(each));
  const before = known && newestSystem.has(known) ? known : undefined;
  const gone = removed.find((each) => reports.some((report) => isSameId(each, report)));
  const endedBefore = before ?? (gone && ofNewestSystem([...reports, gone]).has(gone) ? gone : undefined);
  const ranked = reports.toSorted(
    (one, other) =>
      reportSources.indexOf(one.source) - reportSources.indexOf(other.source) || other.issued - one.issued,
  );
  const all = before ? [...ranked, before] : ranked;
  const first = all[0];
  if (!first) return undefined;
  const deciding = ranked.filter(({ source, isInvest }) => isDeciding(source, isInvest));
  // A subregion belongs to the basin of its text.
  const own = all.filter(({ basin }) => basin === id.slice(0, 2));
  const { ended: _, ...newest } = bulletinOf(first);
  const bulletin: Bulletin = {
    ...newest,
    basin: id.slice(0, 2),
    number: Number(id.slice(2, 4)),
    season: Number(id.slice(4)),
    name: newestName(all),
    subregion: newestValue(own, ({ subregion }) => subregion),
    ...inheritedEnd(deciding.length > 0 ? newestOf(deciding) : undefined, endedBefore),
    ...newestCorrection(reports, before),
    observed: observedOf(ranked, before),
    issued: newestOf(all).issued,
  };
  const { mirror } = newestOf(all);
  if (mirror !== undefined) bulletin.mirror = mirror;
  else delete bulletin.mirror;
  const alertUntil = newestValue(all, (each) => each.alertUntil ?? null);
  if (alertUntil !== null) bulletin.alertUntil = alertUntil;
  if (endedBefore?.isListed !== undefined) bulletin.isListed = endedBefore.isListed;
  const aliases = aliasesOf(id, [...all.map(stormId), ...(before?.aliases ?? [])]);
  if (aliases) bulletin.aliases = aliases;
  else delete bulletin.aliases;
  const forecast = newestForecast(all);
  if (forecast) bulletin.forecast = forecast;
  else delete bulletin.forecast;
  // A mirror may have forecasts alone: the position at the base time is then a fix, and stays when the forecast expires.
  const analysis = forecast?.points.find(({ fhr }) => fhr === 0);
  if (bulletin.observed.length === 0 && analysis) {
    const { fhr: _, circleKm: __, ...fix } = analysis;
    bulletin.observed = [fix];
  }
  return bulletin;
}

/** The name that the newest text gives; null where that text says that the storm has none. */
function newestName(all: readonly (Report | Bulletin)[]): string | null {
  const newestFirst = all.toSorted((one, other) => other.issued - one.issued);
  return newestFirst.find((each) => each.name !== null || (each as Report).isUnnamed)?.name ?? null;
}

/** Whether texts of a kind say if a storm has ended. An outlook that still names an invest says that it has not. */
function isDeciding(source: Report["source"], isInvest: boolean): boolean {
  return source === "warning" || source === "formation alert" || (isInvest && source === "outlook");
}

function observedOf(ranked: readonly Report[], before: Bulletin | undefined): Fix[] {
  const best = ranked.filter(({ source }) => source === "best track").map(({ observed }) => observed);
  const last = mergedFixes(best).at(-1);
  const older = (before?.observed ?? []).filter(
    (fix) =>
      // A fix missing within a best track was removed on purpose. An earlier or later fix may belong to another deck.
      !best.some((track) => isWithin(track, fix)) ||
      // A text that ends early lacks rows of its last fix. A fix that was revised has other values.
      (last && fix.time === last.time && isSameFix(fix, last)),
  );
  return [...ranked.map(({ observed }) => observed), older].reduce<Fix[]>(
    (known, fixes) => mergedFixes([known, fixes.filter(({ time }) => !isBeside(time, known))]),
    [],
  );
}

function isWithin(track: readonly Fix[], { time }: Fix): boolean {
  const [first, last] = [track[0], track.at(-1)];
  return first !== undefined && last !== undefined && first.time <= time && time <= last.time;
}

function isBeside(time: number, known: readonly Fix[]): boolean {
  return known.some((fix) => fix.time !== time && Math.abs(fix.time - time) < SAME_FIX_S);
}

function isSameFix(one: Fix, other: Fix): boolean {
  return one.latitude === other.latitude && one.longitude === other.longitude && one.vmaxKt === other.vmaxKt;
}

/** A deck gets its number up to a cycle before the advisory that puts the storm on the list, 3 h after its base time. */
const FIRST_ADVISORY_S = 9 * 3600;

/**
 * A list of active storms decides for its basins; without one, what the last list said stays. Invests are on no list, and
 * west of 180° JTWC warns of the storms of NHC.
 *
 * @param now Unix seconds.
 * @param isKnown Whether the feed was read before. At a first reading only stages tell a new storm from one that has ended.
 */
function asListed(bulletin: Bulletin, all: readonly ActiveList[], now: number, isKnown: boolean): Bulletin {
  const newest = bulletin.observed.at(-1);
  const longitude = newest?.longitude ?? 0;
  const hasCrossed = (bulletin.basin === "EP" || bulletin.basin === "CP") && longitude > 0;
  const ids = [stormId(bulletin), ...(bulletin.aliases ?? [])];
  const has = ({ keys }: ActiveList) => ids.some((id) => keys.includes(id));
  const ofBasin = all.filter(({ basins }) => basins.includes(bulletin.basin));
  if (bulletin.isInvest || ofBasin.length === 0) return bulletin;
  const cyclones = bulletin.observed.filter(isTropicalCyclone);
  const lists = ofBasin.filter(
    (list) => has(list) || !isBehind(list, bulletin.forecast?.base, cyclones.at(-1)?.time),
  );
  if (lists.length === 0) return withoutLists(bulletin);
  const isListed = lists.every(has);
  if (hasCrossed && !isListed) {
    const { isListed: _, ...rest } = bulletin;
    return rest;
  }
  const isRecent = (time: number | undefined) => time !== undefined && now - time <= FIRST_ADVISORY_S;
  const isCyclone = newest !== undefined && newest === cyclones.at(-1);
  const isBorn = isCyclone && (isRecent(cyclones[0]?.time) || lists.every(({ isUndated }) => isUndated));
  const isNew = bulletin.isListed === undefined && (isKnown || isBorn);
  if (!isListed && isNew && isRecent(lastFixTime(bulletin))) return bulletin;
  return underLists(bulletin, isListed, now);
}
