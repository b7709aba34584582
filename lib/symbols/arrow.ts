import type { Glyph } from "./glyph.ts";

/** Below this speed a current is drawn as a dot, m s-1: 0.1 kn. */
export const SLACK = 0.05;

/** Lengths are multiples of a step, so that an atlas can have all of them. CSS pixels. */
export const LENGTH_STEP = 2;
export const MIN_LENGTH = 8;
export const MAX_LENGTH = 44;

/**
 * Length of a current arrow: ∝ √speed, so that slow ocean currents remain visible beside a tide race.
 *
 * @param speed m s-1; 0.5 m s-1 (1 kn) is 24 px.
 */
export function currentLength(speed: number): number {
  return stepped(24 * Math.sqrt(speed / 0.5));
}

/** Length of a wave arrow: ∝ √height; 2 m is 24 px. @param height Significant height, m. */
export function waveLength(height: number): number {
  return stepped(24 * Math.sqrt(height / 2));
}

function stepped(pixels: number): number {
  return Math.min(MAX_LENGTH, Math.max(MIN_LENGTH, LENGTH_STEP * Math.round(pixels / LENGTH_STEP)));
}

/**
 * Current arrow with an open head, drawn pointing up; rotate it to where the current sets TO. Its middle is at the place.
 *
 * @param length CSS pixels; 0 is the dot of slack water.
 */
export function currentArrow(length: number): Glyph {
  if (length === 0) {
    const dot = [0, 60, 120, 180, 240, 300].map((degrees) => {
      const angle = (degrees * Math.PI) / 180;
      return [1.6 * Math.cos(angle), 1.6 * Math.sin(angle)] as const;
    });
    return { lines: [], filled: [dot], rings: [] };
  }
  const tip = length / 2;
  const barb = Math.min(10, 2.5 + length / 4);
  return {
    lines: [
      [
        [0, -tip],
        [0, tip],
      ],
      [
        [-barb * 0.8, tip - barb],
        [0, tip],
        [barb * 0.8, tip - barb],
      ],
    ],
    filled: [],
    rings: [],
  };
}

/**
 * Wave arrow with a filled head, drawn pointing up; rotate it to where the waves travel, so that the tail is where they
 * come FROM. Its middle is at the place.
 *
 * @param length CSS pixels.
 */
export function waveArrow(length: number): Glyph {
  const tip = length / 2;
  const head = Math.min(12, 4 + length / 4);
  return {
    lines: [
      [
        [0, -tip],
        [0, tip - head + 1],
      ],
    ],
    filled: [
      [
        [0, tip],
        [-head * 0.5, tip - head],
        [head * 0.5, tip - head],
      ],
    ],
    rings: [],
  };
}

/**
 * Wind arrow with a notched head, drawn pointing up; rotate it to where the wind blows, so that the tail is where it comes
 * FROM. Its middle is at the place.
 *
 * @param length CSS pixels.
 */
export function windArrow(length: number): Glyph {
  const tip = length / 2;
  const head = Math.min(12, 3 + length / 4);
  return {
    lines: [
      [
        [0, -tip],
        [0, tip - head * 0.7],
      ],
    ],
    filled: [
      [
        [0, tip],
        [-head * 0.5, tip - head],
        [0, tip - head * 0.7],
        [head * 0.5, tip - head],
      ],
    ],
    rings: [],
  };
}
