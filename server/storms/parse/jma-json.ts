import { MILE_KM } from "#lib/geo/sphere.ts";
import type { Fix } from "#server/storms/bulletin.ts";
import { type JmaPart, type JmaTitle, jmaReport } from "./jma.ts";
import { decimal, listOf, propertyOf, textOf } from "./json.ts";
import { TextRefusedError } from "./jtwc-text.ts";
import { stormName } from "./names.ts";
import { bareFix, largestOf, type Parsed, type Problem, type Report, wrapped } from "./report.ts";

/** Reads `targetTc.json`, the list of active storms. Storms that it leaves out have ended. */
export function parseTargetTc(content: unknown): Parsed {
  const problems: Problem[] = [];
  const keys: string[] = [];
  const times: number[] = [];
  for (const [index, storm] of listOf(content).entries()) {
    const code = textOf(propertyOf(storm, "tropicalCyclone"));
    const issued = secondsOf(propertyOf(storm, "issue"));
    if (!Number.isNaN(issued)) times.push(issued);
    if (code !== undefined && CODE.test(code)) keys.push(code);
    else problems.push({ line: 0, reason: `storm ${index + 1} of the list has no code` });
  }
  const updated = largestOf(times);
  const listed = { provider: "jma", basins: ["WP"], keys } as const;
  return { reports: [], problems, listed: updated === null ? listed : { ...listed, updated } };
}

const CODE = /^TC\d{4}$/;

/**
 * Reads `{TC}/specifications.json` (wind, pressure, areas) or `{TC}/forecast.json` (the track so far; circles in metres).
 *
 * @param name File name with its folder, the only place of the code.
 * @throws TextRefusedError
 */
export function parseJmaJson(content: unknown, name: string): Parsed {
  const problems: Problem[] = [];
  const code = /TC\d{4}/.exec(name)?.[0];
  return { reports: [bulletinOf(content, code, problems)], problems };
}

/**
 * Reads an archive of bulletins, `{tcId, snapshots: [{specifications, forecast}]}`, the oldest first.
 *
 * @throws TextRefusedError
 */
export function parseJmaArchive(content: unknown): Parsed {
  const problems: Problem[] = [];
  const code = textOf(propertyOf(content, "tcId"));
  if (code === undefined || !CODE.test(code)) throw new TextRefusedError("an archive without a code");
  const reports: Report[] = [];
  for (const [index, snapshot] of listOf(propertyOf(content, "snapshots")).entries()) {
    for (const half of ["specifications", "forecast"]) {
      try {
        reports.push(bulletinOf(propertyOf(snapshot, half), code, problems));
      } catch (error) {
        if (!(error instanceof TextRefusedError)) throw error;
        problems.push({ line: 0, reason: `${half} ${index + 1}: ${error.message}` });
      }
    }
  }
  return { reports, problems };
}

function bulletinOf(content: unknown, code: string | undefined, problems: Problem[]): Report {
  const entries = listOf(content);
  const title = titleOf(
    entries.find((entry) => propertyOf(entry, "part") === "title"),
    code,
  );
  const reject = (reason: string) => void problems.push({ line: 0, reason });
  const parts: JmaPart[] = [];
  for (const entry of entries) {
    if (propertyOf(entry, "part") === "title") continue;
    const part = partOf(entry);
    if (typeof part === "string") reject(part);
    else parts.push(part);
  }
  const report = jmaReport(title, parts, reject);
  const drawn = entries.find((entry) => propertyOf(entry, "track") !== undefined);
  if (drawn !== undefined) {
    // The track has only positions; wind and pressure come from the specifications of the same bulletin.
    report.source = "drawn track";
    report.observed = drawnTrack(propertyOf(drawn, "track"), report.observed[0]!);
  }
  return report;
}

function titleOf(entry: unknown, code: string | undefined): JmaTitle {
  const issued = secondsOf(propertyOf(propertyOf(entry, "issue"), "UTC"));
  const typhoonNumber = textOf(propertyOf(entry, "typhoonNumber"));
  if (Number.isNaN(issued) || typhoonNumber === undefined)
    throw new TextRefusedError("no title of a bulletin");
  return {
    code,
    typhoonNumber,
    name: stormName(textOf(propertyOf(propertyOf(entry, "name"), "en"))),
    issued,
  };
}

/** @returns The reason if it cannot be read. */
function partOf(entry: unknown): JmaPart | string {
  const hour = decimal(propertyOf(entry, "advancedHours"), 0, 240);
  if (hour === null) return "a part without its hour";
  const time = secondsOf(propertyOf(propertyOf(entry, "validtime"), "UTC"));
  const place = propertyOf(propertyOf(entry, "position"), "deg") ?? propertyOf(entry, "center");
  const [lat, lon] = listOf(place);
  const latitude = decimal(lat, -90, 90);
  // JMA's longitudes continue past 180.
  const longitude = decimal(lon, -180, 360);
  if (Number.isNaN(time) || latitude === null || longitude === null) return `no time or place at ${hour} h`;
  const circle = propertyOf(propertyOf(entry, "probabilityCircle"), "radius");
  const metres = decimal(circle, 0, 3e6);
  const miles = decimal(propertyOf(propertyOf(entry, "probabilityCircleRadius"), "nm"), 0, 2000);
  const radius = metres === null ? miles : metres / (1000 * MILE_KM);
  return {
    hour,
    time,
    latitude,
    longitude: wrapped(longitude),
    // JMA writes 0 if a depression's wind is not forecast.
    wind: decimal(propertyOf(propertyOf(propertyOf(entry, "maximumWind"), "sustained"), "kt"), 1, 250),
    pressure: decimal(propertyOf(entry, "pressure"), 800, 1100),
    stage: textOf(propertyOf(propertyOf(entry, "category"), "en")) ?? null,
    gale: longerAxis(propertyOf(entry, "galeWarning")),
    storm: longerAxis(propertyOf(entry, "stormWarning")),
    stormIncludesCircle: radius !== null,
    circle: radius,
  };
}

/** The larger of one or two (opposite) areas, nautical miles. */
function longerAxis(areas: unknown): number | null {
  const ranges = listOf(areas).map((area) => decimal(propertyOf(propertyOf(area, "range"), "nm"), 1, 2000));
  return largestOf(ranges.filter((range) => range !== null));
}

const DRAWN_STEP_S = 3 * 3600;

/** More points than a storm can have in a season: a line that is longer is a fault. */
const MAX_DRAWN = 1000;

/**
 * The line that JMA draws behind a storm. It has no times: points are 3 h apart, counted back from the analysis, where it
 * ends. The last place before the name is the first after it.
 */
function drawnTrack(track: unknown, analysis: Fix): Fix[] {
  const before = listOf(propertyOf(track, "preTyphoon"));
  const after = listOf(propertyOf(track, "typhoon"));
  const places = [...(after.length > 0 ? before.slice(0, -1) : before), ...after].slice(-MAX_DRAWN);
  const fixes: Fix[] = [];
  for (const [index, place] of places.entries()) {
    const [lat, lon] = listOf(place);
    const latitude = decimal(lat, -90, 90);
    const longitude = decimal(lon, -180, 360);
    const stepsBack = places.length - 1 - index;
    if (latitude === null || longitude === null || stepsBack === 0) continue;
    fixes.push(bareFix(analysis.time - stepsBack * DRAWN_STEP_S, latitude, wrapped(longitude)));
  }
  return [...fixes, analysis];
}

function secondsOf(text: unknown): number {
  const iso = textOf(text);
  if (iso === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/.test(iso))
    return Number.NaN;
  return Date.parse(iso) / 1000;
}
