import { distanceKm, MILE_KM } from "@open-metocean/geo/sphere";
import { basinOfLetter, subregionOf } from "../bulletin.ts";
import { corridorOutline } from "../cone.ts";
import type { FormationAlert } from "../schema.ts";
import { DAY_S } from "../time.ts";
import { tenths, toWire } from "../wire.ts";
import {
  collapsed,
  DEGREES,
  endsWithRemarks,
  headingOf,
  instantOfDigits,
  nearestDay,
  newestDay,
  paragraphOf,
  placeNow,
  placeOf,
  potentialOf,
  pressureOf,
  refuseCut,
  seasonOfText,
  stormOfFile,
  TENTHS,
  TextRefusedError,
  windsOf,
  wrapped,
} from "./message.ts";

/** Content of a formation alert. */
interface AlertText {
  basin: string;
  subregion: string;
  number: number;
  season: number;
  issued: number;
  /** When the disturbance was seen at `place`, Unix seconds. */
  time: number;
  place: { latitude: number; longitude: number } | undefined;
  isCancelled: boolean;
  /** Latest time at which the alert is reissued, upgraded or cancelled, Unix seconds. */
  until: number;
  /** null for a cancellation; the reason where its area cannot be read. */
  alert: FormationAlert | string | null;
  words: string;
}

/** A line longer, or a corridor wider, than that of any alert is a misprint. Published ones are below 220 and 650 n mi. */
const MAX_HALF_WIDTH_MILES = 500;
const MAX_LINE_KM = 3000;

const CORRIDOR = new RegExp(
  String.raw`WITHIN (?:AN? )?(\d{1,4}) ?NM (?:RADIUS OF ${DEGREES}|EITHER SIDE OF A LINE FROM ${DEGREES} TO ${DEGREES})`,
);

const points = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split(" ");

/**
 * Reads a tropical cyclone formation alert (WTPN2x, WTIO2x, WTPS2x, WTXS2x PGTW) or its cancellation. Copies without a subject line name
 * the invest in their remarks, or only by the number of their past positions.
 *
 * @param now When the text was received, Unix seconds.
 * @param name File name: `wp9226web.txt` gives the season.
 * @throws TextRefusedError
 */
export function readFormationAlert(text: string, now: number, name = ""): AlertText {
  refuseCut(text, endsWithRemarks, "end of the remarks");
  const coded = codedAlert(text);
  const { issued, slot } = coded ?? headingOf(text, now, newestDay);
  if (Number.isNaN(issued)) throw new TextRefusedError("the head of the alert names no instant");
  const oneLine = collapsed(text);
  const until = /OR CANCELL?ED BY (\d{6})Z/.exec(oneLine)?.[1];
  const place = placeNow(oneLine) ?? coded?.centre;
  const identity = identityOf(oneLine, { slot, name, longitude: place?.longitude });
  if (!identity) throw new TextRefusedError("a formation alert that names no invest");
  const area = areaOf(oneLine) ?? coded;
  const isCancelled = isCancellation(oneLine, {
    designation: `${identity.number}${identity.subregion}`,
    slot,
    hasArea: area !== undefined,
  });
  const seen = /AT (\d{6})Z INDICATES?/.exec(oneLine)?.[1];
  const time = seen ? nearestDay(seen, issued) : (coded?.base ?? issued);
  const stated = until ? nearestDay(until, issued) : Number.NaN;
  const end = stated > issued && stated - issued <= 3 * DAY_S ? stated : issued + DAY_S;
  return {
    ...identity,
    season: seasonOfText(name, identity.basin, identity.number, issued),
    issued,
    time: Number.isNaN(time) ? issued : time,
    place,
    isCancelled,
    until: end,
    alert: isCancelled ? null : alertOf(oneLine, area, { slot, issued, end }),
    words: oneLine,
  };
}

/** Finds the invest of an alert. @param from `name`: file name. */
function identityOf(
  oneLine: string,
  { slot, name, longitude = Number.NaN }: { slot: string; name: string; longitude: number | undefined },
) {
  const [, digits, letter] = /\(INVEST (9\d)([A-Z])\)/.exec(oneLine) ?? [];
  if (letter !== undefined) {
    const basin = basinOfLetter(letter);
    if (!basin) throw new TextRefusedError(`no basin has the letter ${letter}`);
    return { ...basin, number: Number(digits) };
  }
  const past = PAST.exec(oneLine);
  const east = placeOf(past?.slice(2) ?? [], 10)?.longitude ?? longitude;
  const file = stormOfFile(name);
  if (file && file.number >= 90) {
    const { basin, number } = file;
    return { basin, subregion: subregionOf(basin, east), number };
  }
  const bySlot: Readonly<Record<string, string>> = { WTPN: "W", WTXS: "S", WTPS: "P" };
  const ofSlot = slot.startsWith("WTIO") ? subregionOf("IO", east) : bySlot[slot.slice(0, 4)];
  const basin = past && ofSlot ? basinOfLetter(ofSlot) : undefined;
  return basin && { ...basin, number: Number(past![1]) };
}

