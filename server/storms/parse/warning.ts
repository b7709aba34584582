import {
  bareFix,
  emptyReport,
  type Fix,
  type ForecastFix,
  type Parsed,
  type Problem,
  type RadiiThreshold,
} from "#server/storms/bulletin.ts";
import {
  basinOfLetter,
  centralPressure,
  collapsed,
  DEGREES,
  endsWithWarningRemarks,
  headingOf,
  instantOf,
  isFinalWarning,
  monthOf,
  NAMED_STORM,
  nearestDay,
  noonOf,
  obsolete,
  placeOf,
  radiiFromMiles,
  refuseCut,
  refuseLaterPart,
  refuseSplitForecast,
  seasonOfText,
  stageOfClass,
  stageOfRemark,
  stormName,
  TENTHS,
  TextRefusedError,
} from "./message.ts";

const POSITION = new RegExp(String.raw`^\s*(\d\d)(\d\d)(\d\d)Z +--- +(?:NEAR +)?${DEGREES}`);
const HOURS = /^\s*(\d{1,3}) +HRS, +VALID +AT:/;
const WIND = /^\s*MAX +SUSTAINED +WINDS +- +(\d{1,3}) +KT/;
const RADIUS =
  /^\s*RADIUS +OF +(\d{2,3}) +KT +WINDS +- +(\d{1,3}) +NM +(NORTHEAST|SOUTHEAST|SOUTHWEST|NORTHWEST) +QUADRANT/;
const QUADRANT = /^\s*(\d{1,3}) +NM +(NORTHEAST|SOUTHEAST|SOUTHWEST|NORTHWEST) +QUADRANT/;

const quadrantNames = ["NORTHEAST", "SOUTHEAST", "SOUTHWEST", "NORTHWEST"];

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
  refuseSplitForecast(text);
  const oneLine = collapsed(text);
  const numbered = /\b1\. /.exec(oneLine);
  const storm = NAMED_STORM.exec(numbered ? oneLine.slice(numbered.index) : oneLine);
  if (!storm) throw new TextRefusedError("no warning: no line that names a storm and the warning's number");
  const place = basinOfLetter(storm[3]!);
  const number = Number(storm[2]);
  if (!place || number === 0) throw new TextRefusedError(`no storm has the number ${storm[2]}${storm[3]}`);
  const near = dateOfRemarks(oneLine) ?? now;
  const { issued } = headingOf(text, near);

  const problems: Problem[] = [];
  const blocks = blocksOf(text, problems);
  const first = blocks.find(({ hour }) => hour === 0);
  const isFinal = isFinalWarning(oneLine);
  // The last warning may say only that it is the last one.
  if (!first && !isFinal) throw new TextRefusedError("no warning position");
  const base = first ? nearestDay(first.day, first.clock, first.minute, issued) : issued;
  if (Number.isNaN(base)) throw new TextRefusedError("the warning position has no time");
  const report = emptyReport("warning", {
    provider: "jtwc",
    basin: place.basin,
    number,
    season: seasonOfText(name, place.basin, number, base),
    issued,
  });
  Object.assign(report, obsolete(base, now));
  report.name = stormName(storm[4]);
  report.subregion = place.subregion;
  report.isFinal = isFinal;
  if (!first) return { reports: [report], problems };

  const points: ForecastFix[] = [];
  for (const block of blocks) {
    const time = base + block.hour * 3600;
    const valid = new Date(time * 1000);
    if (valid.getUTCDate() !== block.day || valid.getUTCHours() !== block.clock) {
      problems.push({ line: block.line, reason: `the time of ${block.hour} HRS is another one` });
    } else if (points.some(({ fhr }) => fhr === block.hour)) {
      problems.push({ line: block.line, reason: `a second position for ${block.hour} h` });
    } else {
      points.push(pointOf(block, time));
    }
  }
  points.sort((one, other) => one.fhr - other.fhr);
  const analysis = points.find(({ fhr }) => fhr === 0);
  if (!analysis) throw new TextRefusedError("the warning position has no time");
  analysis.mslpHpa = centralPressure(oneLine);
  analysis.stage = stageOfClass(storm[1]!);
  const { fhr: _, ...fix } = analysis;
  report.observed = [fix];
  if (points.length > 1) report.forecast = { base, points };
  return { reports: [report], problems };
}

