import { readTypedDecimal } from "#lib/decimal.ts";
import { RADIANS } from "#lib/geo/sphere.ts";

/** Speeds of a sailing boat by the wind over the water. */
export interface Polar {
  /** True wind angles off the bow, degrees, ascending in 0..180. */
  angles: readonly number[];
  /** True wind speeds, knots, ascending. */
  winds: readonly number[];
  /** Boat speeds, knots, one row an angle. */
  speeds: readonly (readonly number[])[];
  /** Angles of best progress to windward and to leeward, at `BETWEEN` winds up to each of the winds; NaN without progress. */
  upwind: readonly number[];
  downwind: readonly number[];
}

type Table = Pick<Polar, "angles" | "winds" | "speeds">;

/** What is wrong with the text of a polar, for the person who sent it. */
export class PolarError extends Error {
  override readonly name = "PolarError";
}

/** Most bytes, rows and columns of a polar. */
export const MAX_POLAR_CHARACTERS = 100_000;
const MAX_SIDE = 200;

/** Winds from one of a polar to the next with a best angle of their own: between zeros and speeds it changes quickly. */
const BETWEEN = 8;

/**
 * Reads a polar: a first line `TWA\TWS;6;8;10`, maybe below a title, then a line for each angle with the boat speeds, in any
 * order of angles (qtVlm, OpenCPN, ORC); or, below `!Expedition polar`, a line for each wind with pairs of angle and speed.
 * Between semicolons, tabs, commas or spaces; with decimal points or commas. Lines that begin with # or ! are comments.
 *
 * Empty cells, and zeros between speeds, are filled along the angles: ORC has rows for the best angle of a single wind.
 *
 * @throws PolarError
 */
