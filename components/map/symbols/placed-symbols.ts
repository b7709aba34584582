import { toKnots } from "@open-metocean/geo/knots";
import { RADIANS } from "@open-metocean/geo/sphere";
import type { Map as MapLibreMap } from "maplibre-gl";
import type { OnLand } from "#components/map/land/land-tiles.ts";
import { type MapView, northing, type ScreenPoint } from "#components/map/map-view.ts";
import { directionOutput, layerRow, paintedOutput, variableOfBands } from "#lib/catalog/colours.ts";
import type { Frame } from "#lib/field/frame.ts";
import { type FramePair, sampleBand } from "#lib/field/interpolate.ts";
import { bearingFrom, bearingTo } from "#lib/field/vector.ts";
import { barbSpeed, currentLength, type Glyph, SLACK, waveLength } from "#lib/symbols/symbols.ts";
import { MAX_BARB, type SymbolQuantity } from "./glyph-atlas.ts";

/** A glyph with its position and rotation. */
export interface PlacedSymbol {
  /** Longitude and latitude, degrees. */
  position: [longitude: number, latitude: number];
  /** Name of the glyph, one of `glyphsOf`. */
  glyph: string;
  /** Rotation of the glyph, degrees clockwise from up on the canvas. */
  turn: number;
}

interface Reading {
  glyph: string;
  /** Bearing along which the glyph points; NaN if it has none. */
  bearing: number;
}

/**
 * @param x Eastward component of the vector as stored. @param y Northward component.
 * @param value Value that the colours show: speed, m s-1, or wave height, m.
 */
type Reader = (x: number, y: number, value: number, latitude: number) => Reading | undefined;

/**
 * Places symbols of a field on the lattice of a view, sampled as the API does. There are none on land or
 * where a value is missing.
 *
 * @param covered Tells which symbols would lie under a label; those are left out.
 * @returns An empty array if the frames have no quantity with a symbol.
 */
export function placeSymbols(
  view: MapView,
  pair: FramePair,
  onLand: OnLand,
  covered?: Covered,
): PlacedSymbol[] {
  const quantity = quantityOf(pair.before);
  const names = pair.before.bands.map(({ name }) => name);
  const variable = variableOfBands(names);
  if (!quantity || !variable) return [];
  const read = readers[quantity];
  const [x = 0, y = 0] = (directionOutput(variable)?.of ?? []).map((field) => names.indexOf(field));
  const painted = paintedOutput(variable);
  const value = painted.is === "speed" ? undefined : names.indexOf(painted.of[0]);
  const places = latticePlaces(view);
  const symbols: PlacedSymbol[] = [];
  const way: ScreenPoint = { x: 0, y: 0 };
  const at: ScreenPoint = { x: 0, y: 0 };
  for (let index = 0; index < places.length; index += 2) {
    const [latitude = 0, longitude = 0] = [places[index], places[index + 1]];
    const eastward = sampleBand(pair, x, latitude, longitude);
    const northward = sampleBand(pair, y, latitude, longitude);
    const shown =
      value === undefined ? Math.hypot(eastward, northward) : sampleBand(pair, value, latitude, longitude);
    const reading = read(eastward, northward, shown, latitude);
    if (!reading || onLand(latitude, longitude)) continue;
    const { glyph, bearing } = reading;
    view.along(latitude, longitude, Number.isNaN(bearing) ? 0 : bearing, way);
    const turn = Math.atan2(way.x, -way.y) / RADIANS;
    if (covered) {
      view.project(latitude, longitude, at);
      if (covered(glyph, at, turn)) continue;
    }
    symbols.push({ position: [longitude, latitude], glyph, turn });
  }
  return symbols;
}

/** The quantity of a frame that has a symbol. */
export function quantityOf({ bands }: Frame): SymbolQuantity | undefined {
  const variable = variableOfBands(bands.map(({ name }) => name));
  const symbols = variable && layerRow(variable).symbols;
  if (!variable || !symbols) return undefined;
  if (symbols === "barbs") return "wind";
  return directionOutput(variable)?.is === "bearingTo" ? "current" : "wave";
}

