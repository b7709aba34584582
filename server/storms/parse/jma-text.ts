import { DEGREES, placeOf } from "./coordinates.ts";
import { refuseCut } from "./ended.ts";
import { type JmaPart, jmaReport } from "./jma.ts";
import { headingOf, TextRefusedError } from "./jtwc-text.ts";
import { stormName } from "./names.ts";
import { largestOf, nearestDay, type Parsed, type Problem } from "./report.ts";

const NAME = /^NAME +(TD|TS|STS|TY|L)\b(?: +(\d{4}))?(?: +([A-Z-]+))?/m;
const ANALYSIS = new RegExp(String.raw`^PSTN +(\d\d)(\d\d)(\d\d)UTC +${DEGREES}`);
const FORECAST = new RegExp(
  String.raw`^(\d{2,3})HF +(\d\d)(\d\d)(\d\d)UTC +${DEGREES} +(\d{1,4})NM 70%(?: (TROPICAL DEPRESSION|EXTRATROPICAL LOW))?`,
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
      base = nearestDay(Number(analysis[1]), Number(analysis[2]), Number(analysis[3]), heading);
      const place = placeOf(analysis.slice(4, 8));
      if (!Number.isNaN(base) && place)
        parts.push({ ...empty, ...place, hour: 0, time: base, stage: name[1]! });
      else reject("no time or place of the analysis");
    } else if (forecast) {
      const time = nearestDay(Number(forecast[2]), Number(forecast[3]), Number(forecast[4]), heading);
      const place = placeOf(forecast.slice(5, 9));
      const stage = forecast[10] === undefined ? null : forecast[10].startsWith("T") ? "TD" : "LOW";
      const hour = Number(forecast[1]);
      if (place) parts.push({ ...empty, ...place, hour, time, stage, circle: Number(forecast[9]) });
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
  const pressure = Number(/^PRES +(\d{3,4})HPA/.exec(row)?.[1]);
  if (pressure >= 800 && pressure <= 1100) part.pressure = pressure;
  const wind = Number(/^MXWD +(\d{2,3})KT/.exec(row)?.[1]);
  if (wind > 0 && wind <= 250) part.wind = wind;
  const area = /^(30|50)KT +(.+)$/.exec(row);
  if (!area) return;
  const ranges = [...area[2]!.matchAll(/(\d{1,4})NM/g)].map((match) => Number(match[1]));
  if (ranges.length > 0) part[area[1] === "30" ? "gale" : "storm"] = largestOf(ranges);
}
