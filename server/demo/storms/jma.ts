import { MILE_KM } from "@open-metocean/geo/sphere";
import { HOUR_S } from "#lib/time.ts";
import { type Storm, stormOf } from "./cyclones.ts";
import { type Fix, fixOf, fixTimes, identityOf, newestBase, type Quadrants, radiiOf } from "./fixes.ts";

/** Ratio of 10-minute to 1-minute wind at sea (Harper et al., WMO 2010). */
const TEN_MINUTE = 0.93;

/** Delay from the base time of a bulletin to its issue, seconds. */
const ISSUED_S = 50 * 60;

/** Radii of the 70 % probability circles by forecast hour, nautical miles, of storms and (larger) of depressions. */
const CIRCLES = { 12: 30, 24: 50, 48: 85, 72: 120, 96: 150, 120: 200 } as const;
const DEPRESSION_CIRCLES = { 24: 70, 48: 110, 72: 140 } as const;

const TRACK_STEP_S = 3 * HOUR_S;

/**
 * JMA's files by name at a time: for the antimeridian storm while it is west of 180°, and for an unnamed depression.
 * `targetTc.json` lists them; each has `{code}/specifications.json` and `{code}/forecast.json`.
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

/** Whether a fix lies in JMA's area, from 100°E to 180°. */
function inArea({ longitude }: Fix): boolean {
  return longitude >= 100 && longitude < 180;
}

function bulletin(seed: number, storm: Storm, now: Fix, base: number) {
  const { season, number, name } = identityOf(storm);
  const named = storm.slot === "antimeridian";
  // Depressions share the year's count with storms, and get numbers above 60.
  const count = two(season % 100) + two(named ? number : 60 + (storm.cycle % 35));
  const title = {
    part: "title",
    issue: { UTC: iso(base + ISSUED_S) },
    typhoonNumber: named ? count : "a",
    ...(named && { name: { en: name.charAt(0) + name.slice(1).toLowerCase() } }),
  };
  const later = Object.entries(named ? CIRCLES : DEPRESSION_CIRCLES).flatMap(([key, circle]) => {
    const fix = fixOf(seed, storm, base + Number(key) * HOUR_S);
    return fix ? [{ hour: Number(key), circle, fix }] : [];
  });
  const hours = [{ hour: 0, circle: 0, fix: now }, ...later];
  const past = fixTimes(storm, base, TRACK_STEP_S)
    .map((time) => fixOf(seed, storm, time)!)
    .filter(inArea)
    .map(place);
  const specifications = hours.map(({ hour, circle, fix }) => {
    // The radii are those of 30 and 50 kt of 10-minute wind, nautical miles.
    const thresholds = [30 / TEN_MINUTE, 50 / TEN_MINUTE];
    const [gale, fifty] = named ? radiiOf(seed, storm, fix.time, thresholds) : [];
    return {
      advancedHours: hour,
      validtime: { UTC: iso(fix.time) },
      category: { en: categoryOf(fix, named) },
      position: { deg: place(fix) },
      pressure: String(fix.pressure),
      // The wind of an unnamed depression is not analysed.
      ...(named && { maximumWind: { sustained: { kt: String(tenMinute(fix)) } } }),
      ...(gale && hour === 0 && { galeWarning: reach(longerHalf(gale)) }),
      // The warning area of a forecast includes the circle.
      ...(fifty && { stormWarning: reach(mean(fifty) + circle) }),
      ...(hour > 0 && { probabilityCircleRadius: { nm: circle } }),
    };
  });
  const forecast = hours.map(({ hour, circle, fix }) => ({
    advancedHours: hour,
    validtime: { UTC: iso(fix.time) },
    center: place(fix),
    // The last position before the storm is named is the first one after it.
    ...(hour === 0
      ? { track: named ? { preTyphoon: past.slice(0, 1), typhoon: past } : { preTyphoon: past, typhoon: [] } }
      : { probabilityCircle: { radius: circle * 1000 * MILE_KM } }),
  }));
  const listed = {
    tropicalCyclone: `TC${count}`,
    typhoonNumber: title.typhoonNumber,
    category: categoryOf(now, named),
    issue: iso(base + ISSUED_S),
  };
  return {
    code: `TC${count}`,
    listed,
    specifications: [title, ...specifications],
    forecast: [title, ...forecast],
  };
}

const two = (count: number) => String(count).padStart(2, "0");

const iso = (time: number) => `${new Date(time * 1000).toISOString().slice(0, 19)}Z`;

function tenMinute({ exactWind }: Fix): number {
  return 5 * Math.round((exactWind * TEN_MINUTE) / 5);
}

function categoryOf(fix: Fix, named: boolean): string {
  const knots = named ? tenMinute(fix) : 0;
  if (named && fix.extratropical) return "LOW";
  return knots < 34 ? "TD" : knots < 48 ? "TS" : knots < 64 ? "STS" : "TY";
}

/** Latitude and longitude in JMA's convention, which continues past 180. */
function place({ latitude, longitude }: Fix): [number, number] {
  return [latitude, longitude < 0 ? Math.round((longitude + 360) * 10) / 10 : longitude];
}

function mean({ ne, se, sw, nw }: Quadrants): number {
  return 5 * Math.round((ne + se + sw + nw) / 20);
}

/** Reach of a wind in the half of a storm where it is longest, nautical miles. */
function longerHalf({ ne, se, sw, nw }: Quadrants): number {
  return 5 * Math.round(Math.max(ne + nw, ne + se, se + sw, nw + sw) / 10);
}

function reach(nm: number) {
  return [{ range: { nm } }];
}
