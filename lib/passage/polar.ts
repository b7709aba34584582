import { RADIANS } from "#lib/geo/sphere.ts";

/** Speeds of a sailing boat by the wind over the water. */
export interface Polar {
  /** True wind angles off the bow, degrees, ascending in 0..180. */
  angles: readonly number[];
  /** True wind speeds, knots, ascending. */
  winds: readonly number[];
  /** Boat speeds, knots, one row an angle. */
  speeds: readonly (readonly number[])[];
  /** The angle of best progress to windward and to leeward at each wind. */
  upwind: readonly number[];
  downwind: readonly number[];
}

/** What is wrong with the text of a polar, for the person who sent it. */
export class PolarError extends Error {
  override readonly name = "PolarError";
}

/** Most bytes, rows and columns of a polar. */
export const MAX_POLAR_CHARACTERS = 100_000;
const MAX_SIDE = 200;

/**
 * Reads a polar in the form of qtVlm and OpenCPN: a first line `TWA\TWS;6;8;10`, then a line for each angle with the boat
 * speeds; separated by semicolons or tabs, with decimal points or commas. Lines that begin with # are comments.
 *
 * @throws PolarError
 */
export function readPolar(text: string): Polar {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== "" && !line.startsWith("#"));
  const [head, ...rows] = lines;
  if (!head || !/[;\t]/.test(head.line))
    throw new PolarError(
      "The polar should begin with a line such as TWA\\TWS;6;8;10, separated by ; or tabs",
    );
  const cells = ({ line, number }: { line: string; number: number }) => {
    const fields = line.split(head.line.includes(";") ? ";" : "\t").map((cell) => cell.trim());
    while (fields.length > 1 && fields.at(-1) === "") fields.pop();
    return { number, fields };
  };
  const winds = cells(head)
    .fields.slice(1)
    .map((cell) => numberOf(cell, head.number));
  const read = rows.map(cells).map(({ number, fields }) => {
    if (fields.length !== winds.length + 1)
      throw new PolarError(
        `Line ${number} of the polar has ${fields.length - 1} speeds for ${winds.length} winds`,
      );
    const [angle = 0, ...speeds] = fields.map((cell) => numberOf(cell, number));
    return { angle, speeds };
  });
  const angles = read.map(({ angle }) => angle);
  if (winds.length === 0 || angles.length < 2)
    throw new PolarError("The polar should have at least one wind and two angles");
  if (winds.length > MAX_SIDE || angles.length > MAX_SIDE)
    throw new PolarError(`The polar should have at most ${MAX_SIDE} winds and ${MAX_SIDE} angles`);
  if (!ascends(winds)) throw new PolarError("The winds of the polar should ascend");
  if (!ascends(angles) || angles.at(-1)! > 180)
    throw new PolarError("The angles of the polar should ascend to at most 180");
  return withBestAngles({ angles, winds, speeds: read.map(({ speeds }) => speeds) });
}

/**
 * Boat speed, knots: linear between the entries of the table, and to 0 below its first wind and its first angle. Above its
 * last ones it stays as it is there.
 *
 * @param angle True wind angle, 0..180.
 * @param wind True wind speed, knots.
 */
export function polarSpeed(
  { angles, winds, speeds }: Pick<Polar, "angles" | "winds" | "speeds">,
  angle: number,
  wind: number,
): number {
  const row = placeIn(angles, angle);
  const column = placeIn(winds, wind);
  const at = (i: number, j: number) => (i < 0 || j < 0 ? 0 : speeds[i]![j]!);
  const along = (i: number) => at(i, column.below) * (1 - column.share) + at(i, column.above) * column.share;
  return along(row.below) * (1 - row.share) + along(row.above) * row.share;
}

/** How a boat sails a course: straight, or by tacks or gybes to either side of it. */
export interface Sailing {
  /** Speed made good along the course, knots. */
  madeGood: number;
  /** Speed through the water, knots. */
  knots: number;
  /** True wind angle that is sailed, 0..180. */
  angle: number;
  by: "straight" | "tacking" | "gybing";
}

/** The fastest way to sail a course. @param angle Of the wind off the course, 0..180. @param wind Knots. */
export function sailed(polar: Polar, angle: number, wind: number): Sailing {
  const straight = polarSpeed(polar, angle, wind);
  const best: Sailing = { madeGood: straight, knots: straight, angle, by: "straight" };
  const column = placeIn(polar.winds, wind);
  const bestAngle = (of: readonly number[]) =>
    (of[column.below] ?? of[0]!) * (1 - column.share) + of[column.above]! * column.share;
  const [up, down] = [bestAngle(polar.upwind), bestAngle(polar.downwind)];
  if (angle < up) return faster(best, polar, up, angle, wind, "tacking");
  return angle > down ? faster(best, polar, down, angle, wind, "gybing") : best;
}

function faster(
  straight: Sailing,
  polar: Polar,
  sailedAngle: number,
  angle: number,
  wind: number,
  by: Sailing["by"],
): Sailing {
  const knots = polarSpeed(polar, sailedAngle, wind);
  const madeGood = (knots * Math.cos(sailedAngle * RADIANS)) / Math.cos(angle * RADIANS);
  return madeGood > straight.madeGood ? { madeGood, knots, angle: sailedAngle, by } : straight;
}

/** Whether a wind is stronger than the table goes. */
export function isBeyond({ winds }: Pick<Polar, "winds">, wind: number): boolean {
  return wind > winds.at(-1)!;
}

function withBestAngles(table: Pick<Polar, "angles" | "winds" | "speeds">): Polar {
  const best = (wind: number, sign: 1 | -1) => {
    let [bestAngle, most] = [sign > 0 ? 0 : 180, 0];
    for (let angle = sign > 0 ? 0 : 90; angle <= (sign > 0 ? 90 : 180); angle++) {
      const progress = sign * polarSpeed(table, angle, wind) * Math.cos(angle * RADIANS);
      if (progress > most + 1e-9) [bestAngle, most] = [angle, progress];
    }
    return bestAngle;
  };
  return {
    ...table,
    upwind: table.winds.map((wind) => best(wind, 1)),
    downwind: table.winds.map((wind) => best(wind, -1)),
  };
}

/** The entries about a value, and its share of the way between them; −1 below the first. */
function placeIn(axis: readonly number[], value: number): { below: number; above: number; share: number } {
  const last = axis.length - 1;
  // A plain loop: a search for a route comes here millions of times.
  let above = 0;
  while (above <= last && !(axis[above]! >= value)) above++;
  if (above > last) return { below: last, above: last, share: 0 };
  const [low, high] = [axis[above - 1] ?? 0, axis[above]!];
  return { below: above - 1, above, share: high > low ? (value - low) / (high - low) : 1 };
}

function numberOf(cell: string, line: number): number {
  const value = /^\d+(?:[.,]\d+)?$/.test(cell) ? Number(cell.replace(",", ".")) : Number.NaN;
  if (Number.isNaN(value))
    throw new PolarError(`Line ${line} of the polar has “${cell.slice(0, 20)}” where a number should be`);
  return value;
}

function ascends(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value > values[index - 1]!);
}
