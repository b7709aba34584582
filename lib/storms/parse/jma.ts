import { MILE_KM } from "@open-metocean/geo/sphere";
import {
  allRound,
  bareFix,
  emptyReport,
  type Fix,
  type ForecastFix,
  type Parsed,
  type Problem,
  type Report,
} from "../bulletin.ts";
import { quoted } from "./deck.ts";
import {
  DEGREES,
  decimal,
  headingOf,
  largestOf,
  nearestDay,
  placeOf,
  pressure,
  refuseCut,
  stormName,
  TextExerciseError,
  TextRefusedError,
  wrapped,
} from "./message.ts";
import { contentOf, listOf, propertyOf, textOf, xmlReader } from "./structured.ts";

/** A part of a JMA bulletin (analysis, estimate or forecast hour), independent of its format. */
interface JmaPart {
  /** Hours after the analysis. */
  hour: number;
  /** Unix seconds. */
  time: number;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** 10-minute wind, kt. */
  wind: number | null;
  /** HPa. */
  pressure: number | null;
  /** TD, TS, STS, TY, LOW. */
  stage: string | null;
  /** Longer axis of the area of 30 kt, nautical miles. */
  gale: number | null;
  /** Longer axis of the area of 50 kt, or of the storm warning area, which includes the probability circle. */
  storm: number | null;
  /** Whether `storm` includes the circle. */
  stormIncludesCircle: boolean;
  /** Radius of the 70 % circle, nautical miles. */
  circle: number | null;
}

/** Title of a JMA bulletin. */
interface JmaTitle {
  /** `TC2621`; undefined if the format lacks it. */
  code: string | undefined;
  /** `2613`, or a letter for a depression that is not numbered yet. */
  typhoonNumber: string;
  /** Upper case. */
  name: string | null;
  /** Unix seconds. */
  issued: number;
  /** The bulletin says that the storm is no longer a typhoon, or is unlikely to become one. */
  isOver?: boolean;
}

/**
 * Number and season of a JMA storm. Unnumbered depressions have a letter: a is 91, b is 92 and so on.
 *
 * @throws TextRefusedError
 */
function identityOf({ typhoonNumber, code, issued }: JmaTitle): { number: number; season: number } {
  const numbered = /^(\d\d)(\d\d)$/.exec(typhoonNumber);
  if (numbered && Number(numbered[2]) > 0 && Number(numbered[2]) < 90) {
    return { number: Number(numbered[2]), season: 2000 + Number(numbered[1]) };
  }
  // A code keeps the year in which it was given, also over New Year.
  const count = /^TC(\d\d)(\d\d)$/.exec(code ?? "");
  if (/^[a-i]$/.test(typhoonNumber)) {
    return {
      number: 91 + typhoonNumber.charCodeAt(0) - 97,
      season: count ? 2000 + Number(count[1]) : new Date(issued * 1000).getUTCFullYear(),
    };
  }
  // Telegrams lack the letter: the last digit of the year's count distinguishes depressions.
  if (typhoonNumber === "" && count) {
    return { number: 90 + (Number(count[2]) % 10), season: 2000 + Number(count[1]) };
  }
  throw new TextRefusedError(`no number of a storm: "${quoted(typhoonNumber)}"`);
}

/**
 * Converts a bulletin of the JMA to a report.
 *
 * @param parts The analysis and what follows, in any order.
 * @throws TextRefusedError
 */
