import type { Glyph } from "./glyph.ts";

/** Below this a current is drawn as a dot: it sets nowhere in particular. m s-1, 0.1 kn. */
export const SLACK = 0.05;

/** Arrows are drawn in lengths of whole steps, so that an atlas holds them all. CSS pixels. */
export const STEP = 2;
export const SHORTEST = 8;
export const LONGEST = 44;

/**
 * Length of a current arrow: ∝ √speed, so that a tide race does not drown the ocean, which is slow.
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
  return Math.min(LONGEST, Math.max(SHORTEST, STEP * Math.round(pixels / STEP)));
}

/**
 * Current arrow: one open head; up is to be turned to where the current goes TO. Its middle is at the place.
 *
 * @param length CSS pixels; 0 draws the dot of slack water.
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
 * Wave arrow: a filled head, drawn travelling; up is to be turned to where the waves go, so that the tail is where they
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
