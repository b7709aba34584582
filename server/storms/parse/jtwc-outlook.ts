import type { StormArea, StormOutlook, SummarySystem } from "#lib/contract/storm-outlook.ts";
import { toWire } from "#lib/storms/wire.ts";
import { stormId } from "#server/storms/identity.ts";
import { paragraphOf, placeNow, potentialOf, pressureOf, windsOf } from "./development.ts";
import { endsWithRemarks, refuseCut } from "./ended.ts";
import { basinOfLetter, collapsed, headingOf, TextRefusedError } from "./jtwc-text.ts";
import { monthOf, nearestDay, newestDay, noonOf, seasonOf } from "./report.ts";

/** What an advisory writes of one disturbance. */
export interface Disturbance {
  /** `92W`; null for an area without a number. */
  designation: string | null;
  /** ATCF basin and number of the invest. */
  invest?: { basin: string; subregion: string; number: number; season: number };
  place: { latitude: number; longitude: number } | undefined;
  /** It has dissipated, or is no longer suspect. */
  isOver: boolean;
  /** It is a storm now: warnings track it. */
  isStorm: boolean;
  /** null where the text states no likelihood. */
  area: StormArea | null;
  words: string;
}

export interface JtwcOutlook {
  issued: number;
  outlook: StormOutlook;
  disturbances: Disturbance[];
}

const basinsOf: Readonly<Record<string, string[]>> = {
  ABPW: ["west_pacific", "south_pacific"],
  ABIO: ["north_indian", "south_indian"],
};

/** Heads of the sections, and what ends the last of them. */
const MARKS =
  / (?:\(?[A-C][.)] (TROPICAL CYCLONE|TROPICAL DISTURBANCE|SUBTROPICAL SYSTEM) SUMMARY:|\d\. (?!THE |AN? )[A-Z ]{1,60}?(?:AREA|OCEAN)\b|\d\. JUSTIFICATION FOR|\/\/|NNNN)/g;

/**
 * Reads JTWC's significant tropical weather advisories, ABPW (western and south Pacific) and ABIO (Indian Ocean). Only the
 * tropical disturbance summary lists areas of interest; the others summarise storms, which are no invests whatever number
 * they have.
 *
 * @param now When the text was received, Unix seconds.
 * @throws TextRefusedError
 */
export function readJtwcOutlook(text: string, now: number): JtwcOutlook {
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
  const match = /\d{6}Z ?(?:[A-Z]{3} ?\d{4})? ?- ?(\d\d)(\d\d)(\d\d)Z ?(?:([A-Z]{3}) ?(\d{4}))?/.exec(
    oneLine.slice(0, 2000),
  );
  if (!match) return undefined;
  const [day, hour, minute] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const month = monthOf(match[4]);
  const dated = month > 0;
  const near = dated ? noonOf(Number(match[5]), month, day) : issued;
  const time = nearestDay(day, hour, minute, near);
  return Number.isNaN(time) ? undefined : { time, dated };
}

function sectionsOf(oneLine: string): { kind: string; body: string }[] {
  const marks = [...oneLine.matchAll(MARKS)];
  return marks.flatMap((mark, index) => {
    const end = marks[index + 1]?.index ?? oneLine.length;
    return mark[1] ? [{ kind: mark[1], body: oneLine.slice(mark.index + mark[0].length, end) }] : [];
  });
}

/** What a section without any system, or after its last one, says; in a numbered paragraph or not. */
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
