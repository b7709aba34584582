import { RADIANS } from "@open-metocean/geo/sphere";
import { readTypedDecimal } from "#lib/decimal.ts";

export interface Polar {
  /** True wind angles off the bow, degrees, ascending in 0..180. */
  angles: readonly number[];
  /** True wind speeds, knots, ascending. */
  winds: readonly number[];
  /** Boat speeds, knots, one row per angle. */
  speeds: readonly (readonly number[])[];
  /**
   * Angles with the best progress to windward and to leeward, at `BETWEEN` winds up to each of the winds; NaN
   * if there is no progress.
   */
  upwind: readonly number[];
  downwind: readonly number[];
}

type Table = Pick<Polar, "angles" | "winds" | "speeds">;

export class PolarError extends Error {
  override readonly name = "PolarError";
}

/** Longest text, characters, and most rows or columns of a polar. */
export const MAX_POLAR_CHARACTERS = 100_000;
const MAX_SIDE = 200;

/**
 * Number of winds between two winds of a polar that have their own best angle. Between zeros and speeds that
 * angle changes quickly.
 */
const BETWEEN = 8;

/**
 * Reads a polar in one of three forms: a header `TWA\TWS;6;8;10`, optionally below a title, then one line per
 * angle with boat speeds, in any order of angles (qtVlm, OpenCPN, ORC); the same with one line per wind,
 * headed `TWS\TWA`; or, below `!Expedition polar`, one line per wind with pairs of angle and speed.
 * Separators are semicolons, tabs, commas or spaces; decimals have points or commas. Lines that begin with #
 * or ! are comments.
 *
 * Empty cells, and zeros between speeds, are filled along the angles, because ORC has rows for the best angle
 * of a single wind.
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
  const says = (words: RegExp) => lines.some(({ line }) => words.test(line));
  if (says(/m\/s|m s-1|km\/?h|\bmph\b|\bbft\b/i))
    throw new PolarError("The wind and boat speeds of the polar should be in knots");
  if (says(/\baw[as]\b/i))
    throw new PolarError("The winds of the polar should be true ones, and it names apparent ones (AWA, AWS)");
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

/** Speeds by wind and angle as given; a wind may have none. */
type Points = Map<number, Map<number, number>>;

function tablePoints(lines: readonly Line[]): Points {
  // A line above the axis names is a title.
  const [head, ...rows] = lines.slice(/^\s*tw[as]/i.test(lines[1]?.line ?? "") ? 1 : 0);
  const separator = [";", "\t", ","].find((sign) => head?.line.includes(sign)) ?? /\s+/;
  const cellsOf = ({ line }: Line) =>
    (typeof separator === "string" ? line : line.trim()).split(separator).map((cell) => cell.trim());
  const [corner = "", ...titles] = head ? cellsOf(head) : [];
  while (titles.at(-1) === "") titles.pop();
  if (!head || titles.length === 0)
    throw new PolarError(
      "The polar should begin with a line such as TWA\\TWS;6;8;10, separated by semicolons, tabs, commas or spaces",
    );
  const across = titles.map((cell) => numberOf(cell, head.number));
  const down = rows.map((row) => numberOf(cellsOf(row)[0] ?? "", row.number));
  const isTurned = hasWindsDown(corner, across, down);
  const winds = isTurned ? down : across;
  if (winds.some((wind, index) => index > 0 && !(wind > winds[index - 1]!)))
    throw new PolarError("The winds of the polar should ascend");
  const points: Points = new Map(winds.map((wind) => [wind, new Map()]));
  for (const [line, row] of rows.entries()) {
    const [, ...cells] = cellsOf(row);
    while (cells.length > across.length && cells.at(-1) === "") cells.pop();
    if (cells.length !== across.length)
      throw new PolarError(
        `Line ${row.number} of the polar has ${cells.length} speeds for ${across.length} ${isTurned ? "angles" : "winds"}`,
      );
    for (const [column, cell] of cells.entries()) {
      const [wind, angle] = isTurned ? [down[line]!, across[column]!] : [across[column]!, down[line]!];
      add(points.get(wind)!, angle, cell === "" ? Number.NaN : numberOf(cell, row.number), row.number);
    }
  }
  return points;
}

