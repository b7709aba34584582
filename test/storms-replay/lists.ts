import type { Place } from "#lib/geo/sphere.ts";
import { dayTime, spelled } from "./warnings.ts";

/** A storm as NHC lists it. */
export interface Listed extends Place {
  /** `al012026`. */
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

/** An invest as JTWC watches it. */
export interface Watched extends Place {
  /** `98W`. */
  designator: string;
  /** Unix seconds. */
  time: number;
  /** It has faded. */
  isOver?: boolean;
}

function potential(invest: Watched): string[] {
  return [
    `${spelled(invest)}. MAXIMUM SUSTAINED SURFACE`,
    "WINDS ARE ESTIMATED AT 15 TO 20 KNOTS. THE POTENTIAL FOR THE DEVELOPMENT OF A",
    "SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS IS MEDIUM.",
  ];
}

/** JTWC's outlook ABPW10 or ABIO10. */
export function watchList(slot: "ABPW10" | "ABIO10", invests: readonly Watched[], issued: number): string {
  const paragraphs = invests.flatMap((invest, index) => [
    `      (${index + 1}) THE AREA OF CONVECTION (INVEST ${invest.designator}) ${invest.isOver ? "PREVIOUSLY LOCATED" : "HAS PERSISTED"} NEAR`,
    ...(invest.isOver ? [`${spelled(invest)} HAS DISSIPATED AND IS NO LONGER SUSPECT`] : []),
    ...(invest.isOver ? ["FOR THE DEVELOPMENT OF A TROPICAL CYCLONE IN THE NEXT 24 HOURS."] : []),
    ...(invest.isOver ? [] : potential(invest)),
  ]);
  return [
    `${slot} PGTW ${dayTime(issued)}`,
    "MSGID/GENADMIN/JOINT TYPHOON WRNCEN PEARL HARBOR HI//",
    "RMKS/",
    "1. NORTHERN AREA:",
    ...(paragraphs.length > 0
      ? [
          "   B. TROPICAL DISTURBANCE SUMMARY:",
          ...paragraphs,
          `      (${invests.length + 1}) NO OTHER SUSPECT AREAS.//`,
        ]
      : ["   B. TROPICAL DISTURBANCE SUMMARY: NONE.//"]),
    "NNNN",
    "",
  ].join("\n");
}

/** JTWC's formation alert. */
export function formationAlert(
  { designator, time, ...place }: Watched,
  windKt: number,
  issued: number,
): string {
  return [
    `WTPN21 PGTW ${dayTime(issued)}`,
    "MSGID/GENADMIN/JOINT TYPHOON WRNCEN PEARL HARBOR HI//",
    `SUBJ/TROPICAL CYCLONE FORMATION ALERT (INVEST ${designator})//`,
    "RMKS/",
    "1. FORMATION OF A SIGNIFICANT TROPICAL CYCLONE IS POSSIBLE WITHIN",
    `185 NM EITHER SIDE OF A LINE FROM ${spelled(place)} TO ${spelled({ ...place, latitude: place.latitude + 2 })}`,
    `WITHIN THE NEXT 12 TO 24 HOURS. WINDS IN THE AREA ARE ESTIMATED TO BE ${windKt - 5} TO ${windKt} KNOTS.`,
    `METSAT IMAGERY AT ${dayTime(time)}Z INDICATES THAT A CIRCULATION CENTER IS LOCATED NEAR`,
    `${spelled(place)}. MINIMUM SEA LEVEL PRESSURE IS ESTIMATED TO BE NEAR 1004 MB.`,
    `3. THIS ALERT WILL BE REISSUED, UPGRADED TO WARNING OR CANCELLED BY`,
    `${dayTime(issued + 24 * 3600)}Z.//`,
    "NNNN",
    "",
  ].join("\n");
}