/** `9924052106 114N 804E 15`: number, then year, month, day and hour. */
const PAST = new RegExp(String.raw`\b(9\d)\d{8} ${TENTHS}`);

type Area = Pick<CodedAlert, "line" | "halfWidthMiles">;

/** The area of formation as an alert describes it in prose. */
function areaOf(oneLine: string): Area | undefined {
  const match = CORRIDOR.exec(oneLine);
  if (!match) return undefined;
  const [, miles, ...figures] = match;
  const positions = [figures.slice(0, 4), figures.slice(4, 8), figures.slice(8, 12)];
  const line = positions.flatMap((position) => placeOf(position) ?? []);
  return { line, halfWidthMiles: Number(miles) };
}

function alertOf(
  oneLine: string,
  area: Area | undefined,
  { slot, issued, end }: { slot: string; issued: number; end: number },
): FormationAlert | string {
  if (!area) return "a formation alert without its area";
  const { line, halfWidthMiles } = area;
  const [from, to] = [line[0], line.at(-1)];
  const isPossible =
    from !== undefined &&
    to !== undefined &&
    halfWidthMiles > 0 &&
    halfWidthMiles <= MAX_HALF_WIDTH_MILES &&
    distanceKm(from, to) <= MAX_LINE_KM;
  const halfWidth = halfWidthMiles * MILE_KM;
  const corridor = isPossible ? corridorOutline(line, halfWidth) : null;
  if (!corridor)
    return `a formation alert with an impossible area: ${halfWidthMiles} NM around ${JSON.stringify(line)}`;
  return {
    issued_at: issued,
    valid_until: end,
    bulletin: slot,
    likelihood: potentialOf(oneLine),
    line: line.map(toWire),
    half_width_km: tenths(halfWidth),
    corridor: corridor.map(toWire),
    winds_kt: windsOf(oneLine),
    mslp_hpa: pressureOf(oneLine),
    ...motionOf(oneLine),
    text: paragraphOf(/(?:RMKS\/ ?|(?=\b1\. ))(.*?)(?: ?\/\/|NNNN|$)/.exec(oneLine)?.[1] ?? oneLine),
  };
}

/** `THE SYSTEM IS MOVING WEST-NORTHWESTWARD AT 13 KNOTS`. */
function motionOf(oneLine: string): Pick<FormationAlert, "heading_deg" | "speed_kmh"> {
  const match = /MOVING ([NSEW][A-Z-]{3,20}?)(?:WARDS?)? AT (\d{1,3}) (?:KNOTS|KTS?)/.exec(oneLine);
  if (!match) {
    const speed = /\b(?:QUASI-?)?STATIONARY\b/.test(oneLine.slice(0, 1200)) ? 0 : null;
    return { heading_deg: null, speed_kmh: speed };
  }
  const letters = match[1]!.replaceAll(/NORTH|SOUTH|EAST|WEST|-/g, (word) => (word === "-" ? "" : word[0]!));
  const point = points.indexOf(letters);
  return { heading_deg: point < 0 ? null : point * 22.5, speed_kmh: tenths(Number(match[2]) * MILE_KM) };
}

interface Position {
  latitude: number;
  longitude: number;
}

/** Content of the coded head of a formation alert, above its prose. */
interface CodedAlert {
  /** Heading of the message, or else the kind of the text. */
  slot: string;
  /** Time of issue, Unix seconds, with year and month, which the prose leaves out. */
  issued: number;
  /** When the disturbance was at `centre`, Unix seconds. */
  base: number;
  /** Axis of the area; one place where it is a circle. */
  line: Position[];
  halfWidthMiles: number;
  centre: Position | undefined;
}

const HEAD =
  /^(?:([A-Z]{4}\d\d) +[A-Z]{4} +\d{6}[^\n]{0,20}\n)?[ \t]*ALERT +ATCG +MIL +\d\d[A-Z] +\S{1,10}(?: +(\d{10})(?:\d\d)?)?\s+(\d{10})\s/;

