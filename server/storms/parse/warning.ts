import type { ForecastFix } from "#server/storms/bulletin.ts";
import { DEGREES, placeOf } from "./coordinates.ts";
import { endsWithWarningRemarks, refuseCut, refuseSplitForecast } from "./ended.ts";
import {
  basinOfLetter,
  centralPressure,
  collapsed,
  headingOf,
  isFinalWarning,
  NAMED_STORM,
  obsolete,
  radiiFromMiles,
  refuseLaterPart,
  stageOfClass,
  stageOfRemark,
  TextRefusedError,
} from "./jtwc-text.ts";
import { stormName } from "./names.ts";
import {
  bareFix,
  emptyReport,
  monthOf,
  nearestDay,
  noonOf,
  type Parsed,
  type Problem,
  seasonOfText,
} from "./report.ts";
import { isThreshold } from "./tcw.ts";

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
