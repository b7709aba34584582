import { endsWithRemarks, refuseCut } from "./ended.ts";
import {
  basinOfLetter,
  collapsed,
  headingOf,
  placeOf,
  refuseLaterPart,
  TextRefusedError,
} from "./jtwc-text.ts";
import {
  bareFix,
  emptyReport,
  nearestDay,
  newestDay,
  type Parsed,
  type Problem,
  type Report,
  seasonOf,
  seasonOfText,
} from "./report.ts";

const PLACE = /(\d{1,2}\.\d)([NS]) (\d{1,3}\.\d)([EW])/;

/** Current position of an invest: the last one that an outlook gives. */
const LOCATED = /(?:NOW LOCATED|LOCATED|PERSISTED) (?:NEAR|AT) (\d{1,2}\.\d)([NS]) (\d{1,3}\.\d)([EW])/g;

/**
 * Reads the invests of JTWC's outlooks, ABPW (Pacific) and ABIO (Indian Ocean). Of a range of winds the higher is taken.
 *
 * @param now When the text was received, Unix seconds.
 * @throws TextRefusedError
 */
export function parseOutlook(text: string, now: number): Parsed {
  refuseLaterPart(text);
  refuseCut(text, endsWithRemarks, "end of the remarks");
  const { issued } = headingOf(text, now, newestDay);
  const oneLine = collapsed(text);
  const problems: Problem[] = [];
  const reports: Report[] = [];
  // Every invest has its own numbered paragraph.
  const starts = [...oneLine.matchAll(/\(INVEST (9\d)([A-Z])\)/g)];
  for (const [index, start] of starts.entries()) {
    const known = starts.findIndex((other) => other[1] === start[1] && other[2] === start[2]);
    if (known < index) continue;
    const rest = oneLine.slice(start.index, starts[index + 1]?.index ?? oneLine.length);
    const paragraph = rest.split(/ (?:\(\d\)|[A-Z]\.|\d\.) /, 1)[0]!;
    const report = investOf(start[1]!, start[2]!, paragraph, issued, issued);
    if (typeof report === "string") {
      problems.push({ line: 0, reason: `INVEST ${start[1]}${start[2]}: ${report}` });
    } else reports.push({ ...report, source: "outlook" });
  }
  return { reports, problems };
}

/**
 * Reads a tropical cyclone formation alert: an invest that may be a storm within a day.
 *
 * @param now When the text was received, Unix seconds.
 * @param name File name: `wp9226web.txt` gives the season.
 * @throws TextRefusedError
 */
export function parseFormationAlert(text: string, now: number, name = ""): Parsed {
  refuseLaterPart(text);
  refuseCut(text, endsWithRemarks, "end of the remarks");
  const { issued } = headingOf(text, now, newestDay);
  const oneLine = collapsed(text);
  const invest = /\(INVEST (9\d)([A-Z])\)/.exec(oneLine);
  if (!invest) throw new TextRefusedError("a formation alert that names no invest");
  const seen = /AT (\d\d)(\d\d)(\d\d)Z INDICATES?/.exec(oneLine);
  const time = seen ? nearestDay(Number(seen[1]), Number(seen[2]), Number(seen[3]), issued) : issued;
  const isCancelled = /CANCEL(?:L?ATION|L?ED)\b/.test(oneLine.replaceAll(/OR CANCELL?ED BY/g, ""));
  const at = Number.isNaN(time) ? issued : time;
  const report = investOf(invest[1]!, invest[2]!, oneLine, at, issued, !isCancelled);
  if (typeof report === "string") throw new TextRefusedError(report);
  report.season = seasonOfText(name, report.basin, report.number, at);
  report.isFinal = isCancelled;
  return { reports: [{ ...report, source: "formation alert" }], problems: [] };
}

/** @returns The reason if it cannot be read. A cancellation may be without a position. */
function investOf(
  digits: string,
  letter: string,
  words: string,
  time: number,
  issued: number,
  needsPlace = true,
): Report | string {
  const basin = basinOfLetter(letter)?.basin;
  if (!basin) return `no basin has the letter ${letter}`;
  const located = [...words.matchAll(LOCATED)].at(-1)?.slice(1) ?? PLACE.exec(words)?.slice(1);
  const [lat, ns, lon, ew] = located ?? [];
  const place = located && placeOf(lat!, ns!, lon!, ew!);
  if (!place && needsPlace) return "no position";
  const number = Number(digits);
  const report = emptyReport("outlook", {
    provider: "jtwc",
    basin,
    number,
    season: seasonOf(basin, time),
    issued,
  });
  report.subregion = letter;
  if (!place) return report;
  const fix = bareFix(time, place.latitude, place.longitude);
  const wind =
    /WINDS? (?:IN THE AREA )?(?:ARE|IS) ESTIMATED (?:AT|TO BE) (?:\d{1,3} TO )?(\d{1,3}) KNOTS/.exec(words);
  fix.vmaxKt = wind && Number(wind[1]) <= 250 ? Number(wind[1]) || null : null;
  const pressure = Number(/PRESSURE IS ESTIMATED (?:TO BE )?(?:NEAR|AT) (\d{3,4}) MB/.exec(words)?.[1]);
  fix.mslpHpa = pressure >= 800 && pressure <= 1100 ? pressure : null;
  fix.stage = "DB";
  report.observed = [fix];
  return report;
}