function jmaReport(title: JmaTitle, parts: readonly JmaPart[], reject: (reason: string) => void): Report {
  const identity = identityOf(title);
  const analysis = parts.find(({ hour }) => hour === 0);
  if (!analysis) throw new TextRefusedError("no analysis");
  const base = analysis.time;
  const points: ForecastFix[] = [];
  for (const part of parts) {
    if (part.time !== base + part.hour * 3600) reject(`the time of ${part.hour} h is another one`);
    else if (points.some(({ fhr }) => fhr === part.hour)) reject(`a second part for ${part.hour} h`);
    else {
      const point: ForecastFix = { ...fixOf(part), fhr: part.hour };
      if (part.hour > 0) point.circleKm = part.circle === null ? null : part.circle * MILE_KM;
      points.push(point);
    }
  }
  points.sort((one, other) => one.fhr - other.fhr);
  return emptyReport("warning", {
    provider: "jma",
    basin: "WP",
    subregion: "W",
    ...identity,
    issued: title.issued,
    // A depression with a letter has no name, whatever the feed writes.
    name: identity.number >= 90 ? null : title.name,
    isFinal: title.isOver ?? false,
    observed: [fixOf(analysis)],
    ...(title.code !== undefined && { code: title.code }),
    ...(points.length > 1 && { forecast: { base, points } }),
  });
}

/**
 * The longer axis is used for all quadrants: the circle around the storm with this radius contains JMA's circle, which is
 * offset from the centre.
 */
function fixOf(part: JmaPart): Fix {
  const fix: Fix = {
    ...bareFix(part.time, part.latitude, wrapped(part.longitude)),
    vmaxKt: part.wind,
    mslpHpa: part.pressure,
    stage: part.stage,
  };
  if (part.gale) fix.radiiKm[30] = allRound(part.gale * MILE_KM);
  const fifty = part.stormIncludesCircle ? (part.storm ?? 0) - (part.circle ?? 0) : (part.storm ?? 0);
  if (fifty > 0) fix.radiiKm[50] = allRound(fifty * MILE_KM);
  return fix;
}

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
  const issued = secondsOf(propertyOf(entry, "issue", "UTC"));
  const typhoonNumber = textOf(propertyOf(entry, "typhoonNumber"));
  if (Number.isNaN(issued) || typhoonNumber === undefined)
    throw new TextRefusedError("no title of a bulletin");
  return {
    code,
    typhoonNumber,
    name: stormName(textOf(propertyOf(entry, "name", "en"))),
    issued,
  };
}

/** Reads one part. @returns The reason if it cannot be read. */
function partOf(entry: unknown): JmaPart | string {
  const hour = decimal(propertyOf(entry, "advancedHours"), 0, 240);
  if (hour === null) return "a part without its hour";
  const time = secondsOf(propertyOf(entry, "validtime", "UTC"));
  const place = placeOfPair(propertyOf(entry, "position", "deg") ?? propertyOf(entry, "center"));
  if (Number.isNaN(time) || !place) return `no time or place at ${hour} h`;
  const metres = decimal(propertyOf(entry, "probabilityCircle", "radius"), 0, 3e6);
  const miles = decimal(propertyOf(entry, "probabilityCircleRadius", "nm"), 0, 2000);
  const radius = metres === null ? miles : metres / (1000 * MILE_KM);
  return {
    hour,
    time,
    ...place,
    // JMA writes 0 if a depression's wind is not forecast.
    wind: decimal(propertyOf(entry, "maximumWind", "sustained", "kt"), 1, 250),
    pressure: pressure(propertyOf(entry, "pressure")),
    stage: textOf(propertyOf(entry, "category", "en")) ?? null,
    gale: longerAxis(propertyOf(entry, "galeWarning")),
    storm: longerAxis(propertyOf(entry, "stormWarning")),
    stormIncludesCircle: radius !== null,
    circle: radius,
  };
}

/** Reads latitude and longitude, which continues past 180, as a place in −180..180. */
function placeOfPair(pair: unknown): { latitude: number; longitude: number } | undefined {
  const [latitude, longitude] = [decimal(listOf(pair)[0], -90, 90), decimal(listOf(pair)[1], -180, 360)];
  if (latitude === null || longitude === null) return undefined;
  return { latitude, longitude: wrapped(longitude) };
}

/** The larger of one or two (opposite) areas, nautical miles. */
function longerAxis(areas: unknown): number | null {
  const ranges = listOf(areas).map((area) => decimal(propertyOf(area, "range", "nm"), 1, 2000));
  return largestOf(ranges.filter((range) => range !== null));
}

