import type { Place } from "#lib/geo/sphere.ts";
import { sweptArea } from "#lib/geo/swept-area.ts";
import { type Storm, stormOf } from "#server/demo/cyclones/storm-tracks.ts";
import { type Fix, fixOf, newestBase } from "./fix.ts";
import { type Identity, identityOf } from "./identity.ts";

/** Texts of the agencies on where storms may form, by their names in a feed. */
export interface DemoAreas {
  /** JTWC's advisory, with a disturbance that has no number yet. */
  advisory: string;
  /** JTWC's formation alert for the demo's invest. It never ends, so that a newcomer always sees one. */
  alert: string;
  /** NHC's outlook of the eastern Pacific, and its areas as KML. */
  outlook: string;
  areas: string;
}

/** Hours of the alert's corridor and of the outlook's area, after the base time. */
const ALERT_H = 24;
const AREA_H = 120;

/** Nautical miles on both sides of the line. */
const HALF_WIDTH = 120;

/** Outlooks and alert of the demo world at the newest base time before `now`. */
export function demoAreas(seed: number, now: number): DemoAreas {
  const base = newestBase(now);
  const invest = stormOf("invest", base);
  const identity = identityOf(invest);
  const at = (storm: Storm, hours: number) => fixOf(seed, storm, base + hours * 3600);
  const here = at(invest, 0)!;
  return {
    advisory: advisoryOf(base, at(stormOf("jmaInvest", base), 0)!),
    alert: alertOf(base, identity, here, at(invest, ALERT_H) ?? here),
    outlook: outlookOf(base, identity, here),
    areas: areasOf(base, identity, here, at(invest, AREA_H) ?? at(invest, ALERT_H) ?? here),
  };
}

/** JTWC's word for the wind of a disturbance. */
const potential = (knots: number) => (knots < 18 ? "LOW" : knots < 23 ? "MEDIUM" : "HIGH");

/** Chances of NHC, %, multiples of 10. */
function chances({ exactWind }: Fix): { in48h: number; in7days: number } {
  const in7days = Math.max(20, Math.min(90, 10 * Math.round((exactWind - 9) * 0.5)));
  return { in48h: Math.max(10, in7days - 30), in7days };
}

const word = (percent: number) => (percent < 40 ? "low" : percent <= 60 ? "medium" : "high");

function advisoryOf(base: number, { latitude, longitude, windKnots, exactWind, pressure }: Fix): string {
  const until = `${stamp(base + 24 * 3600)}Z${month(base + 24 * 3600)}${year(base + 24 * 3600)}`;
  return [
    `ABPW10 PGTW ${stamp(base)}`,
    "SUBJ/SIGNIFICANT TROPICAL WEATHER ADVISORY FOR THE WESTERN AND",
    `/SOUTH PACIFIC OCEANS/${stamp(base)}Z-${until}//`,
    "RMKS/",
    "1. WESTERN NORTH PACIFIC AREA (180 TO MALAY PENINSULA):",
    "   A. TROPICAL CYCLONE SUMMARY: NONE.",
    "   B. TROPICAL DISTURBANCE SUMMARY:",
    `      (1) AN AREA OF CONVECTION HAS PERSISTED NEAR ${place({ latitude, longitude })}.`,
    "THIS DISTURBANCE OF THE DEMO WORLD IS INVENTED. MAXIMUM SUSTAINED SURFACE",
    `WINDS ARE ESTIMATED AT ${Math.max(5, windKnots - 5)} TO ${windKnots} KNOTS. MINIMUM SEA LEVEL PRESSURE IS`,
    `ESTIMATED TO BE NEAR ${pressure} MB. THE POTENTIAL FOR THE DEVELOPMENT OF A`,
    `SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS IS ${potential(exactWind)}.`,
    "      (2) NO OTHER SUSPECT AREAS.",
    "   C. SUBTROPICAL SYSTEM SUMMARY: NONE.",
    "2. SOUTH PACIFIC AREA (WEST COAST OF SOUTH AMERICA TO 135 EAST):",
    "   A. TROPICAL CYCLONE SUMMARY: NONE.",
    "   B. TROPICAL DISTURBANCE SUMMARY: NONE.",
    "   C. SUBTROPICAL SYSTEM SUMMARY: NONE.//",
    "NNNN",
    "",
  ].join("\n");
}

function alertOf(base: number, { number }: Identity, here: Fix, ahead: Fix): string {
  const name = `INVEST ${number}E`;
  const low = Math.max(5, here.windKnots - 5);
  return [
    `WTPN21 PGTW ${stamp(base)}`,
    `SUBJ/TROPICAL CYCLONE FORMATION ALERT (${name})//`,
    "RMKS/",
    "1. FORMATION OF A SIGNIFICANT TROPICAL CYCLONE IS POSSIBLE WITHIN",
    `${HALF_WIDTH} NM EITHER SIDE OF A LINE FROM ${place(here)} TO ${place(ahead)}`,
    "WITHIN THE NEXT 12 TO 24 HOURS. WINDS IN THE AREA ARE ESTIMATED TO BE",
    `${low} TO ${here.windKnots} KNOTS. METSAT IMAGERY AT ${stamp(base)}Z INDICATES THAT A CIRCULATION`,
    `CENTER IS LOCATED NEAR ${place(here)}. THE SYSTEM IS MOVING ${compass(here.heading)}WARD AT ${String(here.speedKnots).padStart(2, "0")}`,
    "KNOTS.",
    "2. REMARKS: THIS DISTURBANCE OF THE DEMO WORLD IS INVENTED. MINIMUM SEA",
    `LEVEL PRESSURE IS ESTIMATED TO BE NEAR ${here.pressure} MB. THE POTENTIAL FOR THE`,
    "DEVELOPMENT OF A SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS",
    "IS HIGH.",
    "3. THIS ALERT WILL BE REISSUED, UPGRADED TO WARNING OR CANCELLED BY",
    `${stamp(base + 24 * 3600)}Z.//`,
    "NNNN",
    "",
  ].join("\n");
}

