import {
  bareFix,
  basinOfLetter,
  emptyReport,
  type Fix,
  type ForecastFix,
  type Parsed,
  type Problem,
  type RadiiThreshold,
} from "../bulletin.ts";
import {
  centralPressure,
  collapsed,
  DEGREES,
  headingOf,
  instantOfDigits,
  NAMED_STORM,
  nearestDay,
  noonOf,
  obsolete,
  placeOf,
  radiiFromMiles,
  refuseCut,
  refuseLaterPart,
  seasonOfText,
  stageOfClass,
  stageOfRemark,
  stormName,
  TENTHS,
  TextCutError,
  TextRefusedError,
} from "./message.ts";

/** The end of the remarks, after all positions. */
const endsWithWarningRemarks = (text: string) =>
  /^[ \t]*REMARKS:/m.test(text) && text.trimEnd().endsWith("//");

/**
 * Reads a JTWC warning in prose (`…web.txt`, WTPN3x). The storm is that of the numbered line: with two storms the subject
 * is generic, and a storm of one ocean can be in another's slot.
 *
 * @param now Weather clock, Unix seconds: the text gives only days of the month, and an obsolete slot is refused or marked.
 * @param name File name: `wp2526web.txt` gives the season.
 * @throws TextRefusedError
 */
export function parseWarning(text: string, now: number, name = ""): Parsed {
  refuseLaterPart(text);
  refuseCut(text, endsWithWarningRemarks, "end of the remarks");
  // The first part of a split warning, if its forecast goes on in the next.
  if (/END PART/.test(text) && !/^[ \t]*REMARKS:/m.test(text))
    throw new TextCutError("a part of a split text without the end of its forecast");
  const oneLine = collapsed(text);
  const numbered = /\b1\. /.exec(oneLine);
  const named = NAMED_STORM.exec(numbered ? oneLine.slice(numbered.index) : oneLine);
  if (!named) throw new TextRefusedError("no warning: no line that names a storm and the warning's number");
  const [, words, digits, letter, title] = named;
  if (!basinOfLetter(letter!) || Number(digits) === 0)
    throw new TextRefusedError(`no storm has the number ${digits}${letter}`);
  const { issued } = headingOf(text, dateOfRemarks(oneLine) ?? now);
  const problems: Problem[] = [];
  const blocks = blocksOf(text, problems);
  const first = blocks.find(({ hour }) => hour === 0);
  // The last warning may say only that it is the last one.
  if (!first && !isFinal(oneLine)) throw new TextRefusedError("no warning position");
  const base = first ? nearestDay(first.digits, issued) : issued;
  if (Number.isNaN(base)) throw new TextRefusedError("the warning position has no time");
  const age = obsolete(base, now);
  const points: ForecastFix[] = [];
  for (const block of first ? blocks : []) {
    const time = base + block.hour * 3600;
    // The comparison uses day and hour: some warnings leave out the minutes.
    const stated = new Date(time * 1000).toISOString().replace(/^.{8}(..)T(..).*$/, "$1$2");
    let reason: string | undefined;
    if (stated !== block.digits.slice(0, 4)) reason = `the time of ${block.hour} HRS is another one`;
    else if (points.some(({ fhr }) => fhr === block.hour)) reason = `a second position for ${block.hour} h`;
    else points.push(pointOf(block, time));
    if (reason) problems.push({ line: block.line, reason });
  }
  if (first && !points.some(({ fhr }) => fhr === 0))
    throw new TextRefusedError("the warning position has no time");
  const storm = { number: Number(digits), letter: letter!, title, words, name };
  const report = { ...warningReport({ base, issued, oneLine, points }, storm), ...age };
  return { reports: [report], problems };
}

/** Every final warning contains this phrase. */
const isFinal = (oneLine: string) => /\bFINAL WARNING\b/.test(oneLine);

interface Warning {
  /** Unix seconds. */
  base: number;
  issued: number;
  oneLine: string;
  points: ForecastFix[];
  past?: ReadonlyMap<number, Fix>;
}

interface NamedStorm {
  number: number;
  letter: string;
  title: string | undefined;
  /** Class of the storm, such as `TROPICAL STORM`. */
  words: string | undefined;
  /** File name. */
  name: string;
}

/** The analysis of a warning is a fix, with the pressure and class of its prose; with later hours it begins the forecast. */
function warningReport({ base, issued, oneLine, points, past }: Warning, storm: NamedStorm) {
  const { number, letter, title, words, name } = storm;
  const place = basinOfLetter(letter)!;
  const season = seasonOfText(name, place.basin, number, base);
  const observed = new Map(past);
  points.sort((one, other) => one.fhr - other.fhr);
  const analysis = points.find(({ fhr }) => fhr === 0);
  if (analysis) {
    analysis.mslpHpa = centralPressure(oneLine);
    analysis.stage = words === undefined ? null : stageOfClass(words);
    const { fhr: _, ...fix } = analysis;
    observed.set(base, fix);
  }
  return emptyReport("warning", {
    provider: "jtwc",
    ...place,
    number,
    season,
    issued,
    name: stormName(title),
    isFinal: isFinal(oneLine),
    observed: [...observed.values()].sort((one, other) => one.time - other.time),
    ...(points.length > 1 && { forecast: { base, points } }),
  });
}