const DRAWN_STEP_S = 3 * 3600;

/** No storm has this many points in a season: a longer line is a fault. */
const MAX_DRAWN = 1000;

/**
 * The line that JMA draws behind a storm. It has no times: points are 3 h apart, counted back from the analysis, where it
 * ends. The last place before the name is the first after it.
 */
function drawnTrack(track: unknown, analysis: Fix): Fix[] {
  const before = listOf(propertyOf(track, "preTyphoon"));
  const after = listOf(propertyOf(track, "typhoon"));
  const places = [...(after.length > 0 ? before.slice(0, -1) : before), ...after].slice(-MAX_DRAWN);
  const fixes = places.slice(0, -1).flatMap((pair, index) => {
    const place = placeOfPair(pair);
    const time = analysis.time - (places.length - 1 - index) * DRAWN_STEP_S;
    return place ? [bareFix(time, place.latitude, place.longitude)] : [];
  });
  return [...fixes, analysis];
}

function secondsOf(text: unknown): number {
  const iso = textOf(text);
  if (iso === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/.test(iso))
    return Number.NaN;
  return Date.parse(iso) / 1000;
}

const REPEATED =
  /^(?:MeteorologicalInfos?|Kind|Property|Coordinate|BasePoint|Radius|Axis|WindSpeed|WarningAreaPart)$/;

const readTelegram = xmlReader("telegram", (name) => REPEATED.test(name));

/**
 * Reads a telegram of the JMA about a storm (VPTW40 to 65, "台風解析・予報情報").
 *
 * @throws TextRefusedError for other kinds and what is no well-formed telegram; TextExerciseError for exercises and tests.
 */
export function parseJmaXml(text: string): Parsed {
  const report = propertyOf(readTelegram(text), "Report");
  const control = propertyOf(report, "Control");
  const head = propertyOf(report, "Head");
  const kind = textOf(propertyOf(head, "InfoKind")) ?? textOf(propertyOf(control, "Title")) ?? "";
  if (!kind.startsWith("台風解析・予報情報")) {
    throw new TextRefusedError(
      `another kind of telegram than the analysis and forecast of a typhoon: "${kind.slice(0, 40)}"`,
    );
  }
  const status = textOf(propertyOf(control, "Status"));
  if (status === "訓練" || status === "試験") throw new TextExerciseError(`Status ${status}`);
  if (status !== "通常")
    throw new TextRefusedError(`no status of a telegram: "${(status ?? "").slice(0, 10)}"`);
  const timeOfPart = (part: unknown, name: string) =>
    Math.floor(Date.parse(textOf(propertyOf(part, name)) ?? "") / 1000);
  const issued = timeOfPart(head, "ReportDateTime");
  if (Number.isNaN(issued)) throw new TextRefusedError("no time of issue");
  const code = textOf(propertyOf(head, "EventID"));
  if (code === undefined || !/^TC\d{4}$/.test(code)) {
    throw new TextRefusedError(`no code of a storm: "${quoted(code ?? "")}"`);
  }
  const sent = timeOfPart(control, "DateTime");
  const type = textOf(propertyOf(head, "InfoType"));
  if (type === "取消") {
    const analysis = timeOfPart(head, "TargetDateTime");
    if (Number.isNaN(analysis))
      throw new TextRefusedError(
        "a cancellation that does not state the time of the analysis that it withdraws",
      );
    const cancels = { code, analysis, sent: Number.isNaN(sent) ? issued : sent };
    return { reports: [], problems: [], cancels };
  }

  const problems: Problem[] = [];
  const reject = (reason: string) => void problems.push({ line: 0, reason });
  const infos = listOf(propertyOf(report, "Body", "MeteorologicalInfos"))
    .filter((group) => propertyOf(group, "@type") === "台風情報")
    .flatMap((group) => listOf(propertyOf(group, "MeteorologicalInfo")));
  const base = timeOf(infos.find((info) => typeOfTime(info).startsWith("実況")));
  const parts: JmaPart[] = [];
  let named: unknown;
  for (const info of infos) {
    const kinds = listOf(propertyOf(info, "Item", "Kind"));
    const properties = kinds.flatMap((each) => listOf(propertyOf(each, "Property")));
    named ??= firstOf(properties, "TyphoonNamePart");
    const part = telegramPart(info, properties, base);
    if (typeof part === "string") reject(part);
    else parts.push(part);
  }
  const title = {
    code,
    typhoonNumber: textOf(propertyOf(named, "Number")) ?? "",
    name: stormName(textOf(propertyOf(named, "Name"))),
    issued,
    isOver: /^台風(?:消滅|発生の可能性が小さくなった)/.test(textOf(propertyOf(named, "Remark")) ?? ""),
  };
  const bulletin = jmaReport(title, parts, reject);
  if (!Number.isNaN(sent)) bulletin.sent = sent;
  // A correction has the time of issue of the telegram that it corrects; of two corrections the one sent later counts.
  const revision = type === "訂正" ? (Number.isNaN(sent) ? issued : sent) : undefined;
  return { reports: [bulletin], problems, ...(revision !== undefined && { revision }) };
}

