import { destination, MILE_KM } from "#lib/geo/sphere.ts";
import { type Storm, stormOf } from "#server/demo/cyclones/storm-tracks.ts";
import type { Quadrants } from "#server/demo/cyclones/wind-radii.ts";
import { type Fix, fixOf, newestBase, radiiOf } from "./fix.ts";
import { identityOf } from "./identity.ts";
import { category, clocks, intensity, metresPerSecond, motion, partName } from "./jma-phrases.ts";

/** JMA's files for the demo storms of its area, as text. */
export interface DemoJma {
  /** `targetTc.json`. */
  targetTc: string;
  /** By code (`TC2601`): `{code}/specifications.json` and `{code}/forecast.json`. */
  bulletins: Record<string, { specifications: string; forecast: string }>;
}

/** 10-minute wind over 1-minute wind at sea (Harper et al., WMO 2010). */
const TEN_MINUTE = 0.93;

/** How long after its base time a bulletin is issued, seconds. */
const ISSUED_S = 50 * 60;

/** Radii of the 70 % probability circles by forecast hour, nautical miles: of storms, and larger ones of depressions. */
const CIRCLES = { 12: 30, 24: 50, 48: 85, 72: 120, 96: 150, 120: 200 } as const;
const DEPRESSION_CIRCLES = { 24: 70, 48: 110, 72: 140 } as const;

const MILE_M = 1000 * MILE_KM;
const TRACK_STEP_S = 3 * 3600;

/** The bulletins published at a time: the antimeridian storm when it is west of 180°, and an unnamed depression. */
export function demoJma(seed: number, now: number): DemoJma {
  const base = newestBase(now);
  const storms = [stormOf("antimeridian", base), stormOf("jmaInvest", base)].filter((storm) =>
    inArea(fixOf(seed, storm, base)),
  );
  const bulletins = storms.map((storm) => ({
    ...titleOf(storm, base),
    fix: fixOf(seed, storm, base)!,
    specifications: specifications(seed, storm, base),
    forecast: forecast(seed, storm, base),
  }));
  return {
    targetTc: JSON.stringify(
      bulletins.map(({ code, typhoonNumber, fix, named }) => ({
        tropicalCyclone: code,
        typhoonNumber,
        category: named ? category(tenMinute(fix), fix.extratropical).en : "TD",
        issue: clocks(base + ISSUED_S).JST,
      })),
    ),
    bulletins: Object.fromEntries(
      bulletins.map(({ code, ...bulletin }) => [
        code,
        {
          specifications: JSON.stringify(bulletin.specifications),
          forecast: JSON.stringify(bulletin.forecast),
        },
      ]),
    ),
  };
}

/** JMA watches from 100°E to 180°. */
function inArea(fix: Fix | undefined): boolean {
  return fix !== undefined && fix.longitude >= 100 && fix.longitude < 180;
}

function titleOf(storm: Storm, base: number) {
  const { season, number, name } = identityOf(storm);
  const named = storm.slot === "antimeridian";
  const year = String(season % 100).padStart(2, "0");
  // Depressions share the year's count with storms; they get numbers above 60.
  const count = String(named ? number : 60 + (storm.cycle % 35)).padStart(2, "0");
  return {
    named,
    code: `TC${year}${count}`,
    typhoonNumber: named ? `${year}${count}` : "a",
    title: {
      part: "title",
      issue: clocks(base + ISSUED_S),
      typhoonNumber: named ? `${year}${count}` : "a",
      ...(named ? { name: { jp: "デモ", en: name.charAt(0) + name.slice(1).toLowerCase() } } : {}),
    },
  };
}

function tenMinute(fix: Fix): number {
  return 5 * Math.round((fix.exactWind * TEN_MINUTE) / 5);
}

function forecasts(seed: number, storm: Storm, base: number): { hour: number; circle: number; fix: Fix }[] {
  const circles = storm.slot === "antimeridian" ? CIRCLES : DEPRESSION_CIRCLES;
  return Object.entries(circles).flatMap(([key, circle]) => {
    const hour = Number(key);
    const fix = fixOf(seed, storm, base + hour * 3600);
    return fix ? [{ hour, circle, fix }] : [];
  });
}

/** Radii of 30 and 50 kt of 10-minute wind, nautical miles. */
function warnings(seed: number, storm: Storm, time: number) {
  const [gale, storms] = radiiOf(seed, storm, time, [30 / TEN_MINUTE, 50 / TEN_MINUTE]);
  return { gale, storm: storms };
}