const readers: Record<SymbolQuantity, Reader> = {
  wind(x, y, speed, latitude) {
    const knots = toKnots(speed);
    if (Number.isNaN(knots)) return undefined;
    const shown = Math.min(MAX_BARB, barbSpeed(knots));
    return { glyph: `barb ${latitude < 0 ? "S" : "N"} ${shown}`, bearing: bearingFrom(x, y) };
  },
  current(x, y, speed) {
    if (Number.isNaN(speed)) return undefined;
    return { glyph: `current ${speed < SLACK ? 0 : currentLength(speed)}`, bearing: bearingTo(x, y) };
  },
  wave(x, y, height) {
    // The stored unit vector points to where the waves come from, and they travel the other way.
    const bearing = bearingTo(-x, -y);
    if (Number.isNaN(bearing) || !(height > 0)) return undefined;
    return { glyph: `wave ${waveLength(height)}`, bearing };
  },
};

/** Minimum distance between symbols on the canvas, CSS pixels; it grows by up to √2. */
const MIN_GAP = 50;

/**
 * Margin outside the canvas in which symbols are placed, so that those at its edge are complete, CSS pixels.
 */
const MARGIN = 48;

/** Least squareness of a place, 0..1, because symbols are too dense towards the limb of the globe. */
const MIN_SQUARENESS = 0.16;

/** Latitude beyond which bearings have no practical meaning, degrees. */
const LAST_LATITUDE = 88;

/**
 * Places of symbols: a lattice fixed to the Earth, so that symbols move with the map. When zooming in, each
 * lattice contains the previous one and adds the centres of its squares.
 *
 * @returns Latitude and longitude (−180 ≤ λ < 180), interleaved; each place once, however many copies of the
 * world are visible.
 */
export function latticePlaces(view: MapView): number[] {
  return view.onGlobe ? globePlaces(view) : mercatorPlaces(view);
}

function mercatorPlaces(view: MapView): number[] {
  const world = view.pixelsPerDegree * 360 * Math.cos(view.centre.latitude * RADIANS);
  // The density doubles at every second step; at steps in between every other node is omitted, as on a
  // chessboard.
  const step = Math.floor(2 * Math.log2(world / MIN_GAP / 9));
  const chequered = step % 2 !== 0;
  const columns = Math.max(18, 9 * 2 ** Math.ceil(step / 2));
  const size = world / columns;
  const west = ((view.centre.longitude + 180) / 360) * columns - (view.width / 2 + MARGIN) / size;
  const east = west + (view.width + 2 * MARGIN) / size;
  const middle = (northing(view.centre.latitude) / (2 * Math.PI)) * columns;
  const half = (view.height / 2 + MARGIN) / size;
  const first = Math.max(Math.ceil(middle - half), Math.ceil(-columns / 2) + 1);
  const last = Math.min(Math.floor(middle + half), Math.floor(columns / 2) - 1);
  const firstColumn = Math.ceil(west);
  const lastColumn = Math.min(Math.floor(east), firstColumn + columns - 1);
  const places: number[] = [];
  for (let row = first; row <= last; row++) {
    const latitude = Math.atan(Math.sinh((row / columns) * 2 * Math.PI)) / RADIANS;
    for (let column = firstColumn; column <= lastColumn; column++) {
      if (chequered && (row + column) % 2 !== 0) continue;
      places.push(latitude, ((((column % columns) + columns) % columns) / columns) * 360 - 180);
    }
  }
  return places;
}

function globePlaces(view: MapView): number[] {
  const step = Math.floor(2 * Math.log2((view.pixelsPerDegree * 180) / MIN_GAP / 8));
  const rows = Math.max(8, Math.round(8 * 2 ** (step / 2)));
  const places: number[] = [];
  const at: ScreenPoint = { x: 0, y: 0 };
  for (let row = 1; row < rows; row++) {
    const latitude = -90 + (row * 180) / rows;
    if (Math.abs(latitude) > LAST_LATITUDE) continue;
    const columns = Math.max(3, Math.round(2 * rows * Math.cos(latitude * RADIANS)));
    for (let column = 0; column < columns; column++) {
      const longitude = -180 + ((column + (row % 2) / 2) * 360) / columns;
      if (view.project(latitude, longitude, at) < MIN_SQUARENESS) continue;
      const seen =
        at.x > -MARGIN && at.x < view.width + MARGIN && at.y > -MARGIN && at.y < view.height + MARGIN;
      if (seen) places.push(latitude, longitude);
    }
  }
  return places;
}

