import { between, distanceKm } from "@open-metocean/geo/sphere";
import { lastFixTime } from "./activity.ts";
import {
  type ActiveList,
  aliasesOf,
  type Bulletin,
  type Cancellation,
  type Correction,
  type Fix,
  type ForecastFix,
  type Parsed,
  type Provider,
  type Report,
  stormId,
} from "./bulletin.ts";
import { isTropicalCyclone } from "./entry.ts";
import { HOUR_S } from "./time.ts";

/**
 * Two texts place a storm some 20 km apart. Between two fixes less than this apart, seconds, the difference would look like
 * a leap.
 */
export const SAME_FIX_S = HOUR_S;

/**
 * One fix per time, ascending. The first list that has a time wins; values it lacks are filled in from the others.
 *
 * @param lists Most trusted first.
 */
export function mergedFixes(lists: readonly (readonly Fix[])[]): Fix[] {
  const byTime = new Map<number, Fix>();
  for (const fix of lists.flat()) {
    const known = byTime.get(fix.time);
    if (!known) byTime.set(fix.time, { ...fix });
    else {
      known.vmaxKt ??= fix.vmaxKt;
      known.mslpHpa ??= fix.mslpHpa;
      known.stage ??= fix.stage;
      known.radiiKm = { ...fix.radiiKm, ...known.radiiKm };
      if (!known.seas12ftKm && fix.seas12ftKm) known.seas12ftKm = fix.seas12ftKm;
    }
  }
  return [...byTime.values()].sort((one, other) => one.time - other.time);
}

/**
 * The newest forecast of several bulletins. If two have the same base time, the newer text wins; but a forecast that only
 * lacks the end of another one was read from a text that ends early.
 */
export function newestForecast(bulletins: readonly (Bulletin | undefined)[]): Bulletin["forecast"] {
  let newest: Bulletin | undefined;
  for (const bulletin of bulletins) {
    if (!bulletin?.forecast) continue;
    if (!newest?.forecast || isNewer(bulletin, newest)) newest = bulletin;
  }
  return newest?.forecast;
}

function isNewer(one: Bulletin, other: Bulletin): boolean {
  const [mine, theirs] = [one.forecast!, other.forecast!];
  if (mine.base !== theirs.base) return mine.base > theirs.base;
  if (mine.points.length !== theirs.points.length) {
    const longer = mine.points.length > theirs.points.length ? mine : theirs;
    const shorter = longer === mine ? theirs : mine;
    if (shorter.points.every((point, index) => isSamePoint(point, longer.points[index]!)))
      return longer === mine;
  }
  return one.issued > other.issued;
}

function isSamePoint(one: ForecastFix, other: ForecastFix): boolean {
  const same = one.fhr === other.fhr && one.vmaxKt === other.vmaxKt;
  return same && one.latitude === other.latitude && one.longitude === other.longitude;
}

/**
 * Leaves out reports that a correction of the same kind and time of issue replaces.
 *
 * @param before The storm's bulletin so far; a correction in it stays in force when the mirror shows the old text again.
 */
export function withoutCorrected<Each extends Report>(
  reports: readonly Each[],
  before?: Bulletin | undefined,
): Each[] {
  const corrections = [...reports.flatMap(correctionOf), before?.correction ?? []].flat();
  return reports.filter(
    ({ source, issued, revision = 0 }) =>
      !corrections.some(
        (each) => each.source === source && each.issued === issued && each.revision > revision,
      ),
  );
}

function correctionOf({ source, issued, revision }: Report): Correction[] {
  return revision === undefined ? [] : [{ source, issued, revision }];
}

/** The newest correction of a storm so far, as a field of its bulletin. */
export function newestCorrection(
  reports: readonly Report[],
  before?: Bulletin | undefined,
): Pick<Bulletin, "correction"> {
  const [correction] = [...reports.flatMap(correctionOf), before?.correction ?? []]
    .flat()
    .sort((one, other) => other.issued - one.issued || other.revision - one.revision);
  return correction ? { correction } : {};
}