function firstOf(entries: readonly unknown[], name: string): unknown {
  return entries.map((each) => propertyOf(each, name)).find((each) => each !== undefined);
}

function typeOfTime(info: unknown): string {
  return textOf(propertyOf(info, "DateTime", "@type")) ?? "";
}

function timeOf(info: unknown): number {
  return Math.floor(Date.parse(contentOf(propertyOf(info, "DateTime")) ?? "") / 1000);
}

/** Reads one part of a telegram. @returns The reason if it cannot be read. */
function telegramPart(info: unknown, properties: readonly unknown[], base: number): JmaPart | string {
  const time = timeOf(info);
  const hour = (time - base) / 3600;
  const type = typeOfTime(info).slice(0, 20);
  if (!(hour >= 0 && hour <= 240 && Number.isInteger(hour))) return `no time of "${type}"`;
  const centre = firstOf(properties, "CenterPart");
  const circle = propertyOf(centre, "ProbabilityCircle");
  const points = [...listOf(propertyOf(centre, "Coordinate")), ...listOf(propertyOf(circle, "BasePoint"))];
  const place = points
    .filter((point) => propertyOf(point, "@type") === "中心位置（度）")
    .map((point) => /^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)\//.exec(contentOf(point) ?? ""))
    .find((match) => match !== null);
  const latitude = decimal(place?.[1]?.replace("+", ""), -90, 90);
  const longitude = decimal(place?.[2]?.replace("+", ""), -180, 360);
  if (latitude === null || longitude === null) return `no place of "${type}"`;
  const winds = listOf(propertyOf(firstOf(properties, "WindPart"), "WindSpeed"));
  const wind = winds.find(
    (each) => propertyOf(each, "@type") === "最大風速" && propertyOf(each, "@unit") === "ノット",
  );
  const areas = properties.flatMap((each) => listOf(propertyOf(each, "WarningAreaPart")));
  const stage = contentOf(propertyOf(firstOf(properties, "ClassPart"), "TyphoonClass")) ?? "";
  const area = (name: string) => areas.find((each) => propertyOf(each, "@type") === name);
  const warned = area("暴風警戒域");
  return {
    hour,
    time,
    latitude,
    longitude,
    wind: decimal(contentOf(wind), 1, 250),
    pressure: pressure(contentOf(propertyOf(centre, "Pressure"))),
    stage: /\(([A-Z]{2,3})\)/.exec(stage)?.[1] ?? null,
    gale: axisOf(propertyOf(area("強風域"), "Circle")),
    storm: axisOf(propertyOf(warned ?? area("暴風域"), "Circle")),
    // Only a warning area includes the probability circle; an estimate for the next hour is the wind area alone.
    stormIncludesCircle: warned !== undefined,
    circle: axisOf(circle),
  };
}

