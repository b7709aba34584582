import { toKnots } from "@open-metocean/geo/knots";
import {
  bareFix,
  basinOfLetter,
  emptyReport,
  type Fix,
  type Parsed,
  type Problem,
  type QuadrantRadii,
  type Report,
} from "../bulletin.ts";
import {
  instantOfDigits,
  PARTIAL_ROW,
  placeOf,
  pressure,
  seasonOf,
  stormName,
  TENTHS,
  tableEnd,
} from "./message.ts";

const ROW = new RegExp(
  String.raw`^(JTWC|NHC|JMA|JTWX) +(\d\d)([A-Z]) +(\S.{0,12}?) +(\d{8}) +(\d{4}) +${TENTHS} +(.*)$`,
);

/**
 * Reads TCVitals (NCEP's messages to its models): m s-1 and km, −999 where missing. Winds are rounded to the 5 kt
 * steps they were converted from: 43 m s-1 is 85 kt, not 83.6, which would be another category.
 */
export function parseVitals(text: string): Parsed {
  const problems: Problem[] = [];
  const storms = new Map<string, { report: Report; fixes: Map<number, Fix> }>();
  const { end, isCut } = tableEnd(text);
  const rows = text.slice(0, end).split(/\r?\n/);
  for (const [index, row] of rows.entries()) {
    const line = index + 1;
    if (row.trim() === "" || row.startsWith("#")) continue;
    const read = readRow(row);
    if (typeof read === "string") {
      problems.push({ line, reason: read });
      continue;
    }
    const { basin, subregion, number, name, fix } = read;
    const season = seasonOf(basin, fix.time, number);
    const key = `${basin}${number}${season}`;
    let storm = storms.get(key);
    if (!storm) {
      const of = { provider: "jtwc", basin, number, season, issued: fix.time } as const;
      storm = { report: emptyReport("vital statistics", of), fixes: new Map() };
      storms.set(key, storm);
    }
    const { report, fixes } = storm;
    report.name = name ?? report.name;
    report.subregion = subregion;
    report.issued = Math.max(report.issued, fix.time);
    // The last row of a time counts.
    fixes.set(fix.time, fix);
  }
  const reports = [...storms.values()].map(({ report, fixes }) => ({
    ...report,
    observed: [...fixes.values()].sort((one, other) => one.time - other.time),
  }));
  if (!isCut) return { reports, problems };
  return { reports, problems: [...problems, { line: rows.length, reason: PARTIAL_ROW }], isCut };
}

interface VitalsRow {
  basin: string;
  subregion: string | null;
  number: number;
  name: string | null;
  fix: Fix;
}

/** Reads one row. @returns The reason if the row cannot be read. */
function readRow(row: string): VitalsRow | string {
  const match = ROW.exec(row);
  if (!match) return "no row of TCVitals";
  const [, centre, digits, letter, name, day, hour] = match;
  if (centre === "JMA") return "a row of another centre than JTWC and NHC";
  const place = basinOfLetter(letter!);
  if (!place) return `no basin has the letter ${letter}`;
  if (Number(digits) === 0) return "no storm number";
  const time = instantOfDigits(`${day}${hour}`);
  if (Number.isNaN(time)) return "no such instant";
  const position = placeOf(match.slice(7, 11), 10);
  if (!position) return "no such position";
  // Direction, speed, central and outer pressure, radius of the outer isobar, wind, radius of the greatest wind, radii.
  const numbers = match[11]!.split(/\s+/);
  const at = (index: number) => amountOf(numbers[index]);
  const wind = at(5);
  const fix: Fix = {
    ...bareFix(time, position.latitude, position.longitude),
    vmaxKt: wind !== null && wind > 0 && wind < 130 ? 5 * Math.round(toKnots(wind) / 5) || null : null,
    mslpHpa: pressure(at(2)),
  };
  const radii = (from: number) => quadrants([at(from), at(from + 1), at(from + 2), at(from + 3)]);
  const depth = numbers.findIndex((text) => /^[DMSX]$/.test(text));
  const gale = radii(7);
  if (gale) fix.radiiKm[34] = gale;
  // Rows of 95 columns end with the depth of the circulation; longer ones have more radii, and a forecast in between.
  if (depth === 11) {
    const fifty = radii(12);
    const sixtyFour = radii(19);
    if (fifty) fix.radiiKm[50] = fifty;
    if (sixtyFour) fix.radiiKm[64] = sixtyFour;
  }
  return { ...place, number: Number(digits), name: stormName(name), fix };
}

function amountOf(text: string | undefined): number | null {
  if (text === undefined || !/^-?\d{1,5}$/.test(text)) return null;
  const value = Number(text);
  return value < 0 ? null : value;
}

function quadrants([ne, se, sw, nw]: (number | null)[]): QuadrantRadii | undefined {
  if (!ne && !se && !sw && !nw) return undefined;
  return { ne: ne ?? null, se: se ?? null, sw: sw ?? null, nw: nw ?? null };
}