/**
 * Removes from a storm what a withdrawn bulletin said of it: the analysis, the forecast from it, and the end that it
 * stated.
 */
export function withoutWithdrawn(bulletin: Bulletin, by: Cancellation): Bulletin {
  const { code, analysis } = by;
  const observed = bulletin.observed.filter(({ time }) => time !== analysis);
  if (bulletin.code !== code || observed.length === bulletin.observed.length) return bulletin;
  // The known analysis comes from a bulletin that was sent again, whose text may have left the feed.
  if (bulletin.withdrawn?.some((each) => each.analysis === analysis && each.sent >= by.sent)) return bulletin;
  const { forecast, ended, ...rest } = bulletin;
  const isEnded = ended !== undefined && !(ended.by === "text" && ended.at >= analysis);
  return {
    ...rest,
    observed,
    // The remaining texts are newer than what is left of the withdrawn one.
    issued: observed.at(-1)?.time ?? analysis,
    isFinal: bulletin.isFinal && isEnded,
    ...(isEnded && { ended }),
    ...(forecast && forecast.base !== analysis && { forecast }),
  };
}

/** Adds the cancellations that were applied to a storm: see `Bulletin.withdrawn`. */
export function withCancellations(bulletin: Bulletin, cancellations: readonly Cancellation[]): Bulletin {
  const own = cancellations.filter(({ code }) => code === bulletin.code);
  const { withdrawn = [] } = bulletin;
  const isNew = ({ analysis, sent }: Cancellation) =>
    !withdrawn.some((each) => each.analysis === analysis && each.sent >= sent);
  const added = own.filter(isNew);
  return added.length === 0 ? bulletin : { ...bulletin, withdrawn: [...withdrawn, ...added] };
}

/** Whether a telegram withdraws a report: the report is on its analysis, and was not sent later. */
export function isWithdrawn({ code, observed, sent, issued }: Report, by: Cancellation): boolean {
  return code === by.code && observed.at(-1)?.time === by.analysis && (sent ?? issued) <= by.sent;
}

/** The most recently issued bulletin; the first of several. @param bulletins At least one. */
export function newestOf<Each extends Bulletin>(bulletins: readonly Each[]): Each {
  return bulletins.reduce((latest, each) => (each.issued > latest.issued ? each : latest));
}

/**
 * Whether a storm has ended. A text that is not newer than the one that ended it cannot revive it; other texts read since,
 * such as a deck, say nothing about the end.
 *
 * @param newest The newest text that can state the end.
 */
export function inheritedEnd(
  newest: Report | undefined,
  before: Bulletin | undefined,
): Pick<Bulletin, "isFinal" | "ended"> {
  const known = before?.isFinal
    ? (before.ended ?? { by: before.isListed === false ? "list" : "text", at: before.issued })
    : undefined;
  if (newest?.isFinal) {
    const at = Math.max(newest.issued, known?.at ?? Number.NEGATIVE_INFINITY);
    return { isFinal: true, ended: { by: "text", at } };
  }
  const isCorrected = newest?.revision !== undefined && newest.issued === known?.at;
  if (!known || isCorrected || (newest && newest.issued > known.at)) return { isFinal: false };
  return { isFinal: true, ended: known };
}

/** The value of the most recently issued bulletin that has one. */
export function newestValue<Value>(
  bulletins: readonly Bulletin[],
  value: (bulletin: Bulletin) => Value | null,
): Value | null {
  const newestFirst = bulletins.toSorted((one, other) => other.issued - one.issued);
  for (const bulletin of newestFirst) {
    const found = value(bulletin);
    if (found !== null) return found;
  }
  return null;
}

/** The bulletin that a report contains; a bulletin itself, as a copy. */
export function bulletinOf(bulletin: Report | Bulletin): Bulletin {
  const { source, formerly, obsolete, revision, sent, isUnnamed, ...rest } = bulletin as Report;
  return rest;
}

