import type { FormationAlert } from "#lib/contract/storm-outlook.ts";
import { distanceKm, MILE_KM } from "#lib/geo/sphere.ts";
import { corridorOutline } from "#lib/storms/corridor.ts";
import { tenths, toWire } from "#lib/storms/wire.ts";
import { DAY_S } from "#lib/time.ts";
import { isCancellation } from "./alert-cancellation.ts";
import { type CodedAlert, codedAlert } from "./coded-alert.ts";
import { DEGREES, placeOf, TENTHS } from "./coordinates.ts";
import { paragraphOf, placeNow, potentialOf, pressureOf, windsOf } from "./development.ts";
import { endsWithRemarks, refuseCut } from "./ended.ts";
import { basinOfLetter, collapsed, headingOf, subregionOf, TextRefusedError } from "./jtwc-text.ts";
import { nearestDay, newestDay, seasonOfText, stormOfFile } from "./report.ts";

/** What a formation alert writes. */
export interface AlertText {
  basin: string;
  subregion: string;
  number: number;
  season: number;
  issued: number;
  /** When the disturbance was seen at `place`, Unix seconds. */
  time: number;
  place: { latitude: number; longitude: number } | undefined;
  isCancelled: boolean;
  /** When it is reissued, upgraded or cancelled at the latest, Unix seconds. */
  until: number;
  /** null for a cancellation; the reason where its area cannot be read. */
  alert: FormationAlert | string | null;
  words: string;
}

/** A line longer, or a corridor wider, than any alert has is a misprint. Published ones are below 220 and 650 n mi. */
const MAX_HALF_WIDTH_MILES = 500;
const MAX_LINE_KM = 3000;

const CORRIDOR = new RegExp(
  String.raw`WITHIN (?:AN? )?(\d{1,4}) ?NM (?:RADIUS OF ${DEGREES}|EITHER SIDE OF A LINE FROM ${DEGREES} TO ${DEGREES})`,
);

const points = [
  "N",
  "NNE",
  "NE",
  "ENE",
  "E",
  "ESE",
  "SE",
  "SSE",
  "S",
  "SSW",
  "SW",
  "WSW",
  "W",
  "WNW",
  "NW",
  "NNW",
];

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
  const until = /OR CANCELL?ED BY (\d\d)(\d\d)(\d\d)Z/.exec(oneLine);
  const place = placeNow(oneLine) ?? coded?.centre;
  const identity = identityOf(oneLine, { slot, name, longitude: place?.longitude });
  if (!identity) throw new TextRefusedError("a formation alert that names no invest");
  const area = areaOf(oneLine) ?? coded;
  const isCancelled = isCancellation(oneLine, {
    designation: `${identity.number}${identity.subregion}`,
    slot,
    hasArea: area !== undefined,
  });
  const seen = /AT (\d\d)(\d\d)(\d\d)Z INDICATES?/.exec(oneLine);
  const time = seen
    ? nearestDay(Number(seen[1]), Number(seen[2]), Number(seen[3]), issued)
    : (coded?.base ?? issued);
  const stated = until
    ? nearestDay(Number(until[1]), Number(until[2]), Number(until[3]), issued)
    : Number.NaN;
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

interface From {
  slot: string;
  /** File name. */
  name: string;
  longitude: number | undefined;
}

function identityOf(oneLine: string, { slot, name, longitude = Number.NaN }: From) {
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

/** The area of formation in the words of an alert. */
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