/** One position and the values below it. */
interface Block {
  line: number;
  hour: number;
  day: number;
  clock: number;
  minute: number;
  place: { latitude: number; longitude: number };
  wind: number | null;
  /** Threshold → nautical miles by quadrant. */
  miles: Map<number, (number | null)[]>;
  remarks: string[];
}

function blocksOf(text: string, problems: Problem[]): Block[] {
  const blocks: Block[] = [];
  /** The position that the rows below it belong to; none below one that cannot be read. */
  let block: Block | undefined;
  let hour = 0;
  let threshold = 0;
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    if (/^\s*(?:REMARKS:|NNNN)/.test(row)) break;
    const hours = HOURS.exec(row);
    if (hours) hour = Number(hours[1]);
    if (/^\s*\d{6}Z +---/.test(row)) {
      const position = POSITION.exec(row);
      const place = position && placeOf(position.slice(4, 8));
      block = undefined;
      if (!place || hour > 240) problems.push({ line, reason: "no such position" });
      else {
        const [day, clock, minute] = [Number(position[1]), Number(position[2]), Number(position[3])];
        block = { line, hour, day, clock, minute, place, wind: null, miles: new Map(), remarks: [] };
        blocks.push(block);
      }
      threshold = 0;
      continue;
    }
    if (!block) continue;
    const wind = WIND.exec(row);
    if (wind) block.wind = Number(wind[1]);
    const radius = RADIUS.exec(row);
    if (radius) threshold = Number(radius[1]);
    const quadrant = QUADRANT.exec(row);
    const [miles, name] = radius ? [radius[2]!, radius[3]!] : [quadrant?.[1], quadrant?.[2]];
    if (miles !== undefined && name !== undefined && threshold > 0) {
      const radii = block.miles.get(threshold) ?? [null, null, null, null];
      radii[quadrantNames.indexOf(name)] = Number(miles);
      block.miles.set(threshold, radii);
    } else if (/TROPICAL|DISSIPAT/.test(row)) block.remarks.push(row);
  }
  return blocks;
}

function pointOf(block: Block, time: number): ForecastFix {
  const point: ForecastFix = {
    ...bareFix(time, block.place.latitude, block.place.longitude),
    vmaxKt: block.wind !== null && block.wind <= 250 ? block.wind || null : null,
    stage: stageOfRemark(block.remarks.join(" ")),
    fhr: block.hour,
  };
  for (const [threshold, miles] of block.miles) {
    const radii = radiiFromMiles(miles);
    if (radii && isThreshold(threshold)) point.radiiKm[threshold] = radii;
  }
  return point;
}

/** `REMARKS: … 20SEP26.`: the only place with month and year. */
function dateOfRemarks(oneLine: string): number | undefined {
  const match = /\b(\d\d)([A-Z]{3})(\d\d)\./.exec(oneLine);
  const month = monthOf(match?.[2]);
  return match && month ? noonOf(2000 + Number(match[3]), month, Number(match[1])) : undefined;
}

