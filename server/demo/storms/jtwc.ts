import type { Place } from "@open-metocean/geo/sphere";
import { sweptArea } from "@open-metocean/geo/swept-area";
import { HOUR_S } from "#lib/time.ts";
import { type Storm, type StormSlot, stormOf } from "./cyclones.ts";
import {
  type Fix,
  fixOf,
  fixTimes,
  type Identity,
  identityOf,
  newestBase,
  type Quadrants,
  radiiOf,
} from "./fixes.ts";

// This file writes texts of JTWC and NHC: decks, and areas of possible formation.

/** Decks of one storm, as NHC and JTWC publish them. */
export interface DemoDeck {
  /** Id of the storm: `wp012026`. */
  id: string;
  /** Whether the storm has not ended; false for 24 h after the last fix. */
  active: boolean;
  /** Observed fixes, oldest first: the text of b{id}.dat. */
  bDeck: string;
  /**
   * Official forecasts, the newest base last: the text of a{id}.dat; undefined for an invest or a storm that has ended.
   */
  aDeck: string | undefined;
}

const deckSlots = ["antimeridian", "south", "atlantic", "invest"] as const satisfies readonly StormSlot[];

const THRESHOLDS = [34, 50, 64] as const;
const FORECAST_HOURS = [0, 12, 24, 36, 48, 60, 72, 96, 120] as const;
/** Last forecast hour with radii. NHC publishes none beyond day 3. */
const LAST_RADII_HOUR = { OFCL: 72, JTWC: 120 } as const;
/** Number of forecasts in an a-deck. It contains older ones, so that readers must take the newest. */
const FORECASTS_PER_DECK = 2;
const LISTED_AFTER_END_S = 24 * HOUR_S;

/** Decks of the demo storms, and of those that ended less than 24 h ago. */
export function demoDecks(seed: number, now: number): DemoDeck[] {
  const base = newestBase(now);
  return deckSlots.flatMap((slot) => {
    const ended = stormOf(slot, base, 1);
    const isListed = base < ended.ends + LISTED_AFTER_END_S;
    return [
      ...(isListed ? [deck(seed, ended, base, false)] : []),
      deck(seed, stormOf(slot, base), base, true),
    ];
  });
}

function deck(seed: number, storm: Storm, base: number, active: boolean): DemoDeck {
  const identity = identityOf(storm);
  const { basin, number, season } = identity;
  const times = fixTimes(storm, base);
  const rows = times.flatMap((time) => observed(seed, storm, identity, time, times.at(-1)!));
  const forecasts = times.slice(-FORECASTS_PER_DECK).flatMap((time) => forecast(seed, storm, identity, time));
  return {
    id: `${basin.toLowerCase()}${String(number).padStart(2, "0")}${season}`,
    active,
    bDeck: `${rows.join("\n")}\n`,
    aDeck: active && number < 90 ? `${forecasts.join("\n")}\n` : undefined,
  };
}

function observed(seed: number, storm: Storm, identity: Identity, time: number, last: number): string[] {
  const fix = fixOf(seed, storm, time);
  if (!fix) return [];
  // The rows of the first day keep the name INVEST when the storm has a name.
  const early = time < storm.begins + 86_400 && last >= storm.begins + 86_400;
  return rowsOf(fix, radiiOf(seed, storm, time, THRESHOLDS), {
    identity,
    base: time,
    technique: "BEST",
    number: "  ",
    hour: 0,
    type: typeOf(fix, identity),
    pressure: fix.pressure,
    name: early ? "INVEST" : identity.name,
  });
}

const isNhc = ({ basin }: Identity) => basin === "AL" || basin === "EP";

function forecast(seed: number, storm: Storm, identity: Identity, base: number): string[] {
  const technique = isNhc(identity) ? "OFCL" : "JTWC";
  return FORECAST_HOURS.flatMap((hour) => {
    const time = base + hour * HOUR_S;
    const fix = fixOf(seed, storm, time);
    if (!fix) return [];
    const radii = hour <= LAST_RADII_HOUR[technique] ? radiiOf(seed, storm, time, THRESHOLDS) : [];
    return rowsOf(fix, radii, {
      identity,
      base,
      technique,
      number: "03",
      hour,
      type: technique === "OFCL" ? typeOf(fix, identity) : "XX",
      // NHC forecasts no pressure; JTWC does for some hours.
      pressure: hour === 0 || (technique === "JTWC" && hour % 24 === 0) ? fix.pressure : 0,
      name: "",
    });
  });
}