function specifications(seed: number, storm: Storm, base: number): object[] {
  const { title, named } = titleOf(storm, base);
  const now = fixOf(seed, storm, base)!;
  const around = warnings(seed, storm, base);
  const analysis = {
    part: partName(0),
    ...wind(now, named),
    ...(named && around.gale ? { galeWarning: twoHalves(around.gale) } : {}),
    ...(named && around.storm ? { stormWarning: wholly(mean(around.storm)) } : {}),
    advancedHours: 0,
    scale: "-",
    ...common(now, named),
  };
  const later = forecasts(seed, storm, base).map(({ hour, circle, fix }) => {
    const { storm: fifty } = warnings(seed, storm, fix.time);
    return {
      part: partName(hour),
      ...wind(fix, named),
      // The warning area of a forecast includes the circle.
      ...(named && fifty ? { stormWarning: wholly(mean(fifty) + circle) } : {}),
      advancedHours: hour,
      probabilityCircleRadius: { km: inKm(circle), nm: circle },
      ...common(fix, named),
    };
  });
  return [{ ...title, category: categoryOf(now, named) }, analysis, ...later];
}

/** The wind of an unnamed depression is not analysed. */
function wind(fix: Fix, named: boolean): object {
  if (!named) return {};
  const knots = tenMinute(fix);
  const gust = 5 * Math.round((knots * 1.43) / 5);
  return {
    maximumWind: {
      sustained: { "m/s": metresPerSecond(knots), kt: String(knots), note: "中心付近" },
      gust: { "m/s": metresPerSecond(gust), kt: String(gust) },
    },
  };
}

function common(fix: Fix, named: boolean): object {
  const longitude = east(fix);
  return {
    category: categoryOf(fix, named),
    intensity: named ? intensity(tenMinute(fix), fix.extratropical) : "-",
    position: { deg: [fix.latitude, longitude], dm: [minutes(fix.latitude), minutes(longitude)] },
    location: "太平洋",
    ...motion(fix.heading, fix.speedKnots),
    pressure: String(fix.pressure),
    validtime: clocks(fix.time),
  };
}

function categoryOf(fix: Fix, named: boolean) {
  return named ? category(tenMinute(fix), fix.extratropical) : category(0, false);
}

function forecast(seed: number, storm: Storm, base: number): object[] {
  const { title, named } = titleOf(storm, base);
  const now = fixOf(seed, storm, base)!;
  const around = warnings(seed, storm, base);
  const past: [number, number][] = [];
  for (let time = storm.begins; time <= base; time += TRACK_STEP_S) {
    const fix = fixOf(seed, storm, time)!;
    if (inArea(fix)) past.push([fix.latitude, fix.longitude]);
  }
  const analysis = {
    part: partName(0),
    advancedHours: 0,
    validtime: clocks(base),
    // The last position before the storm is named is the first one after it.
    track: named ? { preTyphoon: past.slice(0, 1), typhoon: past } : { preTyphoon: past, typhoon: [] },
    center: place(now),
    ...(named && around.gale ? { galeWarningArea: offsetCircle(now, around.gale) } : {}),
    ...(named && around.storm
      ? { stormWarningArea: { arc: [[place(now), mean(around.storm) * MILE_M, [0, 360]]] } }
      : {}),
  };
  const later = forecasts(seed, storm, base).map(({ hour, circle, fix }) => ({
    part: partName(hour),
    advancedHours: hour,
    validtime: clocks(fix.time),
    probabilityCircle: { radius: circle * MILE_M },
    center: place(fix),
  }));
  return [title, analysis, ...later];
}

/** JMA's longitudes continue past 180. */
function east(fix: Fix): number {
  return fix.longitude < 0 ? Math.round((fix.longitude + 360) * 10) / 10 : fix.longitude;
}

function place(fix: Fix): [number, number] {
  return [fix.latitude, east(fix)];
}

function minutes(degrees: number): [number, number] {
  const rounded = 5 * Math.round((degrees * 60) / 5);
  return [Math.floor(rounded / 60), rounded % 60];
}

function mean({ ne, se, sw, nw }: Quadrants): number {
  return 5 * Math.round((ne + se + sw + nw) / 20);
}

function inKm(miles: number): number {
  return 5 * Math.round((miles * MILE_KM) / 5);
}

function range(miles: number) {
  return { km: inKm(miles), nm: miles };
}

function wholly(miles: number): object[] {
  return [{ area: { jp: "全域", en: "All" }, range: range(miles) }];
}

/** The pair of halves that differs most, larger half first, with the reach of both, nautical miles. */
function halves({ ne, se, sw, nw }: Quadrants) {
  const half = (a: number, b: number) => 5 * Math.round((a + b) / 10);
  const pairs = [
    { area: "北", opposite: "南", bearing: 0, long: half(ne, nw), short: half(se, sw) },
    { area: "東", opposite: "西", bearing: 90, long: half(ne, se), short: half(nw, sw) },
  ].map((pair) =>
    pair.long >= pair.short
      ? pair
      : {
          area: pair.opposite,
          opposite: pair.area,
          bearing: pair.bearing + 180,
          long: pair.short,
          short: pair.long,
        },
  );
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