/** One bulletin per id. JMA's letters and the numbers of invests are reused: the newer storm keeps the id. */
export function newestPerId(bulletins: readonly Bulletin[]): Bulletin[] {
  const byId = new Map<string, Bulletin>();
  for (const bulletin of bulletins) {
    const known = byId.get(stormId(bulletin));
    if (!known || bulletin.issued >= known.issued) byId.set(stormId(bulletin), bulletin);
  }
  return [...byId.values()];
}

export function listsOf(parsed: readonly Parsed[], provider: Provider): ActiveList[] {
  return parsed.flatMap(({ listed }) => (listed?.provider === provider ? [listed] : []));
}

/**
 * Advisories and lists are issued every 6 h, so a fix of a deck is at most this much newer than a list that is kept up
 * to date.
 */
const LIST_CYCLE_S = 6 * 3600;

/**
 * Whether a list that leaves a storm out stands still. It does if the agency has forecast the storm since, or calls it a
 * tropical cyclone at a fix later than the list's next issue. After its last advisory the agency calls a storm a remnant or
 * extratropical.
 *
 * @param forecastAt Base time of the newest official forecast of the storm, Unix seconds; undefined without any.
 * @param cycloneAt Time of its newest fix as a tropical cyclone.
 */
export function isBehind(
  { updated }: ActiveList,
  forecastAt: number | undefined,
  cycloneAt?: number | undefined,
): boolean {
  if (updated === undefined) return false;
  return (
    (forecastAt ?? Number.NEGATIVE_INFINITY) > updated ||
    (cycloneAt ?? Number.NEGATIVE_INFINITY) > updated + LIST_CYCLE_S
  );
}

/** Releases a storm that no list covers any more: one that a list had ended is active again. */
export function withoutLists(bulletin: Bulletin): Bulletin {
  if (bulletin.isListed !== false) return bulletin;
  const { ended, isListed: _, ...rest } = bulletin;
  return ended?.by === "list" ? { ...rest, isFinal: false } : { ...rest, ...(ended && { ended }) };
}

/**
 * Applies lists to a storm. One that all of them have is active again if a list had ended it; any other one has ended. A
 * bulletin that says that the storm is over outweighs a list that still has it.
 *
 * @param isListed Whether all lists have it.
 * @param readAt When they were read, Unix seconds.
 */
export function underLists(bulletin: Bulletin, isListed: boolean, readAt: number): Bulletin {
  const { ended, ...rest } = bulletin;
  if (isListed) {
    const isFinal = bulletin.isFinal && bulletin.isListed !== false;
    return { ...rest, isListed, isFinal, ...(isFinal && ended && { ended }) };
  }
  const end =
    bulletin.isFinal && ended ? ended : ({ by: "list", at: Math.max(readAt, bulletin.issued) } as const);
  return { ...rest, isListed, isFinal: true, ended: end };
}

/** Statements about one id from its texts and from the refresh before. */
type Known = Pick<
  Bulletin,
  "basin" | "number" | "season" | "name" | "isInvest" | "observed" | "forecast" | "issued"
>;

/**
 * The ids that name one storm, and the id under which it is published.
 *
 * Two ids name one storm if place and time agree and the ids have the same number in successive seasons (New Year) or
 * belong to neighbouring basins (two centres number a storm that crosses 140°W or 180°). For a text without positions
 * the time is enough. The storm keeps an id that is already published; otherwise it gets that of the earlier season,
 * then of the earlier start, then of the basin in which it began.
 *
 * @param before Ids under which storms are published.
 * @returns Id → id under which the storm is published, for all that differ.
 */