function typeOf(fix: Fix, identity: Identity): string {
  if (identity.number >= 90) return "DB";
  if (fix.extratropical) return "EX";
  if (fix.windKnots < 35) return "TD";
  if (fix.windKnots < 65) return "TS";
  return isNhc(identity) ? "HU" : "TY";
}

interface Row {
  identity: Identity;
  base: number;
  technique: string;
  number: string;
  hour: number;
  type: string;
  /** HPa; 0 if none is given. */
  pressure: number;
  name: string;
}

/** One row per wind threshold that is reached, or one with threshold 0. Units are nautical miles, knots, hPa. */
function rowsOf(fix: Fix, radii: readonly (Quadrants | undefined)[], row: Row): string[] {
  const reached = THRESHOLDS.flatMap((knots, index) => {
    const quadrants = radii[index];
    return quadrants ? [{ knots, quadrants }] : [];
  });
  const none = { knots: 0, quadrants: { ne: 0, se: 0, sw: 0, nw: 0 } };
  const tenths = (degrees: number) => Math.round(Math.abs(degrees) * 10);
  return (reached.length > 0 ? reached : [none]).map(({ knots, quadrants }) =>
    [
      row.identity.basin,
      String(row.identity.number).padStart(2, "0"),
      new Date(row.base * 1000).toISOString().slice(0, 13).replaceAll(/[-T]/g, ""),
      row.number,
      row.technique,
      pad(row.hour, 3),
      pad(`${tenths(fix.latitude)}${fix.latitude < 0 ? "S" : "N"}`, 4),
      pad(`${tenths(fix.longitude)}${fix.longitude < 0 ? "W" : "E"}`, 5),
      pad(fix.windKnots, 3),
      pad(row.pressure, 4),
      row.type,
      pad(knots, 3),
      knots > 0 ? "NEQ" : "   ",
      ...[quadrants.ne, quadrants.se, quadrants.sw, quadrants.nw].map((miles) => pad(miles, 4)),
      pad(fix.outerPressure, 4),
      pad(200, 4),
      pad(fix.coreRadius, 3),
      pad(5 * Math.round((fix.windKnots * 1.22) / 5), 3),
      pad(0, 3),
      pad(row.identity.subregion, 3),
      pad(0, 3),
      "   ",
      pad(fix.heading, 3),
      pad(fix.speedKnots, 3),
      pad(row.name, 10),
      fix.windKnots >= 65 ? "D" : fix.windKnots >= 35 ? "M" : "S",
      "",
    ]
      .join(", ")
      .trimEnd(),
  );
}

function pad(value: number | string, width: number): string {
  return String(value).padStart(width);
}

const letters: Readonly<Record<string, string>> = { wp: "W", sh: "S", al: "L", ep: "E" };

/** The coded warning that ends a storm, with its last fix. */
export function finalWarning({ id, bDeck }: DemoDeck): string {
  const fields = bDeck.trimEnd().split("\n").at(-1)!.split(/, */);
  const [date, latitude, longitude, wind] = [fields[2]!, fields[6]!, fields[7]!, fields[8]!];
  const padded = (text: string, width: number) => text.padStart(width, "0");
  const storm = `${id.slice(2, 4)}${letters[id.slice(0, 2)]}`;
  return [
    `WTPN51 PGTW ${date.slice(6, 10)}00`,
    `WARNING    ATCG MIL ${storm} DEMO ${date.slice(2)}0000`,
    `${date} ${storm} ${fields[27]} 099  01 000 00 SATL 060`,
    `T000 ${padded(latitude, 4)} ${padded(longitude, 5)} ${padded(wind, 3)}`,
    "THIS IS THE FINAL WARNING ON THIS SYSTEM. THE SYSTEM WILL BE CLOSELY",
    "MONITORED FOR SIGNS OF REGENERATION.",
    "NNNN",
    "",
  ].join("\n");
}

/** Hours after the base time of the alert's corridor and of the outlook's area. */
const ALERT_H = 24;
const AREA_H = 120;

/** Half width of the corridor, nautical miles. */
const HALF_WIDTH = 120;

/**
 * Texts at the newest base time before `now`, by name: JTWC's advisory, with a disturbance that has no number yet, and
 * its formation alert for the invest; NHC's outlook of the eastern Pacific, and its areas as KML.
 */