const TITLE = "Southwest of Central America";

function outlookOf(base: number, { number }: Identity, here: Fix): string {
  const { in48h, in7days } = chances(here);
  const local = new Date((base - 7 * 3600) * 1000);
  const hour = local.getUTCHours();
  const day = local.toUTCString().slice(0, 3);
  return [
    "000 ",
    `ABPZ20 KNHC ${stamp(base)}`,
    "TWOEP ",
    "",
    "Tropical Weather Outlook",
    "NWS National Hurricane Center Miami FL",
    `${hour % 12 || 12}00 ${hour < 12 ? "AM" : "PM"} PDT ${day} ${monthName(local)} ${local.getUTCDate()} ${local.getUTCFullYear()}`,
    "",
    "For the eastern and central North Pacific east of 180 longitude:",
    "",
    `${TITLE} (EP${number}):`,
    PARAGRAPH,
    `* Formation chance through 48 hours...${word(in48h)}...${in48h} percent.`,
    `* Formation chance through 7 days...${word(in7days)}...${in7days} percent.`,
    "",
    "$$",
    "Forecaster Demo",
    "",
  ].join("\n");
}

const PARAGRAPH =
  "This disturbance of the demo world is invented.  Showers near a weak low\nare poorly organized, and it moves slowly west-northwestward.";

/** The area around the way ahead, which widens as the way becomes uncertain. */
function areasOf(base: number, { number }: Identity, here: Fix, ahead: Fix): string {
  const { in48h, in7days } = chances(here);
  const ring = sweptArea([
    { ...here, km: 150 },
    { ...ahead, km: 400 },
  ]);
  const coordinates = (ring ?? [])
    .map(({ latitude, longitude }) => `${longitude.toFixed(4)},${latitude.toFixed(4)},0`)
    .join(" ");
  const data = [
    ["Disturbance", "1"],
    ["2day_percentage", `${in48h}%`],
    ["2day_category", capital(word(in48h))],
    ["7day_percentage", `${in7days}%`],
    ["7day_category", capital(word(in7days))],
    ["Discussion", `<![CDATA[1. ${TITLE} (EP${number}):\n${PARAGRAPH}]]>`],
  ]
    .map(([name, value]) => `<Data name="${name}"><value>${value}</value></Data>`)
    .join("");
  const mark = (geometry: string) =>
    `<Placemark><ExtendedData>${data}</ExtendedData>${geometry}</Placemark>\n`;
  const date = new Date(base * 1000);
  const issued = `${date.toUTCString().slice(0, 3)} ${monthName(date)} ${date.getUTCDate()} ${date.toISOString().slice(11, 19)} ${date.getUTCFullYear()}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<kml xmlns="http://earth.google.com/kml/2.1"><Document>',
    `<name>Graphical Tropical Weather Outlook - eastern North Pacific basin - ${issued}</name>`,
    mark(
      `<Polygon><outerBoundaryIs><LinearRing><coordinates>${coordinates}</coordinates></LinearRing></outerBoundaryIs></Polygon>`,
    ) + mark(`<Point><coordinates>${here.longitude},${here.latitude},0</coordinates></Point>`),
    "</Document></kml>",
    "",
  ].join("\n");
}

/** `Sep` of `Tue, 15 Sep 2026 12:00:00 GMT`. */
const monthName = (date: Date) => date.toUTCString().slice(8, 11);

const month = (time: number) => monthName(new Date(time * 1000)).toUpperCase();

const year = (time: number) => new Date(time * 1000).getUTCFullYear();

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Day and time of a heading: `151200`. */
function stamp(time: number): string {
  return new Date(time * 1000).toISOString().slice(8, 16).replaceAll(/[T:]/g, "");
}

/** `12.9N 144.5E`. */
function place({ latitude, longitude }: Place): string {
  const half = (degrees: number, letter: string) => `${Math.abs(degrees).toFixed(1)}${letter}`;
  return `${half(latitude, latitude < 0 ? "S" : "N")} ${half(longitude, longitude < 0 ? "W" : "E")}`;
}

const compassPoints = ["NORTH", "NORTHEAST", "EAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "WEST", "NORTHWEST"];

/** `WEST-NORTHWEST` of a bearing, degrees. */
function compass(bearing: number): string {
  const point = Math.round(bearing / 22.5) % 16;
  if (point % 2 === 0) return compassPoints[point / 2]!;
  // Between two of eight: the main one first.
  const [before, after] = [compassPoints[(point - 1) / 2]!, compassPoints[((point + 1) / 2) % 8]!];
  const isMain = (name: string) => /^(?:NORTH|EAST|SOUTH|WEST)$/.test(name);
  return isMain(before) ? `${before}-${after}` : `${after}-${before}`;
}