export function readPolar(text: string): Polar {
  const all = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== "");
  const lines = all.filter(({ line }) => !/^\s*[#!]/.test(line));
  const points = /^\s*!.*expedition/i.test(all[0]?.line ?? "") ? expeditionPoints(lines) : tablePoints(lines);
  const angles = new Set([...points.values()].flatMap((speeds) => [...speeds.keys()]));
  if (points.size > MAX_SIDE || angles.size > MAX_SIDE)
    throw new PolarError(`The polar should have at most ${MAX_SIDE} winds and ${MAX_SIDE} angles`);
  const table = tableOf(
    points,
    [...angles].sort((one, other) => one - other),
  );
  if (table.winds.length === 0 || table.angles.length < 2)
    throw new PolarError("The polar should have at least one wind and two angles");
  if (table.angles.at(-1)! > 180) throw new PolarError("The angles of the polar should be at most 180");
  return withBestAngles(table);
}

interface Line {
  line: string;
  number: number;
}

/** Speeds by wind and angle, as they are given; a wind may have none. */
type Points = Map<number, Map<number, number>>;

function tablePoints(lines: readonly Line[]): Points {
  // A line above the names of the axes is a title.
  const [head, ...rows] = lines.slice(/^\s*tw[as]/i.test(lines[1]?.line ?? "") ? 1 : 0);
  const separator = [";", "\t", ","].find((sign) => head?.line.includes(sign)) ?? /\s+/;
  const cellsOf = ({ line }: Line) =>
    (typeof separator === "string" ? line : line.trim()).split(separator).map((cell) => cell.trim());
  const [, ...titles] = head ? cellsOf(head) : [];
  while (titles.at(-1) === "") titles.pop();
  if (!head || titles.length === 0)
    throw new PolarError(
      "The polar should begin with a line such as TWA\\TWS;6;8;10, separated by semicolons, tabs, commas or spaces",
    );
  const winds = titles.map((cell) => numberOf(cell, head.number));
  if (winds.some((wind, index) => index > 0 && !(wind > winds[index - 1]!)))
    throw new PolarError("The winds of the polar should ascend");
  const points: Points = new Map(winds.map((wind) => [wind, new Map()]));
  for (const row of rows) {
    const [first = "", ...cells] = cellsOf(row);
    while (cells.length > winds.length && cells.at(-1) === "") cells.pop();
    if (cells.length !== winds.length)
      throw new PolarError(
        `Line ${row.number} of the polar has ${cells.length} speeds for ${winds.length} winds`,
      );
    const angle = numberOf(first, row.number);
    for (const [index, cell] of cells.entries())
      add(
        points.get(winds[index]!)!,
        angle,
        cell === "" ? Number.NaN : numberOf(cell, row.number),
        row.number,
      );
  }
  return points;
}

function expeditionPoints(lines: readonly Line[]): Points {
  const points: Points = new Map();
  // Some have names of columns above the numbers.
  for (const { line, number } of lines.slice(/^\s*[a-z]/i.test(lines[0]?.line ?? "") ? 1 : 0)) {
    // A comma between digits separates only where nothing else does: it may be a decimal comma.
    const cells = line.trim();
    const [wind = Number.NaN, ...pairs] = cells
      .split(/[\s;]/.test(cells) ? /[;,]?\s+|;/ : ",")
      .map((cell) => numberOf(cell, number));
    if (pairs.length === 0 || pairs.length % 2 === 1 || points.has(wind))
      throw new PolarError(
        `Line ${number} of the polar should have a wind of its own, then pairs of angle and speed`,
      );
    const speeds = new Map<number, number>();
    for (let at = 0; at < pairs.length; at += 2) add(speeds, pairs[at]!, pairs[at + 1]!, number);
    points.set(wind, speeds);
  }
  return points;
}

/** Where an angle is given again, as for two winds with one best angle, only one of the speeds may be another than 0. */
function add(speeds: Map<number, number>, angle: number, speed: number, line: number): void {
  const known = speeds.get(angle);
  if (known && speed && known !== speed)
    throw new PolarError(`Line ${line} of the polar has another speed for the angle ${angle}`);
  speeds.set(angle, known || speed);
}

function tableOf(points: Points, angles: readonly number[]): Table {
  const columns = [...points.entries()]
    .sort(([one], [other]) => one - other)
    .flatMap(([wind, speeds]) => {
      const column = filled(angles, speeds);
      return column ? [{ wind, column }] : [];
    });
  const sails = columns.map(({ column }) => column.some((speed) => speed > 0));
  // A wind without any speed between others with some is not filled in.
  const kept = columns.filter(
    (_, index) => sails[index] || index < sails.indexOf(true) || index > sails.lastIndexOf(true),
  );
  return {
    angles,
    winds: kept.map(({ wind }) => wind),
    speeds: angles.map((_, index) => kept.map(({ column }) => column[index]!)),
  };
}

/** A speed at each of the angles; undefined where none is known. */
function filled(angles: readonly number[], speeds: ReadonlyMap<number, number>): number[] | undefined {
  const given = angles.flatMap((angle) => {
    const knots = speeds.get(angle) ?? Number.NaN;
    return Number.isNaN(knots) ? [] : [{ angle, knots }];
  });
  const sailing = given.filter(({ knots }) => knots > 0);
  const [first, last] = [sailing[0]?.angle ?? 0, sailing.at(-1)?.angle ?? 0];
  const known = given.filter(({ angle, knots }) => knots > 0 || angle < first || angle > last);
  if (known.length === 0) return undefined;
  const column = {
    angles: known.map(({ angle }) => angle),
    winds: [1],
    speeds: known.map(({ knots }) => [knots]),
  };
  return angles.map((angle) => polarSpeed(column, angle, 1));
}

/**
 * Boat speed, knots: linear between the entries of the table, and to 0 below its first wind and its first angle. Above its
 * last ones it stays as it is there.
 *
 * @param angle True wind angle, 0..180.
 * @param wind True wind speed, knots.
 */
export function polarSpeed({ angles, winds, speeds }: Table, angle: number, wind: number): number {
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
  let way: Sailing = { madeGood: straight, knots: straight, angle, by: "straight" };
  if (angle === 90) return way;
  const best = angle < 90 ? polar.upwind : polar.downwind;
  const { below, above, share } = placeIn(polar.winds, wind);
  const place = below === above ? best.length - 1 : BETWEEN * (above + share) - 1;
  // Of the angles that are best in a little less and a little more wind the better one.
  for (let at = Math.max(0, Math.floor(place)); at <= place + 1 && at < best.length; at++) {
    const sailedAngle = best[at]!;
    if (angle < 90 ? !(angle < sailedAngle) : !(angle > sailedAngle)) continue;
    const knots = polarSpeed(polar, sailedAngle, wind);
    const madeGood = (knots * Math.cos(sailedAngle * RADIANS)) / Math.cos(angle * RADIANS);
    if (madeGood > way.madeGood)
      way = { madeGood, knots, angle: sailedAngle, by: angle < 90 ? "tacking" : "gybing" };
  }
  return way;
}

/** Whether a wind is stronger than the table goes. */
export function isBeyond({ winds }: Pick<Polar, "winds">, wind: number): boolean {
  return wind > winds.at(-1)!;
}

function withBestAngles(table: Table): Polar {
  const winds = table.winds.flatMap((wind, index) => {
    const step = (wind - (table.winds[index - 1] ?? 0)) / BETWEEN;
    return Array.from({ length: BETWEEN }, (_, at) => wind - step * (BETWEEN - 1 - at));
  });
  const best = (wind: number, sign: 1 | -1) => {
    let [bestAngle, most] = [Number.NaN, 0];
    for (let angle = sign > 0 ? 0 : 90; angle <= (sign > 0 ? 90 : 180); angle++) {
      const progress = sign * polarSpeed(table, angle, wind) * Math.cos(angle * RADIANS);
      if (progress > most + 1e-9) [bestAngle, most] = [angle, progress];
    }
    return bestAngle;
  };
  return {
    ...table,
    upwind: winds.map((wind) => best(wind, 1)),
    downwind: winds.map((wind) => best(wind, -1)),
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
  const value = readTypedDecimal(cell);
  if (!(value >= 0))
    throw new PolarError(`Line ${line} of the polar has “${cell.slice(0, 20)}” where a number should be`);
  return value;
}
