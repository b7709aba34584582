import { UnreadableError } from "./grib-error.ts";
import { MISSING_32, type Octets } from "./octets.ts";

/** A fixed surface: its type (WMO code table 4.5) and its value in that type's unit; 0 if the type needs none. */
export interface Surface {
  type: number;
  value: number;
}

/** Validity of a field, Unix seconds: `start` and `end` are equal, or bound the window of a statistic. */
export interface FieldTime {
  kind: "instant" | "average" | "accumulation" | "maximum" | "minimum" | "other";
  start: number;
  end: number;
}

/** One member of an ensemble, or a statistic over it (WMO code table 4.7). */
export type Ensemble = { kind: "member"; number: number } | { kind: "derived"; code: number };

export interface Product {
  category: number;
  parameter: number;
  level: Surface;
  level2: Surface | undefined;
  time: FieldTime;
  ensemble: Ensemble | undefined;
}

const NO_SURFACE = 255;

/** First octet of the description of the statistic; undefined for a product at an instant. */
const statisticOctet: Readonly<Record<number, number | undefined>> = {
  0: undefined,
  1: undefined,
  2: undefined,
  8: 35,
  11: 38,
  12: 37,
};

const statistics = ["average", "accumulation", "maximum", "minimum"] as const;

/** Seconds in a unit of WMO code table 4.4. Months and longer have no fixed length. */
const unitSeconds: Readonly<Record<number, number>> = {
  0: 60,
  1: 3600,
  2: 86400,
  10: 3 * 3600,
  11: 6 * 3600,
  12: 12 * 3600,
  13: 1,
};

/**
 * Reads section 4: product templates 4.0, 4.1, 4.2 (at an instant) and 4.8, 4.11, 4.12 (over a window).
 *
 * @param referenceTime Unix seconds.
 */
export function readProduct(section: Octets, referenceTime: number): Product {
  const template = section.unsigned16(8);
  if (!Object.hasOwn(statisticOctet, template)) {
    throw new UnreadableError(
      `product template 4.${template} is not read (only 4.0, 4.1, 4.2, 4.8, 4.11 and 4.12)`,
    );
  }
  const start = referenceTime + forecastSeconds(section);
  const statistic = statisticOctet[template];
  const level = readSurface(section, 23);
  return {
    category: section.unsigned8(10),
    parameter: section.unsigned8(11),
    level: level ?? { type: NO_SURFACE, value: 0 },
    level2: readSurface(section, 29),
    time:
      statistic === undefined
        ? { kind: "instant", start, end: start }
        : readWindow(section, statistic, start),
    ensemble: readEnsemble(section, template),
  };
}

/** Reads year, month, day, hour, minute and second from seven octets. Returns Unix seconds. */
export function readInstant(section: Octets, octet: number): number {
  const [year, month] = [section.unsigned16(octet), section.unsigned8(octet + 2)];
  const [day, hour] = [section.unsigned8(octet + 3), section.unsigned8(octet + 4)];
  const minute = section.unsigned8(octet + 5);
  // Some producers encode the seconds as missing.
  const second = section.unsigned8(octet + 6) === 255 ? 0 : section.unsigned8(octet + 6);
  const instant = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const real = instant.getUTCMonth() === month - 1 && instant.getUTCDate() === day;
  if (!real || hour > 23 || minute > 59 || second > 60 || year < 1600) {
    throw new UnreadableError(`its time ${year}-${month}-${day} ${hour}:${minute}:${second} does not exist`);
  }
  return instant.getTime() / 1000;
}

function forecastSeconds(section: Octets): number {
  const unit = section.unsigned8(18);
  const count = section.unsigned32(19);
  if (count === MISSING_32 || count === 0) return 0;
  const seconds = unitSeconds[unit];
  if (seconds === undefined)
    throw new UnreadableError(`the unit of its forecast time (code ${unit}) is not read`);
  return section.signed32(19) * seconds;
}

function readSurface(section: Octets, octet: number): Surface | undefined {
  const type = section.unsigned8(octet);
  if (type === NO_SURFACE) return undefined;
  // Surfaces such as the ground need no value: some centres write 0, others "missing".
  if (section.unsigned8(octet + 1) === 255 || section.unsigned32(octet + 2) === MISSING_32) {
    return { type, value: 0 };
  }
  const factor = section.signed8(octet + 1);
  const scaled = section.signed32(octet + 2);
  return { type, value: factor > 0 ? scaled / 10 ** factor : scaled * 10 ** -factor };
}

function readWindow(section: Octets, octet: number, start: number): FieldTime {
  const end = readInstant(section, octet);
  const ranges = section.unsigned8(octet + 7);
  if (ranges === 0 || end < start) throw new UnreadableError("its time window ends before it starts");
  const process = section.unsigned8(octet + 12);
  // Nested statistics, such as an average of accumulations, are neither.
  const kind = ranges === 1 ? (statistics[process] ?? "other") : "other";
  return { kind, start, end };
}

function readEnsemble(section: Octets, template: number): Ensemble | undefined {
  if (template === 1 || template === 11) return { kind: "member", number: section.unsigned8(36) };
  if (template === 2 || template === 12) return { kind: "derived", code: section.unsigned8(35) };
  return undefined;
}