const POSITION = new RegExp(String.raw`^\s*(\d{6})Z +--- +(?:NEAR +)?${DEGREES}`);
const HOURS = /^\s*(\d{1,3}) +HRS, +VALID +AT:/;
const WIND = /^\s*MAX +SUSTAINED +WINDS +- +(\d{1,3}) +KT/;
/** The first quadrant stands after its threshold, the others on rows of their own. */
const RADIUS =
  /^\s*(?:RADIUS +OF +(\d{2,3}) +KT +WINDS +- +)?(\d{1,3}) +NM +(NORTHEAST|SOUTHEAST|SOUTHWEST|NORTHWEST) +QUADRANT/;

const quadrantNames = ["NORTHEAST", "SOUTHEAST", "SOUTHWEST", "NORTHWEST"];

/** One position and the values below it. */
interface Block {
  line: number;
  hour: number;
  /** Day, hour and minute. */
  digits: string;
  place: { latitude: number; longitude: number };
  wind: number;
  /** Threshold → nautical miles by quadrant. */
  miles: Map<number, (number | null)[]>;
  remarks: string[];
}

function blocksOf(text: string, problems: Problem[]): Block[] {
  const blocks: Block[] = [];
  /** The position to which the rows below it belong; undefined below a position that cannot be read. */
  let block: Block | undefined;
  let hour = 0;
  let threshold = 0;
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    if (/^\s*(?:REMARKS:|NNNN)/.test(row)) break;
    hour = Number(HOURS.exec(row)?.[1] ?? hour);
    if (/^\s*\d{6}Z +---/.test(row)) {
      const [, digits = "", ...position] = POSITION.exec(row) ?? [];
      const place = placeOf(position);
      block = undefined;
      threshold = 0;
      if (place && hour <= 240) {
        block = { line, hour, digits, place, wind: 0, miles: new Map(), remarks: [] };
        blocks.push(block);
      } else problems.push({ line, reason: "no such position" });
      continue;
    }
    if (!block) continue;
    block.wind = Number(WIND.exec(row)?.[1] ?? block.wind);
    const [, kt, miles, quadrant] = RADIUS.exec(row) ?? [];
    if (kt) threshold = Number(kt);
    if (quadrant && threshold > 0) {
      const radii = block.miles.get(threshold) ?? [null, null, null, null];
      radii[quadrantNames.indexOf(quadrant)] = Number(miles);
      block.miles.set(threshold, radii);
    } else if (/TROPICAL|DISSIPAT/.test(row)) block.remarks.push(row);
  }
  return blocks;
}

function pointOf({ hour, place, wind, miles, remarks }: Block, time: number): ForecastFix {
  return {
    ...bareFix(time, place.latitude, place.longitude),
    vmaxKt: wind <= 250 ? wind || null : null,
    stage: stageOfRemark(remarks.join(" ")),
    radiiKm: radiiOf(miles),
    fhr: hour,
  };
}

/** Radii of the thresholds that JTWC gives. */
function radiiOf(miles: Iterable<readonly [number, readonly (number | null)[]]>): Fix["radiiKm"] {
  const radiiKm: Fix["radiiKm"] = {};
  for (const [threshold, quadrants] of miles) {
    const radii = radiiFromMiles(quadrants);
    if (radii && [34, 50, 64].includes(threshold)) radiiKm[threshold as RadiiThreshold] = radii;
  }
  return radiiKm;
}

/** `REMARKS: … 20SEP26.`: the only place with month and year. */
function dateOfRemarks(oneLine: string): number | undefined {
  const [, day, month, year] = /\b(\d\d)([A-Z]{3})(\d\d)\./.exec(oneLine) ?? [];
  return noonOf(`20${year}`, month, day);
}

const STORM = /^(\d{10}) +(\d\d)([A-Z]) +(\S+) +\d{1,3} +\d/m;
const POINT = new RegExp(String.raw`^T(\d{1,3}) +${TENTHS} +(\d{1,3})\b(.*)$`);
const RADII = /R(\d{2,3}) +(\d{1,3}) +NE +QD +(\d{1,3}) +SE +QD +(\d{1,3}) +SW +QD +(\d{1,3}) +NW +QD/g;
const PAST_TIME = /^(\d\d)(\d{8}) /;
const PAST_FIX = new RegExp(String.raw`^\d{10} +${TENTHS} +(\d{1,3})\s*$`);