const STORM = /^(\d{4})(\d\d)(\d\d)(\d\d) +(\d\d)([A-Z]) +(\S+) +(\d{1,3}) +\d/m;
const POINT = new RegExp(String.raw`^T(\d{1,3}) +${TENTHS} +(\d{1,3})\b(.*)$`);
const RADII = /R(\d{2,3}) +(\d{1,3}) +NE +QD +(\d{1,3}) +SE +QD +(\d{1,3}) +SW +QD +(\d{1,3}) +NW +QD/g;
const PAST_TIME = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d) /;
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
  const problems: Problem[] = [];
  const { issued: heading } = headingOf(text, now);
  const storm = STORM.exec(text);
  if (!storm) {
    refuseCut(text, () => false, "past track that reaches the base time");
    throw new TextRefusedError("no line that names base time and storm");
  }
  const base = instantOf(Number(storm[1]), Number(storm[2]), Number(storm[3]), Number(storm[4]));
  const place = basinOfLetter(storm[6]!);
  const number = Number(storm[5]);
  if (Number.isNaN(base) || !place || number === 0) throw new TextRefusedError("no such storm or base time");
  const age = obsolete(base, now);
  refuseCut(text, (all) => endsWithPast(all, number, base), "past track that reaches the base time");

  const oneLine = collapsed(text);
  const report = emptyReport("warning", {
    provider: "jtwc",
    basin: place.basin,
    number,
    season: seasonOfText(name, place.basin, number, base),
    // The month of the heading is inferred from now. If base and heading disagree, the base is reliable.
    issued: heading >= base && heading - base <= 24 * 3600 ? heading : base,
  });
  report.name = stormName(storm[7]);
  report.subregion = place.subregion;
  report.isFinal = isFinalWarning(oneLine);
  Object.assign(report, age);

  const remarks = remarksOf(text);
  const points: ForecastFix[] = [];
  const past = new Map<number, Fix>();
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    if (/^T\d{1,3} /.test(row)) {
      const point = codedPoint(row, base);
      if (!point) problems.push({ line, reason: "a forecast line that cannot be read" });
      else if (points.some(({ fhr }) => fhr === point.fhr)) {
        problems.push({ line, reason: `a second line for ${point.fhr} h` });
      } else points.push({ ...point, stage: remarks.get(point.fhr) ?? null });
    } else if (/^\d{10} /.test(row) && !STORM.test(row)) {
      const fix = pastFix(row, number, base);
      if (!fix) problems.push({ line, reason: "a line of the past track that cannot be read" });
      // A corrected row follows the one that it replaces.
      else past.set(fix.time, fix);
    }
  }
  points.sort((one, other) => one.fhr - other.fhr);
  const analysis = points.find(({ fhr }) => fhr === 0);
  if (analysis) {
    analysis.mslpHpa = centralPressure(oneLine);
    const named = NAMED_STORM.exec(oneLine);
    analysis.stage = named ? stageOfClass(named[1]!) : null;
    const { fhr: _, ...fix } = analysis;
    past.set(base, fix);
  } else if (!report.isFinal) {
    problems.push({ line: 0, reason: "no position at the base time" });
  }
  report.observed = [...past.values()].sort((one, other) => one.time - other.time);
  if (points.length > 1) report.forecast = { base, points };
  return { reports: [report], problems };
}

function codedPoint(row: string, base: number): ForecastFix | undefined {
  const match = POINT.exec(row);
  if (!match) return undefined;
  const place = placeOf(match.slice(2, 6), 10);
  const fhr = Number(match[1]);
  const wind = Number(match[6]);
  if (!place || wind > 250 || fhr > 240) return undefined;
  const point: ForecastFix = {
    ...bareFix(base + fhr * 3600, place.latitude, place.longitude),
    vmaxKt: wind || null,
    fhr,
  };
  for (const radii of match[7]!.matchAll(RADII)) {
    const threshold = Number(radii[1]);
    const read = radiiFromMiles(radii.slice(2, 6).map(Number));
    if (read && isThreshold(threshold)) point.radiiKm[threshold] = read;
  }
  return point;
}

function isThreshold(knots: number): knots is RadiiThreshold {
  return knots === 34 || knots === 50 || knots === 64;
}

/** Whether the text ends with the last row that its form has, line end included. */
function endsWithPast(text: string, number: number, base: number): boolean {
  const rows = text.trimEnd().split("\n");
  const isEnded = text.trimEnd().length < text.length && /\n\s*$/.test(text.slice(text.trimEnd().length));
  return isEnded && pastTime(rows.at(-1)!, number) === base;
}

/** Number and two digits of the year, month, day and hour; NaN for another row. */
function pastTime(row: string, number: number): number {
  const match = PAST_TIME.exec(row);
  if (!match || Number(match[1]) !== number) return Number.NaN;
  return instantOf(2000 + Number(match[2]), Number(match[3]), Number(match[4]), Number(match[5]));
}

/** History: the time, place and wind. */
function pastFix(row: string, number: number, base: number): Fix | undefined {
  const match = PAST_FIX.exec(row);
  if (!match) return undefined;
  const time = pastTime(row, number);
  const place = placeOf(match.slice(1, 5), 10);
  const wind = Number(match[5]);
  if (!place || !(time <= base) || wind > 250) return undefined;
  return { ...bareFix(time, place.latitude, place.longitude), vmaxKt: wind || null };
}

/** What stands below AMP: forecast hour → stage. */
function remarksOf(text: string): Map<number, string | null> {
  const remarks = new Map<number, string | null>();
  // Not \s before the hour: each of many blank lines would be read to the end of all of them.
  for (const match of text.matchAll(/^[ \t]*(\d{1,3})\s?HR\s+([A-Z -]{4,80})/gm)) {
    remarks.set(Number(match[1]), stageOfRemark(match[2]!));
  }
  return remarks;
}