export function publishedIds(known: readonly Known[], before: ReadonlySet<string>): Map<string, string> {
  const systems = [...Map.groupBy(known, stormId)].map(([id, each]) => ({
    ...each[0]!,
    id,
    name: each.find(({ name }) => name !== null)?.name ?? null,
    observed: each.flatMap(({ observed }) => observed).toSorted((one, other) => one.time - other.time),
  }));
  const groups = new Map(systems.map((system) => [system.id, [system]]));
  for (const [index, one] of systems.entries()) {
    for (const other of systems.slice(index + 1)) {
      const [mine, theirs] = [groups.get(one.id)!, groups.get(other.id)!];
      if (mine === theirs || !(isSuccessor(one, other) || isNeighbour(one, other))) continue;
      const joined = [...mine, ...theirs];
      for (const { id } of joined) groups.set(id, joined);
    }
  }
  const published = new Map<string, string>();
  for (const group of new Set(groups.values())) {
    if (group.length === 1) continue;
    const first = Math.min(...group.map(startOf));
    const start = group.find((system) => startOf(system) === first)!.observed[0];
    const rank = (system: (typeof group)[number]) => (start && system.basin === basinAt(start) ? 0 : 1);
    const kept = group.toSorted(
      (one, other) =>
        Number(before.has(other.id)) - Number(before.has(one.id)) ||
        one.season - other.season ||
        startOf(one) - startOf(other) ||
        rank(one) - rank(other) ||
        (one.id < other.id ? -1 : 1),
    )[0]!;
    for (const { id } of group) if (id !== kept.id) published.set(id, kept.id);
  }
  return published;
}

/**
 * Removes from a storm the fixes and the forecast that came from texts on another storm.
 *
 * @param others Reports that were taken for this storm and are published as another one.
 */
export function withoutOthers(before: Bulletin, others: readonly Bulletin[]): Bulletin {
  const fixes = others.flatMap(({ observed }) => observed);
  const { forecast, ...rest } = before;
  const isOthers = others.some((other) => other.forecast && other.forecast.base === forecast?.base);
  return {
    ...rest,
    observed: before.observed.filter(
      (fix) => !fixes.some((each) => each.time === fix.time && distanceKm(each, fix) === 0),
    ),
    ...(forecast && !isOthers && { forecast }),
  };
}

/** Removes aliases that are the ids of other storms: an id belongs to one storm alone. */
export function withOwnAliases(bulletins: readonly Bulletin[]): Bulletin[] {
  const ids = new Set(bulletins.map(stormId));
  return bulletins.map((bulletin) => {
    const { aliases: known = [], ...rest } = bulletin;
    if (!known.some((id) => ids.has(id))) return bulletin;
    const aliases = aliasesOf(
      stormId(bulletin),
      known.filter((id) => !ids.has(id)),
    );
    return aliases ? { ...rest, aliases } : rest;
  });
}

function startOf({ observed }: Known): number {
  return observed[0]?.time ?? Number.POSITIVE_INFINITY;
}

/** Boundary of the zones of NHC and CPHC, degrees east. */
const CENTRAL_PACIFIC_EAST = -140;

/** Basin of a fix, among the three basins of the North Pacific. */
function basinAt({ longitude }: Fix): string {
  if (longitude >= 0) return "WP";
  return longitude < CENTRAL_PACIFIC_EAST ? "CP" : "EP";
}

const SUCCESSOR_S = 48 * HOUR_S;

/** A bulletin without a place only ends a storm. */
function isPlaceless({ observed, forecast }: Known): boolean {
  return observed.length === 0 && !forecast;
}

/**
 * Whether two ids have the same number in successive seasons, in texts at most two days apart that a storm can have moved
 * between.
 */
function isSuccessor(one: Known, other: Known): boolean {
  if (one.basin !== other.basin || one.number !== other.number) return false;
  if (Math.abs(one.season - other.season) !== 1) return false;
  for (const [text, placed] of [
    [one, other],
    [other, one],
  ] as const)
    if (isPlaceless(text))
      return placed.observed.some(({ time }) => Math.abs(text.issued - time) <= SUCCESSOR_S);
  return pairs(one, other, SUCCESSOR_S).some(
    ([from, to]) => distanceKm(from, to) <= 300 + (40 * Math.abs(to.time - from.time)) / HOUR_S,
  );
}

/** Basins that a storm can cross between. */
const neighbours = new Set(["AL EP", "CP EP", "CP WP", "EP WP", "IO WP"]);

/** Two centres agree on a position within this, km. The centres of two storms are never so near for long. */
const SAME_CENTRE_KM = 100;

/**
 * This many common fixes prove that two tracks are one: two storms can be so near once, above all when the first fix of one
 * is still uncertain.
 */
