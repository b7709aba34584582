import { destination, MILE_KM } from "#lib/geo/sphere.ts";
import { HOUR_S } from "#lib/time.ts";
import { type Storm, stormOf } from "./cyclones.ts";
import { type Fix, fixOf, fixTimes, identityOf, newestBase, type Quadrants, radiiOf } from "./fixes.ts";

/** 10-minute wind over 1-minute wind at sea (Harper et al., WMO 2010). */
const TEN_MINUTE = 0.93;

/** How long after its base time a bulletin is issued, seconds. */
const ISSUED_S = 50 * 60;

/** Radii of the 70 % probability circles by forecast hour, nautical miles: of storms, and larger ones of depressions. */
const CIRCLES = { 12: 30, 24: 50, 48: 85, 72: 120, 96: 150, 120: 200 } as const;
const DEPRESSION_CIRCLES = { 24: 70, 48: 110, 72: 140 } as const;

const MILE_M = 1000 * MILE_KM;
const TRACK_STEP_S = 3 * HOUR_S;

/** Below these speeds a storm is "almost stationary", without a course, or "slow", km/h. */
const STATIONARY = 4;
const SLOW = 10;

const COURSES =
  "北 北北東 北東 東北東 東 東南東 南東 南南東 南 南南西 南西 西南西 西 西北西 北西 北北西".split(" ");

/**
 * JMA's files by name at a time: the antimeridian storm when it is west of 180°, and an unnamed depression. `targetTc.json`
 * lists them; each has `{code}/specifications.json` and `{code}/forecast.json`.
 */
export function demoJma(seed: number, now: number): Record<string, string> {
  const base = newestBase(now);
  const bulletins = [stormOf("antimeridian", base), stormOf("jmaInvest", base)].flatMap((storm) => {
    const fix = fixOf(seed, storm, base);
    return fix && inArea(fix) ? [bulletin(seed, storm, fix, base)] : [];
  });
  return {
    "targetTc.json": JSON.stringify(bulletins.map(({ listed }) => listed)),
    ...Object.fromEntries(
      bulletins.flatMap(({ code, specifications, forecast }) => [
        [`${code}/specifications.json`, JSON.stringify(specifications)],
        [`${code}/forecast.json`, JSON.stringify(forecast)],
      ]),
    ),
  };
}

/** JMA watches from 100°E to 180°. */
function inArea({ longitude }: Fix): boolean {
  return longitude >= 100 && longitude < 180;
}

function bulletin(seed: number, storm: Storm, now: Fix, base: number) {
  const { season, number, name } = identityOf(storm);
  const named = storm.slot === "antimeridian";
  // Depressions share the year's count with storms; they get numbers above 60.
  const count = two(season % 100) + two(named ? number : 60 + (storm.cycle % 35));
  const title = {
    part: "title",
    issue: clocks(base + ISSUED_S),
    typhoonNumber: named ? count : "a",
    ...(named && { name: { jp: "デモ", en: name.charAt(0) + name.slice(1).toLowerCase() } }),
  };
  const later = Object.entries(named ? CIRCLES : DEPRESSION_CIRCLES).flatMap(([key, circle]) => {
    const fix = fixOf(seed, storm, base + Number(key) * HOUR_S);
    return fix ? [{ hour: Number(key), circle, fix }] : [];
  });
  /** Radii of 30 and 50 kt of 10-minute wind, nautical miles. */
  const warnings = (time: number) =>
    named ? radiiOf(seed, storm, time, [30 / TEN_MINUTE, 50 / TEN_MINUTE]) : [];
  const [gale, fifty] = warnings(base);
  const past = fixTimes(storm, base, TRACK_STEP_S)
    .map((time) => fixOf(seed, storm, time)!)
    .filter(inArea)
    .map(({ latitude, longitude }) => [latitude, longitude]);
  const specifications = [
    { ...title, category: categoryOf(now, named) },
    {
      part: partName(0),
      ...windOf(now, named),
      ...(gale && { galeWarning: twoHalves(gale) }),
      ...(fifty && { stormWarning: wholly(mean(fifty)) }),
      advancedHours: 0,
      ...common(now, named),
    },
    ...later.map(({ hour, circle, fix }) => {
      const storms = warnings(fix.time)[1];
      return {
        part: partName(hour),
        ...windOf(fix, named),
        // The warning area of a forecast includes the circle.
        ...(storms && { stormWarning: wholly(mean(storms) + circle) }),
        advancedHours: hour,
        probabilityCircleRadius: range(circle),
        ...common(fix, named),
      };
    }),
  ];
  const forecast = [
    title,
    {
      part: partName(0),
      advancedHours: 0,
      validtime: clocks(base),
      // The last position before the storm is named is the first one after it.
      track: named ? { preTyphoon: past.slice(0, 1), typhoon: past } : { preTyphoon: past, typhoon: [] },
      center: place(now),
      ...(gale && { galeWarningArea: offsetCircle(now, gale) }),
      ...(fifty && { stormWarningArea: { arc: [[place(now), mean(fifty) * MILE_M, [0, 360]]] } }),
    },
    ...later.map(({ hour, circle, fix }) => ({
      part: partName(hour),
      advancedHours: hour,
      validtime: clocks(fix.time),
      probabilityCircle: { radius: circle * MILE_M },
      center: place(fix),
    })),
  ];
  const category = categoryOf(now, named).en;
  const listed = {
    tropicalCyclone: `TC${count}`,
    typhoonNumber: title.typhoonNumber,
    category,
    issue: title.issue.JST,
  };
  return { code: `TC${count}`, listed, specifications, forecast };
}