/**
 * Reads a JTWC warning in its coded form (`.tcw`): official forecast, radii and the track so far, in knots and nautical
 * miles. Pressure is given only in the prose, for the base time.
 *
 * @param now Weather clock, Unix seconds: a stale slot is refused or marked.
 * @param name File name: `wp2526.tcw` gives the season.
 * @throws TextRefusedError
 */
export function parseTcw(text: string, now: number, name = ""): Parsed {
  const { issued: heading } = headingOf(text, now);
  const [, stamp, digits, letter, title] = STORM.exec(text) ?? [];
  const number = Number(digits);
  const base = stamp ? instantOfDigits(stamp) : Number.NaN;
  if (stamp && (Number.isNaN(base) || !basinOfLetter(letter!) || number === 0))
    throw new TextRefusedError("no such storm or base time");
  const age = stamp ? obsolete(base, now) : {};
  refuseCut(text, (all) => endsWithPast(all, number, base), "past track that reaches the base time");
  if (!stamp) throw new TextRefusedError("no line that names base time and storm");

  const oneLine = collapsed(text);
  const remarks = remarksOf(text);
  const problems: Problem[] = [];
  const points: ForecastFix[] = [];
  const past = new Map<number, Fix>();
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    let reason: string | undefined;
    if (/^T\d{1,3} /.test(row)) {
      const point = codedPoint(row, base);
      if (!point) reason = "a forecast line that cannot be read";
      else if (points.some(({ fhr }) => fhr === point.fhr)) reason = `a second line for ${point.fhr} h`;
      else points.push({ ...point, stage: remarks.get(point.fhr) ?? null });
    } else if (/^\d{10} /.test(row) && !STORM.test(row)) {
      const fix = pastFix(row, number, base);
      // A corrected row follows the one that it replaces.
      if (fix) past.set(fix.time, fix);
      else reason = "a line of the past track that cannot be read";
    }
    if (reason) problems.push({ line: index + 1, reason });
  }
  if (!points.some(({ fhr }) => fhr === 0) && !isFinal(oneLine))
    problems.push({ line: 0, reason: "no position at the base time" });
  // The month of the heading is inferred from now. If base and heading disagree, the base is reliable.
  const issued = heading >= base && heading - base <= 24 * 3600 ? heading : base;
  const storm = { number, letter: letter!, title, words: NAMED_STORM.exec(oneLine)?.[1], name };
  const report = { ...warningReport({ base, issued, oneLine, points, past }, storm), ...age };
  return { reports: [report], problems };
}

function codedPoint(row: string, base: number): ForecastFix | undefined {
  const match = POINT.exec(row);
  if (!match) return undefined;
  const place = placeOf(match.slice(2, 6), 10);
  const [fhr, wind] = [Number(match[1]), Number(match[6])];
  if (!place || wind > 250 || fhr > 240) return undefined;
  const radii = [...match[7]!.matchAll(RADII)].map((found) => found.slice(1).map(Number));
  return {
    ...bareFix(base + fhr * 3600, place.latitude, place.longitude),
    vmaxKt: wind || null,
    radiiKm: radiiOf(radii.map(([threshold, ...miles]) => [threshold!, miles])),
    fhr,
  };
}

/** Whether the text ends with the last row that its form has, line end included. */
function endsWithPast(text: string, number: number, base: number): boolean {
  const trimmed = text.trimEnd();
  const rows = trimmed.split("\n");
  return text.slice(trimmed.length).includes("\n") && pastTime(rows.at(-1)!, number) === base;
}

/** Reads the number and the time in two digits each of year, month, day and hour; NaN for another row. */
function pastTime(row: string, number: number): number {
  const [, storm, digits] = PAST_TIME.exec(row) ?? [];
  return digits && Number(storm) === number ? instantOfDigits(`20${digits}`) : Number.NaN;
}

/** A fix of the past track: time, place and wind. */
function pastFix(row: string, number: number, base: number): Fix | undefined {
  const match = PAST_FIX.exec(row);
  const time = pastTime(row, number);
  const place = placeOf(match?.slice(1, 5) ?? [], 10);
  const wind = Number(match?.[5]);
  if (!place || !(time <= base) || !(wind <= 250)) return undefined;
  return { ...bareFix(time, place.latitude, place.longitude), vmaxKt: wind || null };
}

/** Reads the remarks below AMP: forecast hour → stage. */
function remarksOf(text: string): Map<number, string | null> {
  // The pattern avoids \s before the hour: each of many blank lines would be read to the end of all of them.
  const remarks = [...text.matchAll(/^[ \t]*(\d{1,3})\s?HR\s+([A-Z -]{4,80})/gm)];
  return new Map(remarks.map(([, hour, remark]) => [Number(hour), stageOfRemark(remark!)]));
}
