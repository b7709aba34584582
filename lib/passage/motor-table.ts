/** The side that waves come from, by their angle off the bow: 0–45, 45–90, 90–135 and 135–180°. */
export const waveSides = ["head", "bow", "quarter", "following"] as const;

export type WaveSide = (typeof waveSides)[number];

/** Speeds of a motor vessel through the water by significant height and the side of the waves. */
export interface MotorTable extends Readonly<Record<WaveSide, readonly number[]>> {
  /** Significant heights, m, ascending from 0. */
  heights: readonly number[];
}

/**
 * Shares of the speed in calm water that a displacement motor vessel of 12 to 20 m typically keeps. Our own estimate, of no
 * vessel in particular: it is there to be replaced by the owner's numbers.
 */
const typicalShares: MotorTable = {
  heights: [0, 0.5, 1, 2, 3, 4, 6],
  head: [1, 0.98, 0.92, 0.75, 0.58, 0.45, 0.3],
  bow: [1, 0.98, 0.94, 0.82, 0.68, 0.55, 0.38],
  quarter: [1, 1, 0.98, 0.92, 0.82, 0.72, 0.55],
  following: [1, 1, 0.99, 0.95, 0.88, 0.8, 0.65],
};

/** The typical table for a speed in calm water, knots. */
export function typicalTable(calm: number): MotorTable {
  const { heights, ...sides } = typicalShares;
  const scaled = (shares: readonly number[]) => shares.map((share) => Math.round(100 * share * calm) / 100);
  return {
    heights,
    head: scaled(sides.head),
    bow: scaled(sides.bow),
    quarter: scaled(sides.quarter),
    following: scaled(sides.following),
  };
}

/** Each side of the waves is 45° wide, and its speeds are those of its middle. */
const SIDE_DEGREES = 45;

/**
 * Speed through the water, knots: linear between the heights of the table and between the middles of its sides. Above its
 * last height, and beyond its first and last middle, it stays as it is there.
 *
 * @param relative Where the waves come from, degrees off the bow, −180..180.
 * @param height Significant height, m.
 */
export function motorSpeed(table: MotorTable, relative: number, height: number): number {
  const middle = Math.min(3, Math.max(0, Math.abs(relative) / SIDE_DEGREES - 0.5));
  const below = Math.floor(middle);
  const before = speedAt(table, waveSides[below]!, height);
  if (middle === below) return before;
  return before + (middle - below) * (speedAt(table, waveSides[below + 1]!, height) - before);
}

function speedAt(table: MotorTable, side: WaveSide, height: number): number {
  const { heights } = table;
  const speeds = table[side];
  const above = heights.findIndex((entry) => entry >= height);
  if (above < 0) return speeds.at(-1)!;
  if (above === 0) return speeds[0]!;
  const [low, high] = [heights[above - 1]!, heights[above]!];
  const share = (height - low) / (high - low);
  return speeds[above - 1]! + (speeds[above]! - speeds[above - 1]!) * share;
}