const COMMON_FIXES = 2;

function isNeighbour(one: Known, other: Known): boolean {
  if (one.isInvest || other.isInvest) return false;
  if (!neighbours.has([one.basin, other.basin].sort().join(" "))) return false;
  const sameName = one.name !== null && one.name === other.name;
  if (sameName) return pairs(one, other, 24 * HOUR_S).some(([from, to]) => distanceKm(from, to) <= 300);
  const sameTime = pairs(one, other, 0);
  const times = new Set(sameTime.map(([{ time }]) => time));
  return times.size >= COMMON_FIXES && sameTime.every(([from, to]) => distanceKm(from, to) <= SAME_CENTRE_KM);
}

/** Pairs each fix of the shorter track with the nearest in time of the other, at most `within` seconds apart. */
function pairs(one: Known, other: Known, within: number): [Fix, Fix][] {
  const [few, many] =
    one.observed.length <= other.observed.length
      ? [one.observed, other.observed]
      : [other.observed, one.observed];
  const [start, end] = [many[0]?.time ?? 0, many.at(-1)?.time ?? 0];
  const found: [Fix, Fix][] = [];
  for (const fix of few) {
    if (fix.time < start - within || fix.time > end + within) continue;
    const nearest = many.reduce((best, each) =>
      Math.abs(each.time - fix.time) < Math.abs(best.time - fix.time) ? each : best,
    );
    if (Math.abs(nearest.time - fix.time) <= within) found.push([fix, nearest]);
  }
  return found;
}

interface Nearness {
  seconds: number;
  km: number;
}

/** A storm and an invest may be the same system if they were within this distance and this time of each other. */
const same: Nearness = { seconds: 24 * HOUR_S, km: 300 };

/**
 * Wider limits apply if the storm's deck says that it came from an invest of this number: fixes may then be missing
 * between.
 */
const named: Nearness = { seconds: 72 * HOUR_S, km: 1000 };

/** Fixes of an invest begin before those of its storm, or at most this much later. */
const LATER_START_S = 24 * HOUR_S;

/** Two texts on one system place it no further apart than this at one time, km. */
const SAME_PLACE_KM = 150;

/** A storm is placed between two fixes no further apart than this, and beside one of them within half of it, seconds. */
const PLACED_WITHIN_S = 12 * HOUR_S;

/** No storm of a basin where invests are watched moves faster for long, km/h. */
const MAX_SPEED_KMH = 40;

/**
 * An invest whose newest fix is this much newer than the last fix of an ended storm is still watched, or watched again.
 */
const OUTLIVED_S = 3 * HOUR_S;

/**
 * Leaves out invests that have become storms; the storm gets their earlier fixes, and their id as an alias. From the invest
 * that its texts name it also gets later ones: the first deck of a storm may be read before it is whole.
 *
 * The remark of a deck alone proves nothing: numbers of invests are used again within weeks, and the decks of a season stay.
 *
 * A storm that has ended hides only the invest that it came from: its remnant is watched as an invest, often of another
 * number, until the storm is warned of again.
 *
 * @param formerly Storm's id → ids of invests that its texts name.
 * @param hasEnded Whether a storm is no longer active.
 */