/** The longer axis of an area, nautical miles. */
function axisOf(circle: unknown): number | null {
  const radii = listOf(propertyOf(circle, "Axes", "Axis"))
    .flatMap((axis) => listOf(propertyOf(axis, "Radius")))
    .filter((radius) => propertyOf(radius, "@unit") === "海里")
    .map((radius) => decimal(contentOf(radius), 1, 2000))
    .filter((radius) => radius !== null);
  return largestOf(radii);
}

const NAME = /^NAME +(TD|TS|STS|TY|L)\b(?: +(\d{4}))?(?: +([A-Z-]+))?/m;
const ANALYSIS = new RegExp(String.raw`^PSTN +(\d{6})UTC +${DEGREES}`);
const FORECAST = new RegExp(
  String.raw`^(\d{2,3})HF +(\d{6})UTC +${DEGREES} +(\d{1,4})NM 70%(?: (TROPICAL DEPRESSION|EXTRATROPICAL LOW))?`,
);

/**
 * Reads a text advisory of RSMC Tokyo (WTPQ50). Forecasts have wind and circle, and no areas.
 *
 * @param now When the text was received, Unix seconds: the text gives only days of the month.
 * @throws TextRefusedError
 */
export function parseJmaText(text: string, now: number): Parsed {
  refuseCut(text, (all) => all.trimEnd().endsWith("="), '"=" at the end');
  const { issued: heading } = headingOf(text, now);
  const name = NAME.exec(text);
  if (!name?.[2]) throw new TextRefusedError("an advisory without the number of a storm");
  const problems: Problem[] = [];
  const reject = (reason: string) => void problems.push({ line: 0, reason });
  const parts: JmaPart[] = [];
  let base = Number.NaN;
  for (const row of text.split(/\r?\n/)) {
    const analysis = ANALYSIS.exec(row);
    const forecast = FORECAST.exec(row);
    const part = parts.at(-1);
    if (analysis) {
      base = nearestDay(analysis[1]!, heading);
      const place = placeOf(analysis.slice(2, 6));
      if (!Number.isNaN(base) && place)
        parts.push({ ...empty, ...place, hour: 0, time: base, stage: name[1]! });
      else reject("no time or place of the analysis");
    } else if (forecast) {
      const time = nearestDay(forecast[2]!, heading);
      const place = placeOf(forecast.slice(3, 7));
      const stage = forecast[8] === undefined ? null : forecast[8].startsWith("T") ? "TD" : "LOW";
      const hour = Number(forecast[1]);
      if (place) parts.push({ ...empty, ...place, hour, time, stage, circle: Number(forecast[7]) });
      else reject(`no place at ${hour} h`);
    } else if (part) {
      readInto(part, row);
    }
  }
  const issued = heading >= base ? heading : base;
  const title = { code: undefined, typhoonNumber: name[2], name: stormName(name[3]), issued };
  return { reports: [jmaReport(title, parts, reject)], problems };
}

const empty = {
  wind: null,
  pressure: null,
  stage: null,
  gale: null,
  storm: null,
  stormIncludesCircle: false,
  circle: null,
};

function readInto(part: JmaPart, row: string): void {
  part.pressure = pressure(/^PRES +(\d{3,4})HPA/.exec(row)?.[1]) ?? part.pressure;
  part.wind = decimal(/^MXWD +(\d{2,3})KT/.exec(row)?.[1], 1, 250) ?? part.wind;
  const area = /^(30|50)KT +(.+)$/.exec(row);
  if (!area) return;
  const ranges = [...area[2]!.matchAll(/(\d{1,4})NM/g)].map((match) => Number(match[1]));
  if (ranges.length > 0) part[area[1] === "30" ? "gale" : "storm"] = largestOf(ranges);
}
