import { distanceKm, MILE_KM } from "@open-metocean/geo/sphere";
import { stormEntry as entrySchema, type StormEntry, type TrackPoint } from "@open-metocean/storms/schema";
import { ofWire } from "@open-metocean/storms/wire";
import { type GivenFix, placeKey, type Season, type SeasonStorm } from "./season.ts";

/** Speed that no storm exceeds, km/h. */
const MAX_SPEED = 150;

/** Two storms of a provider that are closer than this at the same time are the same, km. */
const SAME_KM = 100;

/** Violations by the entries that are served at a time, whatever was read. */
export function* faultsOfEntries(
  entries: readonly StormEntry[],
  season: Season,
  now: number,
): Generator<string> {
  for (const entry of entries)
    for (const what of faultsOfEntry(entry, season, now)) yield `${what} (${entry.id})`;
  yield* twins(entries);
}

function* faultsOfEntry(entry: StormEntry, season: Season, now: number): Generator<string> {
  const issue = entrySchema.safeParse(entry).error?.issues[0];
  if (issue) yield `schema: ${issue.path.join(".")} ${issue.message}`;
  const { observed, forecast } = entry.tracks;
  for (const [index, fix] of observed.entries()) {
    const before = observed[index - 1];
    const hours = before && (fix.time - before.time) / 3600;
    if (hours !== undefined && distanceKm(ofWire(before!), ofWire(fix)) / hours >= MAX_SPEED)
      yield `speed: beyond ${MAX_SPEED} km/h before ${instant(fix.time)}`;
  }
  const storms = season.storms.filter(({ ids }) => ids.includes(entry.id));
  if (storms.length === 0) yield "unknown storm: no text has this id";
  else yield* given(entry, storms);
  if (!forecast) {
    if (entry.cone) yield "age: a cone without a forecast";
    return;
  }
  yield* forecastGiven(entry, storms);
  const hours = (now - forecast.issued_at) / 3600;
  if (hours >= 24) yield `age: a forecast of ${hours.toFixed(1)} h is served`;
  if ((forecast.is_stale ?? false) !== hours >= 12)
    yield `age: a forecast of ${hours.toFixed(1)} h is ${forecast.is_stale ? "" : "not "}marked`;
}

/** Every fix must come from a text, with its wind and radii, or from a drawn line, in its order. */
function* given(entry: StormEntry, storms: readonly SeasonStorm[]): Generator<string> {
  const byTime = Map.groupBy(
    storms.flatMap((storm) => storm.given),
    ({ time }) => time,
  );
  const drawn: string[] = [];
  for (const fix of entry.tracks.observed) {
    const place = placeKey(ofWire(fix));
    // Two texts may place a fix differently, and one completes the other.
    const known = byTime.get(fix.time) ?? [];
    if (known.some((each) => placeKey(each) === place)) yield* values(entry, fix, known, instant(fix.time));
    else drawn.push(place);
  }
  if (drawn.length > 0 && !storms.some(({ lines }) => lines.some((line) => contains(line, drawn))))
    yield `given: no text gives ${drawn.length} of ${entry.tracks.observed.length} fixes, such as ${drawn[0]}`;
}

/** Every point of a forecast must come from a text of its base time, with its wind and radii. */
function* forecastGiven(entry: StormEntry, storms: readonly SeasonStorm[]): Generator<string> {
  const { issued_at, points } = entry.tracks.forecast!;
  const all = storms.flatMap(({ forecasts }) =>
    forecasts.flatMap((each) => (each.base === issued_at ? each.points : [])),
  );
  for (const point of points) {
    const place = placeKey(ofWire(point));
    const hour = `hour ${point.fhr} of ${instant(issued_at)}`;
    const known = all.filter((each) => each.time === point.time && placeKey(each) === place);
    if (known.length === 0) yield `forecast given: no text places the storm at ${place} at ${hour}`;
    else yield* values(entry, point, known, hour);
  }
}

/** Wind and radii of a point must come from the same text. */
function* values(
  { provider }: StormEntry,
  point: TrackPoint,
  known: readonly GivenFix[],
  when: string,
): Generator<string> {
  if (point.vmax_kt !== null && !known.some(({ windKt }) => windKt === point.vmax_kt))
    yield `wind: no text gives ${point.vmax_kt} kt at ${when}`;
  if (provider === "jma" || !point.wind_radii_km) return;
  const all = point.wind_radii_km as Record<string, Record<"ne" | "se" | "sw" | "nw", number | null> | null>;
  for (const threshold of [34, 50, 64] as const) {
    const radii = all[`${threshold}kn`];
    if (!radii) continue;
    const miles = [radii.ne, radii.se, radii.sw, radii.nw].map((km) => Math.round((km ?? 0) / MILE_KM));
    if (!known.some((each) => each.radii[threshold]?.join() === miles.join()))
      yield `radii: no text gives ${miles} n mi of ${threshold} kt at ${when}`;
    // A deck that is cut between the rows of a fix lacks those of higher thresholds, not of lower ones.
    if (threshold > 34 && !all["34kn"] && known.every((each) => each.radii[34]))
      yield `radii: ${threshold} kt without 34 kt at ${when}`;
  }
}

/** Whether places occur in a line in this order. */
function contains(line: readonly string[], places: readonly string[]): boolean {
  let at = 0;
  for (const place of line) if (place === places[at]) at++;
  return at === places.length;
}

/** Finds two entries that are the same storm, or have the same id. */
function* twins(entries: readonly StormEntry[]): Generator<string> {
  for (const { id, aliases = [] } of entries)
    for (const other of entries)
      if (aliases.includes(other.id)) yield `alias: ${other.id} is a storm, and another id of ${id}`;
  const active = entries.filter(({ is_active }) => is_active);
  for (const [index, one] of active.entries())
    for (const other of active.slice(index + 1)) {
      const times = new Map(other.tracks.observed.map((fix) => [fix.time, fix]));
      const common = one.tracks.observed.findLast(({ time }) => times.has(time));
      const km = common && distanceKm(ofWire(common), ofWire(times.get(common.time)!));
      if (km !== undefined && km < SAME_KM) yield `one storm twice: ${one.id} and ${other.id}`;
    }
}

export function instant(time: number): string {
  return `${new Date(time * 1000).toISOString().slice(0, 16)}Z`;
}