export function demoAreas(seed: number, now: number): Record<string, string> {
  const base = newestBase(now);
  const at = (storm: Storm, hours: number) => fixOf(seed, storm, base + hours * HOUR_S);
  const invest = stormOf("invest", base);
  const identity = identityOf(invest);
  const here = at(invest, 0)!;
  const ahead = at(invest, ALERT_H) ?? here;
  return {
    "products/abpwweb.txt": advisoryOf(base, at(stormOf("jmaInvest", base), 0)!),
    "products/wtpn21.txt": alertOf(base, identity, here, ahead),
    "text/TWOEP.txt": outlookOf(base, identity, here),
    "xgtwo/gtwo_pac.kml": areasOf(base, identity, here, at(invest, AREA_H) ?? ahead),
  };
}

function advisoryOf(base: number, fix: Fix): string {
  const tomorrow = base + 24 * HOUR_S;
  const until = `${stamp(tomorrow)}Z${month(tomorrow).toUpperCase()}${new Date(tomorrow * 1000).getUTCFullYear()}`;
  const { windKnots, exactWind, pressure } = fix;
  const potential = exactWind < 18 ? "LOW" : exactWind < 23 ? "MEDIUM" : "HIGH";
  return `ABPW10 PGTW ${stamp(base)}
SUBJ/SIGNIFICANT TROPICAL WEATHER ADVISORY FOR THE WESTERN AND
/SOUTH PACIFIC OCEANS/${stamp(base)}Z-${until}//
RMKS/
1. WESTERN NORTH PACIFIC AREA (180 TO MALAY PENINSULA):
   A. TROPICAL CYCLONE SUMMARY: NONE.
   B. TROPICAL DISTURBANCE SUMMARY:
      (1) AN AREA OF CONVECTION HAS PERSISTED NEAR ${place(fix)}.
THIS DISTURBANCE OF THE DEMO WORLD IS INVENTED. MAXIMUM SUSTAINED SURFACE
WINDS ARE ESTIMATED AT ${Math.max(5, windKnots - 5)} TO ${windKnots} KNOTS. MINIMUM SEA LEVEL PRESSURE IS
ESTIMATED TO BE NEAR ${pressure} MB. THE POTENTIAL FOR THE DEVELOPMENT OF A
SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS IS ${potential}.
      (2) NO OTHER SUSPECT AREAS.
   C. SUBTROPICAL SYSTEM SUMMARY: NONE.
2. SOUTH PACIFIC AREA (WEST COAST OF SOUTH AMERICA TO 135 EAST):
   A. TROPICAL CYCLONE SUMMARY: NONE.
   B. TROPICAL DISTURBANCE SUMMARY: NONE.
   C. SUBTROPICAL SYSTEM SUMMARY: NONE.//
NNNN
`;
}

function alertOf(base: number, { number }: Identity, here: Fix, ahead: Fix): string {
  return `WTPN21 PGTW ${stamp(base)}
SUBJ/TROPICAL CYCLONE FORMATION ALERT (INVEST ${number}E)//
RMKS/
1. FORMATION OF A SIGNIFICANT TROPICAL CYCLONE IS POSSIBLE WITHIN
${HALF_WIDTH} NM EITHER SIDE OF A LINE FROM ${place(here)} TO ${place(ahead)}
WITHIN THE NEXT 12 TO 24 HOURS. WINDS IN THE AREA ARE ESTIMATED TO BE
${Math.max(5, here.windKnots - 5)} TO ${here.windKnots} KNOTS. METSAT IMAGERY AT ${stamp(base)}Z INDICATES THAT A CIRCULATION
CENTER IS LOCATED NEAR ${place(here)}. THE SYSTEM IS MOVING ${compass(here.heading)}WARD AT ${String(here.speedKnots).padStart(2, "0")}
KNOTS.
2. REMARKS: THIS DISTURBANCE OF THE DEMO WORLD IS INVENTED. MINIMUM SEA
LEVEL PRESSURE IS ESTIMATED TO BE NEAR ${here.pressure} MB. THE POTENTIAL FOR THE
DEVELOPMENT OF A SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS
IS HIGH.
3. THIS ALERT WILL BE REISSUED, UPGRADED TO WARNING OR CANCELLED BY
${stamp(base + 24 * HOUR_S)}Z.//
NNNN
`;
}

const TITLE = "Southwest of Central America";
const PARAGRAPH =
  "This disturbance of the demo world is invented.  Showers near a weak low\nare poorly organized, and it moves slowly west-northwestward.";