/** An angle axis reaches at least this, degrees; no polar has winds of that many knots. */
const BEAM = 90;

/**
 * Whether a table has winds down and angles across. The names in its corner decide (`TWS\TWA` names the
 * vertical axis first), or else the possible values of the numbers.
 *
 * @throws PolarError if neither decides, or if the numbers contradict the names.
 */
function hasWindsDown(corner: string, across: readonly number[], down: readonly number[]): boolean {
  const [, named] = /^\W*tw([as])/i.exec(corner) ?? [];
  const [isAcross, isDown] = [across, down].map((axis) => axis.some((value) => value >= BEAM));
  const isTurned = named ? named.toLowerCase() === "s" : isAcross === true && !isDown;
  const [angles, winds] = isTurned ? [isAcross, isDown] : [isDown, isAcross];
  if (named && !angles && winds)
    throw new PolarError(
      `The polar is headed ${corner}, but its angles stay below ${BEAM}° and its winds do not: are the names of its axes the other way round?`,
    );
  if (!named && !angles)
    throw new PolarError(
      "The polar should say which axis is which: begin its first line with TWA\\TWS for angles down and winds across, or TWS\\TWA",
    );
  if (winds) throw new PolarError(`The winds of the polar should be below ${BEAM} kn`);
  return isTurned;
}

