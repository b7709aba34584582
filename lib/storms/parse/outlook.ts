import {
  ALERT_LAPSED_S,
  bareFix,
  basinOfLetter,
  emptyReport,
  type Parsed,
  type Problem,
  type Report,
  stormId,
} from "../bulletin.ts";
import type { StormArea, StormOutlook, SummarySystem } from "../schema.ts";
import { toWire } from "../wire.ts";
import { readFormationAlert } from "./formation-alert.ts";
import {
  collapsed,
  endsWithRemarks,
  headingOf,
  nearestDay,
  newestDay,
  noonOf,
  paragraphOf,
  placeNow,
  potentialOf,
  pressureOf,
  refuseCut,
  refuseLaterPart,
  seasonOf,
  TextRefusedError,
  windsOf,
} from "./message.ts";

/**
 * Reads JTWC's outlooks, ABPW (Pacific) and ABIO (Indian Ocean): the areas of interest, and a report of each that is an
 * invest. If a range of winds is given, the higher value is taken.
 *
 * @param now When the text was received, Unix seconds.
 * @throws TextRefusedError
 */
export function parseOutlook(text: string, now: number): Parsed {
  refuseLaterPart(text);
  const { issued, outlook, disturbances } = readJtwcOutlook(text, now);
  const problems: Problem[] = [];
  const reports: Report[] = [];
  const seen = new Set<string>();
  for (const disturbance of disturbances) {
    const { designation, area, isOver, isStorm, place, invest } = disturbance;
    const name = designation === null ? "an area without a number" : `INVEST ${designation}`;
    if (isStorm || (designation !== null && seen.has(designation))) continue;
    seen.add(designation ?? "");
    if (designation !== null && !invest)
      problems.push({ line: 0, reason: `${name}: no basin has its letter` });
    else if (!place && !isOver) problems.push({ line: 0, reason: `${name}: no position` });
    else if (!area && !isOver) problems.push({ line: 0, reason: `${name}: no likelihood of development` });
    // A text that names an invest says that it is watched, even where its position cannot be read.
    const report = investReport(disturbance, issued, issued);
    if (report) reports.push({ ...report, source: "outlook", isFinal: isOver });
  }
  return { reports, problems, outlook };
}

/**
 * Reads a tropical cyclone formation alert: an invest that may be a storm within a day, and the area in which it may form.
 * A cancellation ends the alert. It also ends the invest unless a newer outlook continues it.
 *
 * @param now When the text was received, Unix seconds.
 * @param name File name: `wp9226web.txt` gives the season.
 * @throws TextRefusedError
 */
export function parseFormationAlert(text: string, now: number, name = ""): Parsed {
  refuseLaterPart(text);
  const { alert, isCancelled, ...read } = readFormationAlert(text, now, name);
  const report = investReport({ ...read, invest: read }, read.time, read.issued)!;
  const problems: Problem[] = [];
  if (!read.place && !isCancelled) problems.push({ line: 0, reason: "no position" });
  if (typeof alert === "string") problems.push({ line: 0, reason: alert });
  return {
    reports: [
      {
        ...report,
        source: "formation alert",
        isFinal: isCancelled,
        alertUntil: isCancelled ? read.issued : read.until + ALERT_LAPSED_S,
      },
    ],
    problems,
    ...(typeof alert !== "string" && { alert: { storm: stormId(read), issued: read.issued, alert } }),
  };
}

/** An invest at an instant; without a fix where no position is stated. @returns undefined without a number. */
function investReport(
  { invest, place, words }: Pick<Disturbance, "invest" | "place" | "words">,
  time: number,
  issued: number,
): Report | undefined {
  if (!invest) return undefined;
  const { basin, subregion, number, season } = invest;
  const fix = place && {
    ...bareFix(time, place.latitude, place.longitude),
    vmaxKt: windsOf(words)?.max ?? null,
    mslpHpa: pressureOf(words),
    stage: "DB",
  };
  const of = { provider: "jtwc", basin, subregion, number, season, issued } as const;
  return emptyReport("outlook", { ...of, observed: fix ? [fix] : [] });
}

/** Content of an advisory on one disturbance. */
interface Disturbance {
  /** `92W`; null for an area without a number. */
  designation: string | null;
  /** ATCF basin and number of the invest. */
  invest?: { basin: string; subregion: string; number: number; season: number };
  place: { latitude: number; longitude: number } | undefined;
  /** The disturbance has dissipated, or is no longer suspect. */
  isOver: boolean;
  /** The disturbance is a storm now: warnings track it. */
  isStorm: boolean;
  /** null where the text states no likelihood. */
  area: StormArea | null;
  words: string;
}

interface JtwcOutlook {
  issued: number;
  outlook: StormOutlook;
  disturbances: Disturbance[];
}

const basinsOf: Readonly<Record<string, string[]>> = {
  ABPW: ["west_pacific", "south_pacific"],
  ABIO: ["north_indian", "south_indian"],
};

/** Heads of the sections, and the marks that end the last of them. */
const MARKS =
  / (?:\(?[A-C][.)] (TROPICAL CYCLONE|TROPICAL DISTURBANCE|SUBTROPICAL SYSTEM) SUMMARY:|\d\. (?!THE |AN? )[A-Z ]{1,60}?(?:AREA|OCEAN)\b|\d\. JUSTIFICATION FOR|\/\/|NNNN)/g;

/**
 * Reads JTWC's significant tropical weather advisories, ABPW (western and south Pacific) and ABIO (Indian Ocean). Only the
 * tropical disturbance summary lists areas of interest; the others summarise storms, which are not invests whatever number
 * they have.
 *
 * @param now When the text was received, Unix seconds.
 * @throws TextRefusedError
 */