/** NHC's chances of formation, %, multiples of 10, with its words for them. */
function chances({ exactWind }: Fix) {
  const in7days = Math.max(20, Math.min(90, 10 * Math.round((exactWind - 9) * 0.5)));
  const in48h = Math.max(10, in7days - 30);
  const word = (percent: number) => (percent < 40 ? "Low" : percent <= 60 ? "Medium" : "High");
  return { in48h, in7days, word48h: word(in48h), word7days: word(in7days) };
}

function outlookOf(base: number, { number }: Identity, here: Fix): string {
  const { in48h, in7days, word48h, word7days } = chances(here);
  const local = new Date((base - 7 * HOUR_S) * 1000);
  const hour = local.getUTCHours();
  const day = local.toUTCString().slice(0, 3);
  return `000 
ABPZ20 KNHC ${stamp(base)}
TWOEP 

Tropical Weather Outlook
NWS National Hurricane Center Miami FL
${hour % 12 || 12}00 ${hour < 12 ? "AM" : "PM"} PDT ${day} ${month(local.getTime() / 1000)} ${local.getUTCDate()} ${local.getUTCFullYear()}

For the eastern and central North Pacific east of 180 longitude:

${TITLE} (EP${number}):
${PARAGRAPH}
* Formation chance through 48 hours...${word48h.toLowerCase()}...${in48h} percent.
* Formation chance through 7 days...${word7days.toLowerCase()}...${in7days} percent.

$$
Forecaster Demo
`;
}

/** The area around the forecast path, which widens as the path becomes uncertain. */
function areasOf(base: number, { number }: Identity, here: Fix, ahead: Fix): string {
  const { in48h, in7days, word48h, word7days } = chances(here);
  const ring = sweptArea([
    { ...here, km: 150 },
    { ...ahead, km: 400 },
  ]);
  const coordinates = (ring ?? [])
    .map(({ latitude, longitude }) => `${longitude.toFixed(4)},${latitude.toFixed(4)},0`)
    .join(" ");
  const data = Object.entries({
    Disturbance: "1",
    "2day_percentage": `${in48h}%`,
    "2day_category": word48h,
    "7day_percentage": `${in7days}%`,
    "7day_category": word7days,
    Discussion: `<![CDATA[1. ${TITLE} (EP${number}):\n${PARAGRAPH}]]>`,
  }).map(([name, value]) => `<Data name="${name}"><value>${value}</value></Data>`);
  const mark = (geometry: string) =>
    `<Placemark><ExtendedData>${data.join("")}</ExtendedData>${geometry}</Placemark>`;
  const date = new Date(base * 1000);
  const issued = `${date.toUTCString().slice(0, 3)} ${month(base)} ${date.getUTCDate()} ${date.toISOString().slice(11, 19)} ${date.getUTCFullYear()}`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://earth.google.com/kml/2.1"><Document>
<name>Graphical Tropical Weather Outlook - eastern North Pacific basin - ${issued}</name>
${mark(`<Polygon><outerBoundaryIs><LinearRing><coordinates>${coordinates}</coordinates></LinearRing></outerBoundaryIs></Polygon>`)}
${mark(`<Point><coordinates>${here.longitude},${here.latitude},0</coordinates></Point>`)}
</Document></kml>
`;
}

/** Formats a month as `Sep`. */
const month = (time: number) => new Date(time * 1000).toUTCString().slice(8, 11);

/** Formats the day and time of a heading as `151200`. */
function stamp(time: number): string {
  return new Date(time * 1000).toISOString().slice(8, 16).replaceAll(/[T:]/g, "");
}

/** Formats a position as `12.9N 144.5E`. */
function place({ latitude, longitude }: Place): string {
  const half = (degrees: number, letter: string) => `${Math.abs(degrees).toFixed(1)}${letter}`;
  return `${half(latitude, latitude < 0 ? "S" : "N")} ${half(longitude, longitude < 0 ? "W" : "E")}`;
}

const compassPoints =
  "NORTH NORTH-NORTHEAST NORTHEAST EAST-NORTHEAST EAST EAST-SOUTHEAST SOUTHEAST SOUTH-SOUTHEAST SOUTH SOUTH-SOUTHWEST SOUTHWEST WEST-SOUTHWEST WEST WEST-NORTHWEST NORTHWEST NORTH-NORTHWEST".split(
    " ",
  );

/** Compass point of a bearing in degrees, such as `WEST-NORTHWEST`. */
const compass = (bearing: number) => compassPoints[Math.round(bearing / 22.5) % 16]!;