/** A label on the map: the place of its centre, and half its size, CSS pixels. */
export interface LabelBox {
  latitude: number;
  longitude: number;
  halfWidth: number;
  halfHeight: number;
}

/** MapLibre places labels on a canvas that is larger than the map by this on each side, pixels. */
const PADDING = 100;

/**
 * The labels that MapLibre has placed: names, numbers of lines, storms. A label along a line is a row of
 * small boxes.
 *
 * They are read from MapLibre's collision index, which is exact and costs nothing. The index is undocumented;
 * in a version without it, symbols do not avoid labels.
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

/**
 * Reports the labels of a map whenever a frame has placed others while the map stands still. It does not wait until the map is
 * idle, because over a slow network tiles are being read for seconds, and symbols would stand on names until then.
 *
 * @param isWanted Whether somebody needs them; nothing is read otherwise.
 * @returns Function that ends the reports.
 */
export function watchLabels(
  map: MapLibreMap,
  isWanted: () => boolean,
  onChange: (labels: LabelBox[]) => void,
): () => void {
  let labels: LabelBox[] = [];
  const read = () => {
    if (!isWanted() || map.isMoving()) return;
    const now = readLabelBoxes(map);
    if (sameLabels(labels, now, degreesPerPixel(map))) return;
    labels = now;
    onChange(labels);
  };
  map.on("render", read);
  return () => void map.off("render", read);
}

/** Width of a pixel of a map, degrees of longitude. */
function degreesPerPixel(map: MapLibreMap): number {
  return 360 / (512 * 2 ** map.getZoom());
}

/** Whether two readings contain the same labels, to within a pixel. @param degrees Size of a pixel. */
function sameLabels(one: readonly LabelBox[], other: readonly LabelBox[], degrees: number): boolean {
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

/** Side of the squares in which labels are marked, CSS pixels. */
const SQUARE = 4;

/** Whether a glyph on the canvas would lie under a label. @param turn Degrees clockwise from up. */
type Covered = (glyph: string, at: ScreenPoint, turn: number) => boolean;

/**
 * Sets to 1 the places of a grid over the canvas that labels lie on.
 *
 * @param grid Its places by rows; `size` is the distance between two of them, CSS pixels.
 * @param toIndex The index of a position in the grid: `Math.floor` for squares, `Math.round` for nodes.
 */
export function markLabels(
  view: MapView,
  labels: readonly LabelBox[],
  { marked, columns, rows, size }: { marked: Uint8Array; columns: number; rows: number; size: number },
  toIndex: (position: number) => number,
): void {
  const at: ScreenPoint = { x: 0, y: 0 };
  for (const { latitude, longitude, halfWidth, halfHeight } of labels) {
    if (view.project(latitude, longitude, at) <= 0) continue;
    const first = Math.max(0, toIndex((at.x - halfWidth) / size));
    const last = Math.min(columns - 1, toIndex((at.x + halfWidth) / size));
    const top = Math.max(0, toIndex((at.y - halfHeight) / size));
    const bottom = Math.min(rows - 1, toIndex((at.y + halfHeight) / size));
    for (let row = top; row <= bottom; row++)
      if (last >= first) marked.fill(1, row * columns + first, row * columns + last + 1);
  }
}

/**
 * Marks the labels of a view on a lattice of squares, once per frame, so that each symbol only looks up a few
 * points of its own.
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
  markLabels(view, labels, { marked, columns, rows, size: SQUARE }, Math.floor);
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

/** Spacing of points along the strokes of a glyph, CSS pixels. */
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
