import { instantOf, wrapped } from "./report.ts";

interface Position {
  latitude: number;
  longitude: number;
}

/** What the coded head of a formation alert states, above its words. */
export interface CodedAlert {
  /** Heading of the message, or else the kind of the text. */
  slot: string;
  /** Unix seconds; with year and month, which the words leave out. */
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
export function codedAlert(text: string): CodedAlert | undefined {
  const written = text.trimStart();
  const head = HEAD.exec(written);
  if (!head) return undefined;
  const [, slot, stamp, baseTime] = head;
  const base = time(baseTime!.slice(2));
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
    issued: stamp === undefined ? base : time(stamp),
    base,
    line: places.slice(0, 2),
    halfWidthMiles: Number(miles ?? 0),
    centre: places[2],
  };
}

/** Unix seconds of two digits each of year, month, day, hour and perhaps minute. */
function time(digits: string): number {
  const [year, month, day, hour, minute = 0] = digits.match(/\d\d/g)!.map(Number);
  return instantOf(2000 + year!, month!, day!, hour!, minute);
}
