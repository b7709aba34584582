import type { FormationAlert } from "#lib/contract/storm-outlook.ts";
import { distanceKm, MILE_KM } from "#lib/geo/sphere.ts";
import { corridorOutline } from "#lib/storms/corridor.ts";
import { tenths, toWire } from "#lib/storms/wire.ts";
import { DAY_S } from "#lib/time.ts";
import { isCancellation } from "./alert-cancellation.ts";
import { POSITION, paragraphOf, placeNow, potentialOf, pressureOf, windsOf } from "./development.ts";
import { endsWithRemarks, refuseCut } from "./ended.ts";
import { basinOfLetter, collapsed, headingOf, placeOf, TextRefusedError } from "./jtwc-text.ts";
import { nearestDay, newestDay, seasonOfText } from "./report.ts";

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
  /** null for a cancellation; the reason where its area cannot be read. */
  alert: FormationAlert | string | null;
  words: string;
}

/** A line longer, or a corridor wider, than any alert has is a misprint. Published ones are below 220 and 650 n mi. */
const MAX_HALF_WIDTH_MILES = 500;
const MAX_LINE_KM = 3000;

const CORRIDOR = new RegExp(
  String.raw`WITHIN (?:AN? )?(\d{1,4}) ?NM (?:RADIUS OF ${POSITION}|EITHER SIDE OF A LINE FROM ${POSITION} TO ${POSITION})`,
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
  const { issued, slot } = headingOf(text, now, newestDay);
  const oneLine = collapsed(text);
  const until = /OR CANCELL?ED BY (\d\d)(\d\d)(\d\d)Z/.exec(oneLine);
  const identity = identityOf(oneLine, slot);
  if (!identity) throw new TextRefusedError("a formation alert that names no invest");
  const isCancelled = isCancellation(oneLine, {
    designation: `${identity.number}${identity.subregion}`,
    slot,
    hasArea: CORRIDOR.test(oneLine),
  });
  const seen = /AT (\d\d)(\d\d)(\d\d)Z INDICATES?/.exec(oneLine);
  const time = seen ? nearestDay(Number(seen[1]), Number(seen[2]), Number(seen[3]), issued) : issued;
  const end = until ? nearestDay(Number(until[1]), Number(until[2]), Number(until[3]), issued) : Number.NaN;
  return {
    ...identity,
    season: seasonOfText(name, identity.basin, identity.number, issued),
    issued,
    time: Number.isNaN(time) ? issued : time,
    place: placeNow(oneLine),
    isCancelled,
    alert: isCancelled
      ? null
      : alertOf(oneLine, {
          slot,
          issued,
          end: end > issued && end - issued <= 3 * DAY_S ? end : issued + DAY_S,
        }),
    words: oneLine,
  };
}

function identityOf(oneLine: string, slot: string) {
  const [, digits, letter] = /\(INVEST (9\d)([A-Z])\)/.exec(oneLine) ?? [];
  if (letter !== undefined) {
    const basin = basinOfLetter(letter);
    if (!basin) throw new TextRefusedError(`no basin has the letter ${letter}`);
    return { ...basin, number: Number(digits) };
  }
  // `9924052106 114N 804E 15`: number, then year, month, day and hour.
  const past = /\b(9\d)\d{8} \d{2,3}[NS] ?(\d{3,4})([EW])/.exec(oneLine);
  const longitude = Number(past?.[2]) / 10;
  const bySlot: Readonly<Record<string, string>> = { WTPN: "W", WTXS: "S", WTPS: "P" };
  const ofSlot = slot.startsWith("WTIO") ? (longitude >= BENGAL_WEST ? "B" : "A") : bySlot[slot.slice(0, 4)];
  const basin = past && ofSlot ? basinOfLetter(ofSlot) : undefined;
  return basin && { ...basin, number: Number(past![1]) };
}

/** West of it is the Arabian Sea, degrees east. */
const BENGAL_WEST = 78;

function alertOf(
  oneLine: string,
  { slot, issued, end }: { slot: string; issued: number; end: number },
): FormationAlert | string {
  const match = CORRIDOR.exec(oneLine);
  if (!match) return "a formation alert without its area";
  const [, miles, ...figures] = match;
  const places = [figures.slice(0, 4), figures.slice(4, 8), figures.slice(8, 12)].flatMap(
    ([lat, ns, lon, ew]) => {
      const place = lat === undefined ? undefined : placeOf(lat, ns!, lon!, ew!);
      return place ? [place] : [];
    },
  );
  const halfWidth = Number(miles) * MILE_KM;
  const isPossible =
    halfWidth > 0 &&
    Number(miles) <= MAX_HALF_WIDTH_MILES &&
    distanceKm(places[0]!, places.at(-1)!) <= MAX_LINE_KM;
  const corridor = isPossible ? corridorOutline(places, halfWidth) : null;
  if (!corridor) return `a formation alert with an impossible area: ${match[0].slice(0, 90)}`;
  return {
    issued_at: issued,
    valid_until: end,
    bulletin: slot,
    likelihood: potentialOf(oneLine),
    line: places.map(toWire),
    half_width_km: tenths(halfWidth),
    corridor: corridor.map(toWire),
    winds_kt: windsOf(oneLine),
    mslp_hpa: pressureOf(oneLine),
    ...motionOf(oneLine),
    text: paragraphOf(/RMKS\/ ?(.*?)(?: ?\/\/|NNNN|$)/.exec(oneLine)?.[1] ?? oneLine),
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
