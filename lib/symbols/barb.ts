import type { Glyph, GlyphPoint } from "./glyph.ts";

/** Length of the shaft, CSS pixels. */
const SHAFT = 30;
/** Distance between feathers along the shaft. */
const GAP = 5;
/** How far a full feather reaches from the shaft, and how far its tip leans to the windward end. */
const REACH = 11;
const LEAN = 4;
/** Width of a pennant where it meets the shaft. */
const PENNANT = 6;
const CALM_RING = 4;

/** The feathers that stand for a speed. */
export interface Feathers {
  pennants: number;
  full: number;
  half: number;
}

/** Speed that a barb can show, knots: a multiple of 5; 0 below 2.5, which is a calm. */
export function barbSpeed(knots: number): number {
  return 5 * Math.round(knots / 5);
}

/**
 * Speed as feathers, rounded to 5 kn: pennants of 50, full feathers of 10, at most one half of 5 (WMO No. 485,
 * appendix II-4). Undefined in a calm, which is drawn as a ring.
 */
export function feathersOf(knots: number): Feathers | undefined {
  const fives = barbSpeed(knots) / 5;
  if (fives === 0) return undefined;
  return { pennants: Math.floor(fives / 10), full: Math.floor((fives % 10) / 2), half: fives % 2 };
}

/**
 * Wind barb: the shaft leads from the place (0, 0) up, which is to be turned to where the wind comes FROM.
 *
 * Feathers stand on the side of the low pressure: left of the shaft seen downwind in the northern hemisphere, which is
 * the glyph's +x; right in the southern. The equator counts as northern.
 *
 * @param knots Wind speed, knots, whatever unit is shown elsewhere.
 * @param latitude Of the place, degrees.
 */
export function windBarb(knots: number, latitude: number): Glyph {
  const feathers = feathersOf(knots);
  if (!feathers) return { lines: [], filled: [], rings: [CALM_RING] };
  const { pennants, full, half } = feathers;
  const side = latitude < 0 ? -1 : 1;
  const lines: GlyphPoint[][] = [];
  const filled: GlyphPoint[][] = [];
  let at = 0;
  for (let pennant = 0; pennant < pennants; pennant++) {
    filled.push([
      [0, at],
      [0, at - PENNANT],
      [side * REACH, at],
    ]);
    at -= PENNANT + 1;
  }
  if (pennants > 0) at -= 2;
  // A half feather alone stands in from the end, so that it is not read as a full one that is cut off.
  if (pennants + full === 0) at -= GAP;
  for (let feather = 0; feather < full + half; feather++) {
    const share = feather < full ? 1 : 0.5;
    lines.push([
      [0, at],
      [side * REACH * share, at + LEAN * share],
    ]);
    at -= GAP;
  }
  // Feathers begin at the windward end; a storm's many make the shaft longer.
  const end = Math.max(SHAFT, 8 - at);
  const up = ([x, y]: GlyphPoint): GlyphPoint => [x, y + end];
  return {
    lines: [
      [
        [0, 0],
        [0, end],
      ],
      ...lines.map((line) => line.map(up)),
    ],
    filled: filled.map((polygon) => polygon.map(up)),
    rings: [],
  };
}
