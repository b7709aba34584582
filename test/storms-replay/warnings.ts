import type { Place } from "@open-metocean/geo/sphere";
import { type Deck, type DeckFix, hourStamp, twoDigits } from "./deck.ts";

/** Forecast hours of a warning. */
const HOURS = [0, 12, 24, 36, 48, 60, 72, 96, 120];

/**
 * Northward error of a forecast, degrees a day, so that a forecast that is mistaken for a fix matches no fix of any
 * text.
 */
const ERROR = 0.4;

/** A forecast of the observed track, with an error. */
interface Outlook {
  base: DeckFix;
  ahead: { hour: number; fix: DeckFix }[];
}

/** @param index Index of a fix at 00, 06, 12 or 18 UTC. */
export function outlook(deck: Deck, index: number): Outlook {
  const base = deck.fixes[index]!;
  const ahead = HOURS.flatMap((hour) => {
    const fix = deck.fixes.find(({ time }) => time === base.time + hour * 3600);
    if (!fix) return [];
    const latitude = Math.round((fix.latitude + (ERROR * hour) / 24) * 10) / 10;
    return [{ hour, fix: { ...fix, latitude } }];
  });
  return { base, ahead };
}

export function isSynoptic({ time }: DeckFix): boolean {
  return time % (6 * 3600) === 0;
}

/** JTWC's warning in its coded form. */
export function codedWarning(deck: Deck, index: number, isFinal: boolean): string {
  const { base, ahead } = outlook(deck, index);
  const storm = `${twoDigits(deck.number)}${deck.letter}`;
  const name = nameOf(base);
  const title = `${classOf(base)} ${storm} (${name}) WARNING NR 0${twoDigits(index % 100)}`;
  const points = (isFinal ? ahead.slice(0, 1) : ahead).map(({ hour, fix }) => {
    const radii = ([64, 50, 34] as const).flatMap((threshold) => {
      const miles = fix.radii[threshold];
      const each = miles?.map((mile, quadrant) => `${three(mile)} ${["NE", "SE", "SW", "NW"][quadrant]} QD`);
      return each ? [`R0${threshold} ${each.join(" ")} `] : [];
    });
    return `T${three(hour)} ${coded(fix, " ")} ${three(fix.windKt ?? 0)} ${radii.join("")}`;
  });
  const past = deck.fixes
    .slice(0, index + 1)
    .filter(isSynoptic)
    .map((fix) => {
      const stamp = hourStamp(fix.time).slice(2);
      return `${twoDigits(deck.number)}${stamp} ${coded(fix, "", " ")} ${String(fix.windKt ?? 0).padStart(3)}`;
    });
  return [
    `WTPN51 PGTW ${dayTime(base.time + 3 * 3600)}    `,
    `WARNING    ATCG MIL ${storm} NWP ${hourStamp(base.time).slice(2)}3833`,
    `${hourStamp(base.time)} ${storm} ${name.padEnd(10)} 0${twoDigits(index % 100)}  01 305 12 SATL 060`,
    ...points,
    "AMP",
    `SUBJ:  ${title}`,
    `1. ${title}`,
    "    ---",
    "REMARKS:",
    ...(isFinal
      ? [
          "THIS IS THE FINAL WARNING ON THIS SYSTEM. THE SYSTEM WILL BE CLOSELY",
          "MONITORED FOR SIGNS OF REGENERATION.",
        ]
      : [`MINIMUM CENTRAL PRESSURE AT ${dayTime(base.time)}Z IS ${base.pressureHpa || 1000} MB.`]),
    "//",
    ...past,
    // Some mirrors omit the end mark.
    ...(index % 3 === 0 ? [] : ["NNNN"]),
    "",
  ].join("\n");
}

