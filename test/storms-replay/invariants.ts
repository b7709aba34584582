import { stormEntry as entrySchema, type StormEntry, type TrackPoint } from "#lib/contract/storms.ts";
import { distanceKm, MILE_KM } from "#lib/geo/sphere.ts";
import { ofWire } from "#lib/storms/wire.ts";
import { type GivenFix, placeKey, type Season, type SeasonStorm } from "./season.ts";

type Quadrants = Record<"ne" | "se" | "sw" | "nw", number | null>;

/** Faster than any storm, km/h. */
const MAX_SPEED = 150;

/** Closer than this at the same time, two storms of a provider are one, km. */
const SAME_KM = 100;

/** What holds of an entry at any time, whatever was read. */
export function* faultsOfEntry(entry: StormEntry, season: Season): Generator<string> {
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success)
    yield `schema: ${parsed.error.issues[0]?.path.join(".")} ${parsed.error.issues[0]?.message}`;
  yield* track(entry);
  const storms = season.storms.filter(({ ids }) => ids.includes(entry.id));
  if (storms.length === 0) yield "unknown storm: no text has this id";
  else yield* given(entry, storms);
  const { forecast } = entry.tracks;
  if (forecast) {
    let hour = Number.NEGATIVE_INFINITY;
    for (const { fhr } of forecast.points) {
      if (fhr <= hour) yield `forecast hours: ${fhr} after ${hour}`;
      hour = fhr;
    }
    yield* forecastGiven(entry, storms);
  }
}

function* track({ tracks: { observed } }: StormEntry): Generator<string> {
  for (const [index, fix] of observed.entries()) {
    const before = observed[index - 1];
    if (!before) continue;
    if (fix.time <= before.time) yield `order: ${instant(fix.time)} after ${instant(before.time)}`;
    const speed = distanceKm(ofWire(before), ofWire(fix)) / ((fix.time - before.time) / 3600);
    if (speed >= MAX_SPEED)
      yield `speed: ${speed.toFixed(0)} km/h from ${instant(before.time)} to ${instant(fix.time)}`;
  }
}

/** Every fix is one that a text gives, with its wind and radii; or of a drawn line, in its order. */
function* given(entry: StormEntry, storms: readonly SeasonStorm[]): Generator<string> {
  const all = storms.flatMap((storm) => storm.given);
  const byMoment = Map.groupBy(all, (fix) => `${fix.time} ${placeKey(fix)}`);
  const byTime = Map.groupBy(all, ({ time }) => time);
  const drawn: string[] = [];
  for (const fix of entry.tracks.observed) {
    const place = placeKey(ofWire(fix));
    if (!byMoment.has(`${fix.time} ${place}`)) {
      drawn.push(place);
      continue;
    }
    // Two texts may place a fix differently; one completes the other.
    const known = byTime.get(fix.time)!;
    if (fix.vmax_kt !== null && !known.some(({ windKt }) => windKt === fix.vmax_kt))
      yield `wind: no text gives ${fix.vmax_kt} kt at ${instant(fix.time)}`;
    if (entry.provider !== "jma") yield* radii(fix, known, instant(fix.time));
  }
  if (drawn.length > 0 && !storms.some(({ lines }) => lines.some((line) => contains(line, drawn))))
    yield `given: no text gives ${drawn.length} of ${entry.tracks.observed.length} fixes, such as ${drawn[0]}`;
}

/** Every point of a forecast is one that a text of its base time gives, with its wind and radii. */
function* forecastGiven(entry: StormEntry, storms: readonly SeasonStorm[]): Generator<string> {
  const { issued_at, points } = entry.tracks.forecast!;
  const given = storms
    .flatMap(({ forecasts }) => forecasts)
    .flatMap((each) => (each.base === issued_at ? each.points : []));
  for (const point of points) {
    const place = placeKey(ofWire(point));
    const hour = `hour ${point.fhr} of ${instant(issued_at)}`;
    const known = given.filter((each) => each.time === point.time && placeKey(each) === place);
    if (known.length === 0) yield `forecast given: no text places the storm at ${place} at ${hour}`;
    else if (point.vmax_kt !== null && !known.some(({ windKt }) => windKt === point.vmax_kt))
      yield `forecast wind: no text gives ${point.vmax_kt} kt at ${hour}`;
    else if (entry.provider !== "jma") yield* radii(point, known, hour);
  }
}

/** Radii of each threshold are those of one text, and a threshold has none without those of the lower ones that it gives. */
function* radii(point: TrackPoint, known: readonly GivenFix[], when: string): Generator<string> {
  for (const threshold of [34, 50, 64] as const) {
    const name = `${threshold}kn` as const;
    const all: Partial<Record<string, Quadrants | null>> = point.wind_radii_km ?? {};
    const radii = all[name];
    if (!radii) continue;
    const miles = [radii.ne, radii.se, radii.sw, radii.nw].map((km) => Math.round((km ?? 0) / MILE_KM));
    const texts = known.flatMap((each) => (each.radii[threshold] ? [each.radii[threshold].join()] : []));
    if (!texts.includes(miles.join())) yield `radii: no text gives ${miles} n mi of ${name} at ${when}`;
    const isAlone = threshold > 34 && !all["34kn"] && !known.some((each) => !each.radii[34]);
    if (isAlone) yield `radii: ${name} without 34kn at ${when}`;
  }
}

/** Whether places occur in a line, in this order. */
function contains(line: readonly string[], places: readonly string[]): boolean {
  let at = 0;
  for (const place of line) if (place === places[at]) at++;
  return at === places.length;
}

/** A forecast is marked when it is 12 h old, and not served when it is 24 h old. */
export function* faultsOfAge({ tracks: { forecast }, cone }: StormEntry, now: number): Generator<string> {
  if (!forecast && cone) yield "age: a cone without a forecast";
  if (!forecast) return;
  const hours = (now - forecast.issued_at) / 3600;
  if (hours >= 24) yield `age: a forecast of ${hours.toFixed(1)} h is served`;
  if ((forecast.is_stale ?? false) !== hours >= 12)
    yield `age: a forecast of ${hours.toFixed(1)} h is ${forecast.is_stale ? "" : "not "}marked`;
}

/** Two entries that are one storm, or have one id. */
export function* pairs(entries: readonly StormEntry[]): Generator<string> {
  for (const { id, aliases = [] } of entries)
    for (const other of entries)
      if (aliases.includes(other.id)) yield `alias: ${other.id} is a storm, and another id of ${id}`;
  const active = entries.filter(({ is_active }) => is_active);
  for (const [index, one] of active.entries()) {
    for (const other of active.slice(index + 1)) {
      const times = new Map(other.tracks.observed.map((fix) => [fix.time, fix]));
      const both = one.tracks.observed.filter(({ time }) => times.has(time));
      const common = both.at(-1);
      if (!common) continue;
      // Two centres' storms of which neither has a name are two until the second fix that both have.
      if (one.id.slice(0, 2) !== other.id.slice(0, 2) && one.name !== other.name && both.length < 2) continue;
      const km = distanceKm(ofWire(common), ofWire(times.get(common.time)!));
      if (km < SAME_KM) yield `one storm twice: ${one.id} and ${other.id} are ${km.toFixed(0)} km apart`;
    }
  }
}

export function instant(time: number): string {
  return `${new Date(time * 1000).toISOString().slice(0, 16)}Z`;
}