function readJtwcOutlook(text: string, now: number): JtwcOutlook {
  refuseCut(text, endsWithRemarks, "end of the remarks");
  const heading = headingOf(text, now, newestDay);
  const oneLine = collapsed(text);
  const validUntil = endOf(oneLine, heading.issued);
  // The heading has only a day; the period names month and year.
  const issued = validUntil?.dated ? headingOf(text, validUntil.time).issued : heading.issued;
  const disturbances: Disturbance[] = [];
  const systems: SummarySystem[] = [];
  let isKnown = false;
  for (const { kind, body } of sectionsOf(oneLine)) {
    isKnown = true;
    for (const words of itemsOf(body)) {
      if (kind === "TROPICAL DISTURBANCE") {
        disturbances.push(disturbanceOf(words, issued, `${heading.slot}-${disturbances.length + 1}`));
      } else
        systems.push(
          systemOf(words, kind === "TROPICAL CYCLONE" ? "tropical_cyclone" : "subtropical_system"),
        );
    }
  }
  if (!isKnown) throw new TextRefusedError("an outlook without its summaries");
  const isPlaced = disturbances.length > 0 || systems.some(({ kind }) => kind === "subtropical_system");
  if (!isPlaced && potentialOf(oneLine)) {
    throw new TextRefusedError("an outlook that names no area, and does not say that none is expected");
  }
  const outlook: StormOutlook = {
    product: heading.slot,
    agency: "jtwc",
    basins: basinsOf[heading.slot.slice(0, 4)] ?? [],
    issued_at: issued,
    valid_until: validUntil?.time ?? null,
    areas: disturbances.flatMap(({ area }) => (area ? [area] : [])),
    systems,
  };
  return { issued, outlook, disturbances };
}

/** End of the period in the subject: `/250600Z-260600ZSEP2026//`, with a month and year in its first part too or not. */
function endOf(oneLine: string, issued: number): { time: number; dated: boolean } | undefined {
  const period = /\d{6}Z ?(?:[A-Z]{3} ?\d{4})? ?- ?(\d{6})Z ?(?:([A-Z]{3}) ?(\d{4}))?/;
  const [, digits, month, year] = period.exec(oneLine.slice(0, 2000)) ?? [];
  if (!digits) return undefined;
  const near = noonOf(year, month, digits.slice(0, 2));
  const time = nearestDay(digits, near ?? issued);
  return Number.isNaN(time) ? undefined : { time, dated: near !== undefined };
}

function sectionsOf(oneLine: string): { kind: string; body: string }[] {
  const marks = [...oneLine.matchAll(MARKS)];
  return marks.flatMap((mark, index) => {
    const end = marks[index + 1]?.index ?? oneLine.length;
    return mark[1] ? [{ kind: mark[1], body: oneLine.slice(mark.index + mark[0].length, end) }] : [];
  });
}

/** Phrase of a section without any system, or after its last one; in a numbered paragraph or not. */
const NOTHING =
  /^(?:NONE[ ./]*$|NO (?:OTHER )?(?:SUSPECT AREAS?|(?:SIGNIFICANT )?TROPICAL (?:CYCLONES?|DISTURBANCES?)|SUBTROPICAL (?:SYSTEMS?|CYCLONES?))\b)/;

/** The numbered paragraphs of a section about its systems. */
function itemsOf(body: string): string[] {
  const numbered = body.split(/ \(\d{1,2}\) /).slice(1);
  // One disturbance may have no number.
  const items =
    numbered.length === 0 && /INVEST|POTENTIAL FOR/.test(body)
      ? [body.trim().replace(/^\d{1,2}\. /, "")]
      : numbered;
  return items.filter((words) => !NOTHING.test(words));
}

function disturbanceOf(words: string, issued: number, key: string): Disturbance {
  const [, digits, letter] = /\(INVEST (9\d)([A-Z])\)/.exec(words) ?? [];
  const basin = letter === undefined ? undefined : basinOfLetter(letter);
  const number = Number(digits);
  const invest = basin && { ...basin, number, season: seasonOf(basin.basin, issued) };
  const designation = digits === undefined ? null : `${digits}${letter}`;
  const place = placeNow(words);
  const likelihood = potentialOf(words);
  const isStorm = /SUBJECT OF A TROPICAL CYCLONE WARNING/.test(words);
  const isOver = !likelihood && !isStorm && /HAS DISSIPATED|NO LONGER SUSPECT/.test(words);
  const id = invest ? stormId(invest) : null;
  const area: StormArea | null =
    likelihood && !isStorm
      ? {
          id: id ?? key,
          storm_id: id,
          designation,
          name: null,
          likelihood,
          within_hours: 24,
          percent_48h: null,
          percent_7d: null,
          place: place ? toWire(place) : null,
          polygon: null,
          winds_kt: windsOf(words),
          mslp_hpa: pressureOf(words),
          text: paragraphOf(words),
        }
      : null;
  return { designation, ...(invest && { invest }), place, isOver, isStorm, area, words };
}

function systemOf(words: string, kind: SummarySystem["kind"]): SummarySystem {
  const [, number, name] = /\b(\d\d[A-Z]) \(([A-Z0-9 -]{1,40})\)/.exec(words) ?? [];
  const bracketed = /\((?:INVEST|[A-Z]{2}) (\d\d[A-Z])\)/.exec(words)?.[1];
  const place = placeNow(words);
  return {
    kind,
    designation: number ?? bracketed ?? null,
    name: name ?? null,
    place: place ? toWire(place) : null,
    text: paragraphOf(words),
  };
}
