/** Units that people choose; the service itself answers in SI (m s-1). */
export const speedUnits = ["kn", "m/s", "Bft"] as const;

export type SpeedUnit = (typeof speedUnits)[number];

/** One knot, m s-1 (exact: 1852 m an hour). */
const KNOT = 1852 / 3600;

/** Speed in knots. @param metresPerSecond m s-1. */
export function toKnots(metresPerSecond: number): number {
  return metresPerSecond / KNOT;
}

/** Speed in m s-1. */
export function fromKnots(knots: number): number {
  return knots * KNOT;
}

/** Lower limits of forces 1 to 12, m s-1 (WMO No. 306, code table 1100). */
const beaufortLimits = [0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7];

/**
 * Beaufort force of a wind.
 *
 * @param metresPerSecond Mean wind at 10 m, m s-1, compared at 0.1 m s-1 as the table is.
 * @returns 0..12; NaN for NaN.
 */
export function toBeaufort(metresPerSecond: number): number {
  if (Number.isNaN(metresPerSecond)) return Number.NaN;
  const tenths = Math.round(metresPerSecond * 10) / 10;
  let force = 0;
  while (force < 12 && tenths >= beaufortLimits[force]!) force++;
  return force;
}

/** Lowest wind of a force, m s-1. @param force 0..12. */
export function fromBeaufort(force: number): number {
  return force < 1 ? 0 : beaufortLimits[Math.min(12, force) - 1]!;
}

/** Speed in the unit chosen, as text without the unit: whole knots, tenths of m/s, whole forces. */
export function formatSpeed(metresPerSecond: number, unit: SpeedUnit): string {
  if (unit === "m/s") return metresPerSecond.toFixed(1);
  return (unit === "kn" ? Math.round(toKnots(metresPerSecond)) : toBeaufort(metresPerSecond)).toFixed(0);
}

/** Speed with its unit: "18 kn", "9.3 m/s", "Bft 5". */
export function speedText(metresPerSecond: number, unit: SpeedUnit): string {
  const number = formatSpeed(metresPerSecond, unit);
  return unit === "Bft" ? `Bft ${number}` : `${number} ${unit}`;
}

/**
 * Position in degrees and minutes as charts write it: `48°30.0′N 005°10.2′W`.
 *
 * @param longitude Degrees east in any convention: a map that is scrolled across 180 counts on.
 */
export function positionText(latitude: number, longitude: number): string {
  const within = Math.abs(longitude) > 180 ? longitude - 360 * Math.round(longitude / 360) : longitude;
  return `${angle(latitude, 2, "N", "S")} ${angle(within, 3, "E", "W")}`;
}

const points = [
  "north",
  "north-northeast",
  "northeast",
  "east-northeast",
  "east",
  "east-southeast",
  "southeast",
  "south-southeast",
  "south",
  "south-southwest",
  "southwest",
  "west-southwest",
  "west",
  "west-northwest",
  "northwest",
  "north-northwest",
];

/** Nearest of the sixteen points of the compass. @param bearing Degrees clockwise from north. */
export function compassPoint(bearing: number): string {
  return points[Math.round((((bearing % 360) + 360) % 360) / 22.5) % 16]!;
}

function angle(degrees: number, digits: number, positive: string, negative: string): string {
  const tenths = Math.round(Math.abs(degrees) * 600);
  const whole = String(Math.floor(tenths / 600)).padStart(digits, "0");
  const minutes = ((tenths % 600) / 10).toFixed(1).padStart(4, "0");
  return `${whole}°${minutes}′${degrees < 0 ? negative : positive}`;
}