/** JTWC's warning in prose. */
export function proseWarning(deck: Deck, index: number, isFinal: boolean): string {
  const { base, ahead } = outlook(deck, index);
  const storm = `${twoDigits(deck.number)}${deck.letter}`;
  const title = `${classOf(base)} ${storm} (${nameOf(base)}) WARNING NR 0${twoDigits(index % 100)}`;
  const block = ({ hour, fix }: Outlook["ahead"][number]) => [
    ...(hour > 0 ? [`   ${hour} HRS, VALID AT:`] : ["   WARNING POSITION:"]),
    `   ${dayTime(base.time + hour * 3600)}Z --- NEAR ${spelled(fix)}`,
    `   MAX SUSTAINED WINDS - ${three(fix.windKt ?? 0)} KT, GUSTS ${three((fix.windKt ?? 0) + 15)} KT`,
    ...([64, 50, 34] as const).flatMap((threshold) => {
      const miles = fix.radii[threshold];
      if (!miles) return [];
      const names = ["NORTHEAST", "SOUTHEAST", "SOUTHWEST", "NORTHWEST"];
      const start = `   RADIUS OF 0${threshold} KT WINDS - `;
      return miles.map(
        (mile, quadrant) =>
          `${quadrant === 0 ? start : " ".repeat(start.length)}${three(mile)} NM ${names[quadrant]} QUADRANT`,
      );
    }),
    ...(hour === 0 ? [`   REPEAT POSIT: ${spelled(fix)}`] : []),
    "    ---",
  ];
  const month = new Date(base.time * 1000).toUTCString().slice(8, 11).toUpperCase();
  const year = new Date(base.time * 1000).toISOString().slice(2, 4);
  return [
    `WTPN31 PGTW ${dayTime(base.time + 3 * 3600)}`,
    "MSGID/GENADMIN/JOINT TYPHOON WRNCEN PEARL HARBOR HI//",
    `SUBJ/${title}//`,
    "RMKS/",
    `1. ${title}`,
    "    ---",
    ...(isFinal ? ahead.slice(0, 1) : ahead).flatMap(block),
    "REMARKS:",
    `${dayTime(base.time + 3 * 3600)}Z POSITION NEAR ${spelled(base)}.`,
    `${dayTime(base.time).slice(0, 2)}${month}${year}. ${title.replace(/ WARNING.*/, "")}, HAS TRACKED NORTHWARD.`,
    ...(isFinal
      ? [
          "THIS IS THE FINAL WARNING ON THIS SYSTEM BY THE JOINT TYPHOON WRNCEN",
          "PEARL HARBOR HI. THE SYSTEM WILL BE MONITORED FOR SIGNS OF REGENERATION.//",
        ]
      : [`MINIMUM CENTRAL PRESSURE AT ${dayTime(base.time)}Z IS ${base.pressureHpa || 1000} MB.//`]),
    "NNNN",
    "",
  ].join("\n");
}

/** The rows of NHC's official forecast. */
export function forecastRows(deck: Deck, index: number): string[] {
  const { base, ahead } = outlook(deck, index);
  return ahead.flatMap(({ hour, fix }) => {
    const thresholds = hour > 72 ? [] : ([34, 50, 64] as const).filter((threshold) => fix.radii[threshold]);
    return (thresholds.length > 0 ? thresholds : ([0] as const)).map((threshold) => {
      const radii = threshold === 0 ? [0, 0, 0, 0] : fix.radii[threshold]!;
      const start = `${deck.basin}, ${twoDigits(deck.number)}, ${hourStamp(base.time)}, 03, OFCL, ${String(hour).padStart(3)}`;
      const miles = radii.map((mile) => String(mile).padStart(4)).join(", ");
      return `${start}, ${coded(fix, ", ")}, ${fix.windKt ?? 0}, 0, ${fix.type}, ${threshold}, NEQ, ${miles}, 1010, 0, 30, 35, 0, , 0, LAA, 282, 10, ,,,,,,,,`;
    });
  });
}

function classOf({ windKt }: DeckFix): string {
  if ((windKt ?? 0) < 34) return "TROPICAL DEPRESSION";
  return (windKt ?? 0) < 64 ? "TROPICAL STORM" : "TYPHOON";
}

function nameOf({ name }: DeckFix): string {
  return /^[A-Z-]+$/.test(name) && name !== "INVEST" ? name : "ONE";
}

/** Formats a day and time as `251200`. */
function dayTime(time: number): string {
  return new Date(time * 1000).toISOString().slice(8, 16).replaceAll(/[-T:]/g, "");
}

function three(value: number): string {
  return String(value).padStart(3, "0");
}

/** Formats a position as `214N 1282E`; the past track has blanks instead of leading zeros: ` 95N1325W`. */
function coded({ latitude, longitude }: DeckFix, between: string, padding = "0"): string {
  const tenths = (degrees: number) => Math.round(Math.abs(degrees) * 10);
  const east = longitude > 180 ? longitude - 360 : longitude;
  return `${String(tenths(latitude)).padStart(3, padding)}${latitude < 0 ? "S" : "N"}${between}${String(tenths(east)).padStart(4, padding)}${east < 0 ? "W" : "E"}`;
}

/** Formats a position as `21.4N 128.2E`. */
function spelled({ latitude, longitude }: Pick<DeckFix, "latitude" | "longitude">): string {
  const east = longitude > 180 ? longitude - 360 : longitude;
  return `${Math.abs(latitude).toFixed(1)}${latitude < 0 ? "S" : "N"} ${Math.abs(east).toFixed(1)}${east < 0 ? "W" : "E"}`;
}

/** A storm as NHC lists it. */
export interface Listed extends Place {
  /** Id: `al012026`. */
  id: string;
  name: string;
  windKt: number | null;
  pressureHpa: number;
  /** Unix seconds. */
  updated: number;
}

/** NHC's CurrentStorms.json. */
export function currentStorms(storms: readonly Listed[]): string {
  const activeStorms = storms.map((storm) => ({
    id: storm.id,
    binNumber: "AT1",
    name: storm.name,
    classification: (storm.windKt ?? 0) >= 64 ? "HU" : (storm.windKt ?? 0) >= 34 ? "TS" : "TD",
    intensity: String(storm.windKt ?? 0),
    pressure: String(storm.pressureHpa),
    latitudeNumeric: storm.latitude,
    longitudeNumeric: storm.longitude,
    lastUpdate: new Date(storm.updated * 1000).toISOString(),
  }));
  return JSON.stringify({ activeStorms }, null, 2);
}