function expeditionPoints(lines: readonly Line[]): Points {
  const points: Points = new Map();
  // Some files have column names above the numbers.
  for (const { line, number } of lines.slice(/^\s*[a-z]/i.test(lines[0]?.line ?? "") ? 1 : 0)) {
    // A comma between digits separates numbers only if nothing else does, because it may be a decimal comma.
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

/**
 * An angle may occur twice, as when two winds share their best angle; then only one of its speeds may differ
 * from 0.
 */
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
  // A wind without any speed, between winds that have some, is dropped.
  const kept = columns.filter(
    (_, index) => sails[index] || index < sails.indexOf(true) || index > sails.lastIndexOf(true),
  );
  return {
    angles,
    winds: kept.map(({ wind }) => wind),
    speeds: angles.map((_, index) => kept.map(({ column }) => column[index]!)),
  };
}

/** A speed for each of the angles; undefined if none is known. */
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
 * Boat speed, knots: linear between the entries of the table, decreasing to 0 below its first wind and first
 * angle, constant above the last ones.
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

/** How a boat sails a course: straight, or with tacks or gybes to either side. */
interface Sailing {
  /** Speed made good along the course, knots. */
  madeGood: number;
  /** Speed through the water, knots. */
  knots: number;
  /** True wind angle sailed, 0..180. */
  angle: number;
  by: "straight" | "tacking" | "gybing";
}

/**
 * The fastest way to sail a course. @param angle Angle of the wind off the course, 0..180. @param wind Knots.
 */
export function sailed(polar: Polar, angle: number, wind: number): Sailing {
  const straight = polarSpeed(polar, angle, wind);
  let way: Sailing = { madeGood: straight, knots: straight, angle, by: "straight" };
  if (angle === 90) return way;
  const best = angle < 90 ? polar.upwind : polar.downwind;
  const { below, above, share } = placeIn(polar.winds, wind);
  const place = below === above ? best.length - 1 : BETWEEN * (above + share) - 1;
  // The better of the two angles that are best in a little less and a little more wind is used.
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

/** The entries around a value, and its share of the way between them; −1 below the first. */
function placeIn(axis: readonly number[], value: number): { below: number; above: number; share: number } {
  const last = axis.length - 1;
  // A plain loop is used because a route search calls this function millions of times.
  let above = 0;
  while (above <= last && !(axis[above]! >= value)) above++;
  if (above > last) return { below: last, above: last, share: 0 };
  const [low, high] = [axis[above - 1] ?? 0, axis[above]!];
  return { below: above - 1, above, share: high > low ? (value - low) / (high - low) : 1 };
}

/** Interpolates linearly between the entries of an axis; outside them the value is that of the nearest one. */
export function linearIn(axis: readonly number[], values: readonly number[], at: number): number {
  const { below, above, share } = placeIn(axis, at);
  const first = values[Math.max(0, below)]!;
  return first + (values[above]! - first) * share;
}

function numberOf(cell: string, line: number): number {
  const value = readTypedDecimal(cell);
  if (!(value >= 0))
    throw new PolarError(`Line ${line} of the polar has “${cell.slice(0, 20)}” where a number should be`);
  return value;
}

/**
 * Generic polars in the form of qtVlm and OpenCPN. They are this project's own, plausible for their kinds of
 * boats but not measured: suitable sails, a clean hull, flat water. Owners should replace them with their own
 * numbers.
 */
const texts = {
  cruising_10m: `TWA\\TWS;4;6;8;10;12;14;16;20;25;30;35
35;2.0;2.6;2.9;3.0;3.1;3.2;3.2;3.2;3.1;2.9;2.6
40;2.5;3.3;3.7;3.9;4.0;4.1;4.1;4.1;4.1;3.8;3.4
45;3.0;3.9;4.4;4.7;4.9;4.9;5.0;5.0;4.9;4.6;4.2
52;3.4;4.5;5.2;5.5;5.7;5.8;5.9;5.9;5.8;5.5;5.1
60;3.6;4.8;5.6;6.0;6.2;6.4;6.4;6.5;6.4;6.1;5.7
75;3.5;4.8;5.7;6.2;6.6;6.7;6.9;7.0;6.9;6.7;6.4
90;3.2;4.5;5.4;6.1;6.5;6.8;6.9;7.1;7.2;7.1;7.0
110;3.2;4.5;5.4;6.1;6.5;6.8;6.9;7.2;7.3;7.4;7.5
120;3.1;4.4;5.3;6.0;6.4;6.7;6.9;7.1;7.3;7.4;7.5
135;2.7;3.9;4.9;5.5;6.0;6.4;6.6;7.0;7.2;7.3;7.5
150;2.4;3.5;4.4;5.1;5.6;6.0;6.3;6.7;7.0;7.2;7.4
165;2.0;3.0;3.8;4.5;5.1;5.5;5.8;6.3;6.8;7.0;7.2
180;1.7;2.5;3.3;3.9;4.5;4.9;5.3;5.9;6.4;6.8;7.0`,
  cruising_14m: `TWA\\TWS;4;6;8;10;12;14;16;20;25;30;35
35;2.7;3.4;3.8;4.0;4.1;4.2;4.2;4.2;4.2;3.8;3.5
40;3.3;4.3;4.9;5.1;5.3;5.4;5.4;5.4;5.3;4.9;4.5
45;3.9;5.1;5.7;6.1;6.3;6.4;6.4;6.4;6.3;5.9;5.4
52;4.4;5.8;6.6;7.0;7.2;7.4;7.4;7.5;7.4;6.9;6.4
60;4.6;6.1;7.0;7.6;7.9;8.0;8.1;8.1;8.1;7.6;7.2
75;4.5;6.1;7.1;7.8;8.2;8.4;8.5;8.6;8.6;8.3;8.0
90;4.0;5.6;6.8;7.6;8.1;8.4;8.6;8.8;8.9;8.8;8.7
110;4.0;5.6;6.8;7.6;8.1;8.4;8.6;8.9;9.1;9.2;9.3
120;3.9;5.5;6.6;7.4;8.0;8.3;8.5;8.9;9.1;9.2;9.4
135;3.5;5.0;6.1;6.9;7.5;7.9;8.2;8.6;8.9;9.1;9.3
150;3.0;4.4;5.5;6.4;7.0;7.5;7.8;8.3;8.7;9.0;9.2
165;2.6;3.8;4.8;5.7;6.3;6.9;7.2;7.9;8.4;8.8;9.1
180;2.1;3.2;4.1;4.9;5.6;6.1;6.6;7.4;8.0;8.5;8.9`,
  catamaran_13m: `TWA\\TWS;4;6;8;10;12;14;16;20;25;30;35
35;1.5;2.0;2.4;2.6;2.7;2.7;2.8;2.8;2.8;2.5;2.3
40;2.2;2.9;3.4;3.7;3.8;3.9;4.0;4.0;4.0;3.7;3.4
45;2.9;3.9;4.5;4.9;5.1;5.3;5.3;5.4;5.3;5.0;4.6
52;3.7;5.0;5.9;6.4;6.8;7.0;7.1;7.2;7.1;6.7;6.2
60;4.2;5.8;6.9;7.6;8.1;8.3;8.5;8.6;8.6;8.1;7.7
75;4.4;6.1;7.4;8.3;8.9;9.3;9.6;9.9;9.9;9.6;9.3
90;4.0;5.8;7.1;8.2;8.9;9.4;9.8;10.3;10.7;10.7;10.6
110;4.0;5.8;7.1;8.2;8.9;9.4;9.8;10.5;11.0;11.5;11.8
120;3.9;5.6;6.9;8.0;8.7;9.3;9.7;10.4;11.1;11.6;12.1
135;3.4;4.9;6.3;7.3;8.1;8.7;9.1;10.1;10.9;11.6;12.2
150;2.9;4.3;5.5;6.5;7.3;7.9;8.4;9.5;10.6;11.4;12.2
165;2.4;3.6;4.7;5.6;6.4;7.0;7.5;8.8;10.1;11.1;12.0
180;1.9;2.9;3.9;4.7;5.4;6.1;6.6;7.9;9.3;10.5;11.6`,
} as const;

export type GenericPolar = keyof typeof texts;

export const genericPolars = Object.keys(texts) as [GenericPolar, ...GenericPolar[]];

export function genericPolar(name: GenericPolar): string {
  return texts[name];
}

/** The side from which waves come, by their angle off the bow: 0–45, 45–90, 90–135 and 135–180°. */
export const waveSides = ["head", "bow", "quarter", "following"] as const;

export type WaveSide = (typeof waveSides)[number];

/**
 * Speeds of a motor vessel through the water by significant height, ascending from 0, and by the side of the
 * waves.
 */
export type MotorTable = Record<"heights_m" | (typeof sideColumns)[number], number[]>;

const sideColumns = ["head_kt", "bow_kt", "quarter_kt", "following_kt"] as const;

/**
 * A typical table for a speed in calm water, knots: the shares of that speed that a displacement motor vessel
 * of 12 to 20 m typically retains. It is this project's own estimate and belongs to no particular vessel;
 * owners should replace it with their own numbers.
 */
export function typicalTable(calm: number): MotorTable {
  const scaled = (...shares: number[]) => shares.map((share) => Math.round(100 * share * calm) / 100);
  return {
    heights_m: [0, 0.5, 1, 2, 3, 4, 6],
    head_kt: scaled(1, 0.98, 0.92, 0.75, 0.58, 0.45, 0.3),
    bow_kt: scaled(1, 0.98, 0.94, 0.82, 0.68, 0.55, 0.38),
    quarter_kt: scaled(1, 1, 0.98, 0.92, 0.82, 0.72, 0.55),
    following_kt: scaled(1, 1, 0.99, 0.95, 0.88, 0.8, 0.65),
  };
}

/** Each side of the waves is 45° wide; the table gives the speed for the middle of a side. */
const SIDE_DEGREES = 45;

/**
 * Speed through the water, knots: linear between the heights of the table and between the middles of its
 * sides; constant above its last height and beyond its first and last middle.
 *
 * @param relative Where the waves come from, degrees off the bow, −180..180.
 * @param height Significant height, m.
 */
export function motorSpeed(table: MotorTable, relative: number, height: number): number {
  const middle = Math.min(3, Math.max(0, Math.abs(relative) / SIDE_DEGREES - 0.5));
  const below = Math.floor(middle);
  const before = speedAt(table, below, height);
  if (middle === below) return before;
  return before + (middle - below) * (speedAt(table, below + 1, height) - before);
}

function speedAt(table: MotorTable, side: number, height: number): number {
  const { heights_m: heights } = table;
  const speeds = table[sideColumns[side]!];
  return linearIn(heights, speeds, height);
}