const two = (count: number) => String(count).padStart(2, "0");

function tenMinute({ exactWind }: Fix): number {
  return 5 * Math.round((exactWind * TEN_MINUTE) / 5);
}

/** The wind of an unnamed depression is not analysed. */
function windOf(fix: Fix, named: boolean): object {
  if (!named) return {};
  const speeds = (knots: number) => ({ "m/s": metresPerSecond(knots), kt: String(knots) });
  const knots = tenMinute(fix);
  const gust = 5 * Math.round((knots * 1.43) / 5);
  return { maximumWind: { sustained: { ...speeds(knots), note: "中心付近" }, gust: speeds(gust) } };
}

/** Metres per second as JMA rounds them: whole below 25, multiples of 5 above. */
function metresPerSecond(knots: number): string {
  const exact = knots * 0.514444;
  return String(exact < 24.5 ? Math.round(exact) : 5 * Math.round(exact / 5));
}

function common(fix: Fix, named: boolean): object {
  return {
    category: categoryOf(fix, named),
    position: { deg: place(fix) },
    location: "太平洋",
    ...motion(fix.heading, fix.speedKnots),
    pressure: String(fix.pressure),
    validtime: clocks(fix.time),
  };
}

function categoryOf(fix: Fix, named: boolean) {
  const knots = named ? tenMinute(fix) : 0;
  if (named && fix.extratropical) return { jp: "温帯低気圧", en: "LOW" };
  if (knots < 34) return { jp: "熱帯低気圧", en: "TD" };
  return { jp: "台風", en: knots < 48 ? "TS" : knots < 64 ? "STS" : "TY" };
}

/** Course and speed as in a bulletin: numbers, or words for a nearly stationary storm. */
function motion(heading: number, knots: number) {
  const kmh = knots * MILE_KM;
  if (kmh < STATIONARY)
    return { course: "不定", speed: { note: { jp: "ほとんど停滞", en: "Almost stationary" } } };
  const course = COURSES[Math.round(heading / 22.5) % 16]!;
  if (kmh < SLOW) return { course, speed: { note: { jp: "ゆっくり", en: "Slow" } } };
  return { course, speed: { "km/h": String(5 * Math.round(kmh / 5)), kt: String(Math.round(knots)) } };
}

function partName(hour: number) {
  if (hour === 0) return { jp: "実況", en: "Analysis" };
  const wide = String(hour).replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
  return { jp: `予報　${wide}時間後`, en: `Forecast for ${hour} hours ahead` };
}

/** A time in both time zones of the feed. */
function clocks(time: number) {
  const utc = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19);
  return { JST: `${utc(time + 9 * HOUR_S)}+09:00`, UTC: `${utc(time)}Z` };
}

/** JMA's longitudes continue past 180. */
function place({ latitude, longitude }: Fix): [number, number] {
  return [latitude, longitude < 0 ? Math.round((longitude + 360) * 10) / 10 : longitude];
}

function mean({ ne, se, sw, nw }: Quadrants): number {
  return 5 * Math.round((ne + se + sw + nw) / 20);
}

function range(miles: number) {
  return { km: 5 * Math.round((miles * MILE_KM) / 5), nm: miles };
}

function wholly(miles: number): object[] {
  return [{ area: { jp: "全域", en: "All" }, range: range(miles) }];
}

/** The pair of halves that differs most, larger half first, with the reach of both, nautical miles. */
function halves({ ne, se, sw, nw }: Quadrants) {
  const half = (a: number, b: number) => 5 * Math.round((a + b) / 10);
  const [north, east, south, west] = [half(ne, nw), half(ne, se), half(se, sw), half(nw, sw)];
  const pairs = [
    { area: "北", opposite: "南", bearing: 0, long: north, short: south },
    { area: "南", opposite: "北", bearing: 180, long: south, short: north },
    { area: "東", opposite: "西", bearing: 90, long: east, short: west },
    { area: "西", opposite: "東", bearing: 270, long: west, short: east },
  ];
  return pairs.reduce((widest, pair) =>
    pair.long - pair.short > widest.long - widest.short ? pair : widest,
  );
}

function twoHalves(radii: Quadrants): object[] {
  const { area, opposite, long, short } = halves(radii);
  if (long === short) return wholly(long);
  return [
    { area, range: range(long) },
    { area: opposite, range: range(short) },
  ];
}

/** The circle that reaches as far as both halves; its centre is offset from the storm's. */
function offsetCircle(fix: Fix, radii: Quadrants): object {
  const { bearing, long, short } = halves(radii);
  const centre = destination(fix, bearing, ((long - short) / 2) * MILE_KM);
  const longitude = centre.longitude < 0 ? centre.longitude + 360 : centre.longitude;
  return {
    center: [Math.round(centre.latitude * 10) / 10, Math.round(longitude * 10) / 10],
    radius: ((long + short) / 2) * MILE_M,
  };
}
