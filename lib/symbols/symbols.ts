/** Below this speed a current is drawn as a dot, m s-1: 0.1 kn. */
export const SLACK = 0.05;

/** Lengths are multiples of this step, CSS pixels, so that an atlas can contain all of them. */
export const LENGTH_STEP = 2;
export const MIN_LENGTH = 8;
export const MAX_LENGTH = 44;

/**
 * Length of a current arrow, proportional to √speed, so that slow ocean currents remain visible beside a
 * tidal race.
 *
 * @param speed m s-1; 0.5 m s-1 (1 kn) gives 24 px.
 */
export function currentLength(speed: number): number {
  return stepped(24 * Math.sqrt(speed / 0.5));
}

/** Length of a wave arrow, proportional to √height; 2 m gives 24 px. @param height Significant height, m. */
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

/**
 * Mark of a tide: a triangle that points up while it rises and down while it falls; a ring if there is hardly
 * any tide.
 */
export function tideMark(trend: 1 | -1 | 0): Glyph {
  if (trend === 0) return { lines: [], filled: [], rings: [3.5] };
  const triangle = [
    [0, 5 * trend],
    [-5, -3.5 * trend],
    [5, -3.5 * trend],
  ] as const;
  return { lines: [], filled: [triangle], rings: [] };
}

/**
 * Mark of a tidal stream station: a current arrow through a ring, to distinguish it from the model's
 * currents.
 */
export function streamMark(length: number): Glyph {
  return { ...currentArrow(length), rings: length === 0 ? [] : [3] };
}

/** Length of the shaft, CSS pixels. */
const SHAFT = 30;
/** Spacing of feathers along the shaft. */
const GAP = 5;
/** Distance of a full feather's tip from the shaft, and its slant towards the windward end. */
const REACH = 11;
const LEAN = 4;
/** Width of a pennant where it meets the shaft. */
const PENNANT = 6;
const CALM_RING = 4;

/** The feathers of a barb. */
interface Feathers {
  pennants: number;
  full: number;
  half: number;
}

/** Speed rounded to what a barb can show, knots: a multiple of 5; 0 below 2.5, which is a calm. */
export function barbSpeed(knots: number): number {
  return 5 * Math.round(knots / 5);
}

/**
 * Feathers for a speed rounded to 5 kn: pennants of 50, full feathers of 10, at most one half feather of 5
 * (WMO No. 485, appendix II-4). Undefined in a calm, which is drawn as a ring.
 */
export function feathersOf(knots: number): Feathers | undefined {
  const fives = barbSpeed(knots) / 5;
  if (fives === 0) return undefined;
  return { pennants: Math.floor(fives / 10), full: Math.floor((fives % 10) / 2), half: fives % 2 };
}

/**
 * Wind barb: the shaft runs up from the place (0, 0); rotate it to where the wind comes FROM.
 *
 * Feathers are on the side of the low pressure: left of the shaft seen downwind in the northern hemisphere,
 * which is the glyph's +x; right in the southern. The equator counts as northern.
 *
 * @param knots Wind speed, knots, whatever unit is shown elsewhere.
 * @param latitude Latitude of the place, degrees.
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
  // A single half feather is set back from the end, so that it is not mistaken for a clipped full one.
  if (pennants + full === 0) at -= GAP;
  for (let feather = 0; feather < full + half; feather++) {
    const share = feather < full ? 1 : 0.5;
    lines.push([
      [0, at],
      [side * REACH * share, at + LEAN * share],
    ]);
    at -= GAP;
  }
  // Feathers start at the windward end; many of them lengthen the shaft.
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

/** A point of a glyph: CSS pixels right and up of its place. */
type GlyphPoint = readonly [x: number, y: number];

/**
 * A symbol as geometry, drawn pointing up; it is rotated to its bearing when it is placed.
 *
 * The map draws it into its atlas, the legend draws it as SVG, and tests measure it.
 */
export interface Glyph {
  lines: readonly (readonly GlyphPoint[])[];
  /** Closed polygons that are filled. */
  filled: readonly (readonly GlyphPoint[])[];
  /** Radii of open circles around the place. */
  rings: readonly number[];
}

/** SVG path through the points. */
export function pathText(points: readonly GlyphPoint[]): string {
  return `M${points.map((point) => point.join(" ")).join("L")}`;
}

/** SVG paths of a glyph, with y downwards: its strokes and its filled areas. */
export function svgPaths({ lines, filled }: Pick<Glyph, "lines" | "filled">): {
  strokes: string;
  filled: string;
} {
  const down = (points: readonly GlyphPoint[]) => pathText(points.map(([x, y]) => [x, -y]));
  return { strokes: lines.map(down).join(""), filled: filled.map((points) => `${down(points)}Z`).join("") };
}

/** A point of a glyph, rotated so that the glyph points along a bearing on a map with north up. */
export function turned([x, y]: GlyphPoint, bearing: number): GlyphPoint {
  const angle = (bearing * Math.PI) / 180;
  return [x * Math.cos(angle) + y * Math.sin(angle), y * Math.cos(angle) - x * Math.sin(angle)];
}
