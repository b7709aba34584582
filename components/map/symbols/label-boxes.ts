import type { Map as MapLibreMap } from "maplibre-gl";
import type { MapView, ScreenPoint } from "#components/map/map-view.ts";
import { RADIANS } from "#lib/geo/sphere.ts";
import type { Glyph } from "#lib/symbols/glyph.ts";

/** A label on the map: the place of its centre, and half of its size, CSS pixels. */
export interface LabelBox {
  latitude: number;
  longitude: number;
  halfWidth: number;
  halfHeight: number;
}

/** MapLibre places labels on a canvas that is larger by this on each side, pixels. */
const PADDING = 100;

/**
 * The labels that MapLibre has placed: names, numbers of lines, storms. A label along a line is a row of small boxes.
 *
 * They are read from its index of collisions, which is exact and costs nothing. It is no documented interface: where a
 * version has none, no symbol makes way.
 */
export function readLabelBoxes(map: MapLibreMap): LabelBox[] {
  const { bboxes = [], circles = [] } = map.style?.placement?.collisionIndex?.grid ?? {};
  const boxes: LabelBox[] = [];
  const add = (x: number, y: number, halfWidth: number, halfHeight: number) => {
    const { lat, lng } = map.unproject([x - PADDING, y - PADDING]);
    boxes.push({ latitude: lat, longitude: lng, halfWidth, halfHeight });
  };
  for (let at = 0; at + 3 < bboxes.length; at += 4) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = bboxes.slice(at, at + 4);
    add((x1 + x2) / 2, (y1 + y2) / 2, (x2 - x1) / 2, (y2 - y1) / 2);
  }
  for (let at = 0; at + 2 < circles.length; at += 3) {
    const [x = 0, y = 0, radius = 0] = circles.slice(at, at + 3);
    add(x, y, radius, radius);
  }
  return boxes;
}

/** Whether two readings are of the same labels, as near as a pixel may tell. @param degrees Of a pixel. */
export function sameLabels(one: readonly LabelBox[], other: readonly LabelBox[], degrees: number): boolean {
  return (
    one.length === other.length &&
    one.every((box, index) => {
      const beside = other[index]!;
      return (
        Math.abs(box.latitude - beside.latitude) <= degrees &&
        Math.abs(box.longitude - beside.longitude) <= degrees &&
        box.halfWidth === beside.halfWidth
      );
    })
  );
}

/** Side of the squares that labels are marked in, CSS pixels. */
const SQUARE = 4;

/** Whether a glyph on the canvas would lie under a label. @param turn Degrees clockwise from up. */
export type Covered = (glyph: string, at: ScreenPoint, turn: number) => boolean;

/**
 * Marks the labels of a view on a lattice of squares, once a frame, so that each symbol looks up a few points of its own.
 *
 * @param outlines Points of the glyphs, from `glyphOutlines`.
 */
export function coverOf(
  view: MapView,
  labels: readonly LabelBox[],
  outlines: ReadonlyMap<string, readonly (readonly [x: number, y: number])[]>,
): Covered {
  const columns = Math.ceil(view.width / SQUARE);
  const rows = Math.ceil(view.height / SQUARE);
  const marked = new Uint8Array(columns * rows);
  const at: ScreenPoint = { x: 0, y: 0 };
  for (const { latitude, longitude, halfWidth, halfHeight } of labels) {
    if (view.project(latitude, longitude, at) <= 0) continue;
    const first = Math.max(0, Math.floor((at.x - halfWidth) / SQUARE));
    const last = Math.min(columns - 1, Math.floor((at.x + halfWidth) / SQUARE));
    const top = Math.max(0, Math.floor((at.y - halfHeight) / SQUARE));
    const bottom = Math.min(rows - 1, Math.floor((at.y + halfHeight) / SQUARE));
    for (let row = top; row <= bottom; row++) {
      if (last >= first) marked.fill(1, row * columns + first, row * columns + last + 1);
    }
  }
  return (glyph, { x, y }, turn) => {
    const points = outlines.get(glyph);
    if (!points) return false;
    const [sin, cos] = [Math.sin(turn * RADIANS), Math.cos(turn * RADIANS)];
    for (const [right, up] of points) {
      const column = Math.floor((x + right * cos + up * sin) / SQUARE);
      const row = Math.floor((y - up * cos + right * sin) / SQUARE);
      if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
      if (marked[row * columns + column]) return true;
    }
    return false;
  };
}

/** Distance of points along the strokes of a glyph, CSS pixels. */
const ALONG = 5;

/** Points along the strokes of glyphs, by name. */
export function glyphOutlines(
  glyphs: ReadonlyMap<string, Glyph>,
): Map<string, readonly (readonly [x: number, y: number])[]> {
  return new Map([...glyphs].map(([name, glyph]) => [name, outlineOf(glyph)]));
}

function outlineOf({ lines, filled, rings }: Glyph): [x: number, y: number][] {
  const points: [number, number][] = [];
  for (const line of [...lines, ...filled]) {
    line.forEach(([x, y], index) => {
      const [x0, y0] = line[index - 1] ?? [x, y];
      const pieces = Math.max(1, Math.ceil(Math.hypot(x - x0, y - y0) / ALONG));
      for (let piece = 1; piece <= pieces; piece++) {
        points.push([x0 + ((x - x0) * piece) / pieces, y0 + ((y - y0) * piece) / pieces]);
      }
    });
  }
  for (const radius of rings) points.push([radius, 0], [-radius, 0], [0, radius], [0, -radius]);
  return points;
}
