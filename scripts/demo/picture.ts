import { png } from "./png.ts";

/** Colours from the low end of a scale to the high end, evenly spaced: [red, green, blue] 0..255. */
export type Scale = readonly (readonly [number, number, number])[];

export const scales = {
  speed: [
    [33, 30, 80],
    [40, 90, 165],
    [50, 160, 160],
    [110, 200, 90],
    [240, 220, 70],
    [235, 130, 50],
    [200, 40, 60],
    [240, 180, 240],
  ],
  heat: [
    [70, 40, 130],
    [50, 110, 200],
    [130, 200, 220],
    [240, 240, 200],
    [250, 190, 90],
    [225, 90, 50],
    [130, 20, 40],
  ],
  wet: [
    [250, 250, 250],
    [150, 210, 240],
    [50, 120, 210],
    [60, 170, 80],
    [240, 220, 60],
    [220, 60, 40],
    [150, 40, 160],
  ],
  grey: [
    [20, 40, 90],
    [250, 250, 250],
  ],
  depth: [
    [225, 240, 235],
    [120, 190, 210],
    [40, 110, 180],
    [15, 50, 120],
    [10, 15, 50],
  ],
} as const satisfies Record<string, Scale>;

/** What is drawn: a field, its scale, and what lies over it. Arrays are (rows, columns), south to north. */
export interface Picture {
  rows: number;
  columns: number;
  values: Float32Array;
  low: number;
  high: number;
  scale: Scale;
  /** Land is drawn darker where 1. */
  land?: Uint8Array;
  /** Lines of equal value of another field, every `step`. */
  contours?: { values: Float32Array; step: number };
  /** A stroke along the vector every `every` nodes, with a dot at its tail; full length at `unit`. */
  arrows?: { east: Float32Array; north: Float32Array; every: number; unit: number };
}

const MISSING = [96, 96, 92] as const;

/** Draws a field, enlarged `zoom` times, as PNG bytes. */
export function draw(picture: Picture, zoom = 2): Buffer {
  const { rows, columns, values } = picture;
  const width = columns * zoom;
  const height = rows * zoom;
  const pixels = new Uint8Array(width * height * 3);
  const put = (x: number, y: number, colour: readonly number[]) => {
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    pixels.set(colour, (y * width + x) * 3);
  };
  const colour = [0, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (rows - 1 - Math.floor(y / zoom)) * columns + Math.floor(x / zoom);
      paint(picture, values[at]!, picture.land?.[at] === 1, colour);
      put(x, y, colour);
    }
  }
  if (picture.contours) drawContours(picture, zoom, put);
  if (picture.arrows) drawArrows(picture, zoom, put);
  return png(width, height, pixels);
}

function paint(picture: Picture, value: number, land: boolean, out: number[]): void {
  const shade = land ? 0.72 : 1;
  const last = picture.scale.length - 1;
  const x = Math.min(last, Math.max(0, ((value - picture.low) / (picture.high - picture.low)) * last));
  const below = Math.min(last - 1, Math.floor(x));
  for (let part = 0; part < 3; part++) {
    const from = picture.scale[below]?.[part] ?? 0;
    const to = picture.scale[below + 1]?.[part] ?? 0;
    out[part] = Number.isNaN(value) ? MISSING[part]! : shade * (from + (x - below) * (to - from));
  }
}

type Put = (x: number, y: number, colour: readonly number[]) => void;

function drawContours({ contours, rows, columns }: Picture, zoom: number, put: Put): void {
  if (!contours) return;
  const { values, step } = contours;
  const band = (x: number, y: number) => {
    const row = Math.min(rows - 1, Math.max(0, rows - 0.5 - y / zoom));
    const column = Math.min(columns - 1, x / zoom);
    const south = Math.min(rows - 2, Math.floor(row));
    const west = Math.min(columns - 2, Math.floor(column));
    const n = row - south;
    const e = column - west;
    const at = south * columns + west;
    const low = values[at]! + e * (values[at + 1]! - values[at]!);
    const high = values[at + columns]! + e * (values[at + columns + 1]! - values[at + columns]!);
    return Math.floor((low + n * (high - low)) / step);
  };
  for (let y = 0; y < rows * zoom - 1; y++) {
    for (let x = 0; x < columns * zoom - 1; x++) {
      const here = band(x, y);
      if (here !== band(x + 1, y) || here !== band(x, y + 1)) put(x, y, [15, 15, 20]);
    }
  }
}

function drawArrows({ arrows, rows, columns }: Picture, zoom: number, put: Put): void {
  if (!arrows) return;
  const { east, north, every, unit } = arrows;
  for (let row = every >> 1; row < rows; row += every) {
    for (let column = every >> 1; column < columns; column += every) {
      const at = row * columns + column;
      const u = east[at]!;
      const v = north[at]!;
      if (Number.isNaN(u + v)) continue;
      const scale = (0.9 * every * zoom * Math.min(1, Math.hypot(u, v) / unit)) / (Math.hypot(u, v) || 1);
      const x = (column + 0.5) * zoom;
      const y = (rows - 0.5 - row) * zoom;
      for (let step = 0; step <= 1; step += 0.04) {
        put(Math.round(x + u * scale * step), Math.round(y - v * scale * step), [255, 255, 255]);
      }
      for (const [dx, dy] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ] as const) {
        put(Math.round(x) + dx, Math.round(y) + dy, [255, 255, 255]);
      }
    }
  }
}
