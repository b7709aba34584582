import { distanceKm } from "#lib/geo/sphere.ts";
import { HOUR_S } from "#lib/time.ts";
import type { Bulletin, Fix } from "./bulletin.ts";
import { aliasesOf, stormId } from "./identity.ts";

/** What the texts of one id and the refresh before tell about it. */
type Known = Pick<
  Bulletin,
  "basin" | "number" | "season" | "name" | "isInvest" | "observed" | "forecast" | "issued"
>;

/**
 * Ids that name one storm, and the one under which it is published.
 *
 * Two ids are one storm if they have the same number in successive seasons, as over New Year, or belong to neighbouring basins,
 * as when two centres number a storm that crosses 140°W or 180°; and if place and time agree, of a text without any position
 * the time. The id that is kept is one
 * that is published already, then that of the earlier season, then of the earlier start, then that of the basin in which the
 * storm began.
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
 * What was known of a storm, without the fixes and the forecast that it has from texts that are on another storm after all.
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

/** Storms without aliases that are the ids of other ones: an id is that of one storm alone. */
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

/** Of the three basins of the North Pacific. */
function basinAt({ longitude }: Fix): string {
  if (longitude >= 0) return "WP";
  return longitude < CENTRAL_PACIFIC_EAST ? "CP" : "EP";
}

const SUCCESSOR_S = 48 * HOUR_S;

/** It only ends a storm. */
function isPlaceless({ observed, forecast }: Known): boolean {
  return observed.length === 0 && !forecast;
}

/** The same number in successive seasons, in texts at most two days apart that a storm can have moved between. */
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

/** Common fixes that prove it: two storms can be so near once, above all when the first fix of one is still uncertain. */
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

/** Fixes of two tracks at most so many seconds apart: of each fix of the shorter track the nearest in time. */
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