export function withoutFormerInvests(
  bulletins: readonly Bulletin[],
  formerly: ReadonlyMap<string, ReadonlySet<string>>,
  hasEnded: (storm: Bulletin) => boolean,
): Bulletin[] {
  const storms = bulletins.filter(({ isInvest }) => !isInvest);
  // The beginnings are those of their own fixes, not of those that they get here.
  const starts = new Map(storms.map((storm) => [storm, beginningOf(storm)]));
  const born = new Map(storms.map((storm) => [storm, cycloneSince(storm)]));
  const remaining: Bulletin[] = [];
  const namesOf = (storm: Bulletin) => formerly.get(stormId(storm)) ?? new Set();
  const isNamed = (storm: Bulletin, invest: Bulletin) =>
    [...namesOf(storm)].some((name) => isSameNumber(name, stormId(invest))) && isGrownFrom(storm, invest);
  for (const invest of bulletins.filter(({ isInvest }) => isInvest)) {
    const storm = storms.find((candidate) => {
      const names = namesOf(candidate);
      // A text that names other invests says that the storm is none of them; one of after the storm's birth, that there are
      // two systems.
      const isPlaced = names.size > 0 || lastFixTime(invest) >= born.get(candidate)!;
      const isAlike = isPlaced ? (isAtOnePlace(candidate, invest) ?? names.size === 0) : true;
      if (!isNamed(candidate, invest) && !(isAlike && isNear(candidate, invest, same))) return false;
      return !(hasEnded(candidate) && isOutlived(candidate, invest, starts.get(candidate)!));
    });
    if (!storm) {
      remaining.push(invest);
      continue;
    }
    const first = beginningOf(storm);
    const last = isNamed(storm, invest) ? lastFixTime(storm) + SAME_FIX_S : Number.POSITIVE_INFINITY;
    storm.observed = [
      ...invest.observed.filter(({ time }) => time < first),
      ...storm.observed,
      ...invest.observed.filter(({ time }) => time >= last),
    ];
    storm.aliases = aliasesOf(stormId(storm), [...(storm.aliases ?? []), stormId(invest)])!;
  }
  return [...storms, ...remaining];
}

/** Whether two ids have the same basin and number. Over New Year a deck and an outlook give an invest different years. */
function isSameNumber(one: string, other: string): boolean {
  return one.slice(0, 4) === other.slice(0, 4);
}

function isGrownFrom(storm: Bulletin, invest: Bulletin): boolean {
  return beginningOf(invest) <= beginningOf(storm) + LATER_START_S && isNear(storm, invest, named);
}

/** Whether an invest goes on after the last fix of a storm, or begins too late to be the one that the storm came from. */
function isOutlived(storm: Bulletin, invest: Bulletin, start: number): boolean {
  return lastFixTime(invest) - lastFixTime(storm) > OUTLIVED_S || beginningOf(invest) > start + LATER_START_S;
}

function beginningOf({ observed }: Bulletin): number {
  return observed[0]?.time ?? Number.POSITIVE_INFINITY;
}

/**
 * Time from which a storm was called a cyclone, Unix seconds; before, it was an invest itself. Without stages it is the
 * first fix.
 */
function cycloneSince(storm: Bulletin): number {
  const first = storm.observed.find(isTropicalCyclone);
  if (first) return first.time;
  return storm.observed.some(({ stage }) => stage !== null) ? Number.POSITIVE_INFINITY : beginningOf(storm);
}

/** Whether an invest's last fix is where the storm was then; undefined if no text gives the storm's place at about that time. */
function isAtOnePlace({ observed }: Bulletin, invest: Bulletin): boolean | undefined {
  const last = invest.observed.at(-1);
  if (!last) return undefined;
  const before = observed.findLast(({ time }) => time <= last.time);
  const after = observed.find(({ time }) => time >= last.time);
  if (before && after && after.time - before.time <= PLACED_WITHIN_S) {
    const share = after === before ? 0 : (last.time - before.time) / (after.time - before.time);
    return distanceKm(between(before, after, share), last) <= SAME_PLACE_KM;
  }
  const near = [before, after].filter(
    (fix) => fix !== undefined && Math.abs(fix.time - last.time) <= PLACED_WITHIN_S / 2,
  );
  if (near.length === 0) return undefined;
  return near.some((fix) => {
    const hours = Math.abs(fix!.time - last.time) / HOUR_S;
    return distanceKm(fix!, last) <= SAME_PLACE_KM + MAX_SPEED_KMH * hours;
  });
}

/** Whether a storm was near the invest's last position. */
function isNear(storm: Bulletin, invest: Bulletin, { seconds, km }: Nearness): boolean {
  const last = invest.observed.at(-1);
  if (!last) return false;
  const near = (fix: Fix) => Math.abs(fix.time - last.time) <= seconds && distanceKm(fix, last) <= km;
  return storm.observed.some(near);
}