/** `12.8 -112.7` */
const PLACE = /^\s*(-?\d{1,2}(?:\.\d{1,2})?)\s+(-?\d{1,3}(?:\.\d{1,2})?)\s*$/;

/** Whether a text is a formation alert in its coded form (`.tcw`). @param start In upper case, without blanks before it. */
export function isCodedAlert(start: string): boolean {
  return HEAD.test(start);
}

/**
 * Reads the head of a formation alert in its coded form: the time, two ends of the axis in signed degrees, half the width of
 * the area in nautical miles, and the centre, a line each. The letter behind its number is a placeholder (`97X`).
 */
function codedAlert(text: string): CodedAlert | undefined {
  const written = text.trimStart();
  const head = HEAD.exec(written);
  if (!head) return undefined;
  const [, slot, stamp, baseTime] = head;
  const base = instantOfDigits(baseTime!);
  const rows = written.slice(head[0].length).trimStart().split("\n").slice(0, 4);
  const places = rows.flatMap((row): Position[] => {
    const [, latitude, longitude] = PLACE.exec(row) ?? [];
    return latitude === undefined || Math.abs(Number(latitude)) > 90
      ? []
      : [{ latitude: Number(latitude), longitude: wrapped(Number(longitude)) }];
  });
  const miles = rows.find((row) => /^\s*\d{1,4}\s*$/.test(row));
  return {
    slot: slot ?? "ALERT",
    issued: stamp === undefined ? base : instantOfDigits(`20${stamp}`),
    base,
    line: places.slice(0, 2),
    halfWidthMiles: Number(miles ?? 0),
    centre: places[2],
  };
}

/** `CANCELLED`, `CANCELED`, `CANCELLATION`. */
const CANCELLED = /CANCEL(?:L?ATION|L?ED)\b/;

/** Phrases that every alert may have: the end of its validity, and the kind of a reference. */
const OF_FORM = /(?:OR CANCELL?ED BY|REF [A-Z] IS A [A-Z ]{0,60}CANCELL?ATION)/g;

/** `THIS ALERT IS CANCELLED`, `THIS FORMATION ALERT (WTPN21 PGTW 242000) HAS BEEN CANCELED`. */
const THIS_ALERT =
  /\bTHIS (?:[A-Z]+ ){0,3}(?:ALERT|TCFA)(?: ?\([^)]{0,60}\))? (?:IS|WAS|HAS BEEN) (?:[A-Z]+ )?CANCELL?ED/;

interface OfAlert {
  /** `98W`. */
  designation: string;
  /** Heading: `WTPN21`. */
  slot: string;
  /** Whether the text states an area of formation. */
  hasArea: boolean;
}

/**
 * Whether a formation alert says that it is itself cancelled: in its subject, or in a sentence on this alert or its invest.
 * Remarks on alerts of other invests do not count; if the text states an area, remarks on earlier alerts do not count
 * either.
 *
 * @param oneLine The text on one line, in upper case.
 */
function isCancellation(oneLine: string, { designation, slot, hasArea }: OfAlert): boolean {
  const subject = /SUBJ\/(.{0,400}?)\/\//.exec(oneLine)?.[1] ?? "";
  if (CANCELLED.test(subject)) return true;
  const remarks = oneLine.slice(Math.max(0, oneLine.indexOf("RMKS/"))).replaceAll(OF_FORM, "");
  return remarks.split(/\. |\/\//).some((sentence) => {
    if (!CANCELLED.test(sentence)) return false;
    const named = new Set(sentence.match(/\b9\d[A-Z]\b/g));
    if (named.size > 0 && !named.has(designation)) return false;
    if (THIS_ALERT.test(sentence)) return true;
    if (hasArea) return named.size === 1 && !/\b(?:PREVIOUS|PRIOR|EARLIER|REPLACED|REF)\b/.test(sentence);
    return named.size > 0 || !isOfOther(sentence, slot, oneLine);
  });
}

/** Whether a sentence is about a reference to a text of another heading. */
function isOfOther(sentence: string, slot: string, oneLine: string): boolean {
  const letter = /\bREF ([A-Z])\b/.exec(sentence)?.[1];
  if (letter === undefined) return false;
  const described = new RegExp(String.raw`\bREF ${letter} IS [^/]{0,200}?\b(WT[A-Z]{2}2\d)\b`).exec(
    oneLine,
  )?.[1];
  return described !== undefined && described !== slot;
}
