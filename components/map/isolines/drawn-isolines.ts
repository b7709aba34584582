import type { Feature, FeatureCollection, MultiLineString, Point } from "geojson";
import type { OnLand } from "#components/map/symbols/land-index.ts";
import { centres } from "#lib/field/centres.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { type Axis, type Grid, normaliseLongitude, wraps } from "#lib/field/grid.ts";
import { cutLine, smoothed } from "#lib/field/isoline-shape.ts";
import { type FieldAt, type Isoline, isolines, levelsOf, valuesAtNodes } from "#lib/field/isolines.ts";
import { type FramePair, sampleBand } from "#lib/field/sample.ts";
import type { IsolineStyle } from "./isoline-style.ts";

/** What part of the field is drawn as lines, and how finely. */
export interface IsolineView {
  /** Undefined: all of the field. */
  box: ViewBox | undefined;
  /** Pixels of a degree of latitude. */
  pixelsPerDegree: number;
}

interface LineText {
  text: string;
  bold: boolean;
}

/** What the map draws: lines with their text, and marks of highs and lows. */
export interface DrawnIsolines {
  lines: FeatureCollection<MultiLineString, LineText>;
  /** The stretches that text is set on: those at sea, for land hides the lines. */
  labels: FeatureCollection<MultiLineString, LineText>;
  centres: FeatureCollection<Point, { letter: "H" | "L"; text: string; rank: number }>;
}

/** Cells of the contoured grid are not coarser, degrees; nor, while they are small on the map, finer. */
const CELL = 0.5;
/** From this scale on, pixels a degree, the field is contoured as finely as it is known. */
const FINE_SCALE = 40;
/** Radius within which a high or low has no rival, degrees. */
const CENTRE_RADIUS = 5;
/** Points of lines are this far apart, pixels, before and after they are rounded. */
const [KEPT, DRAWN] = [4, 3];
/** Lines smaller than this say nothing on the map, pixels. */
const SMALLEST = 14;
/** Text keeps this far from land, and needs a stretch of this length, pixels. */
const [TEXT_AWAY, TEXT_ROOM] = [14, 40];

/** Lines and marks of a field at an instant. */
export function drawIsolines(
  pair: FramePair,
  set: IsolineStyle,
  view: IsolineView,
  onLand: OnLand,
): DrawnIsolines {
  const field: FieldAt = (latitude, longitude) => sampleBand(pair, set.band, latitude, longitude);
  const grid = contouredGrid(pair.before.grid, view);
  const values = valuesAtNodes(field, grid);
  const levels = levelsOf(values, set.step).filter((level) => level !== 0 || set.prominence !== undefined);
  const lines = isolines(field, grid, values, levels);
  const cell = grid.latitude.step * view.pixelsPerDegree;
  const least = Math.max(KEPT / view.pixelsPerDegree, grid.latitude.step * 0.35);
  const pieces = Math.min(8, Math.max(1, Math.ceil(Math.max(cell, KEPT) / DRAWN)));
  const byLevel = new Map<number, [number, number][][]>();
  for (const line of lines) {
    if (sizeOf(line) * view.pixelsPerDegree < SMALLEST) continue;
    const cut = byLevel.get(line.level) ?? [];
    cut.push(...cutLine(smoothed(line, least, pieces)));
    byLevel.set(line.level, cut);
  }
  const features = (piecesOf: (line: [number, number][]) => [number, number][][]) => ({
    type: "FeatureCollection" as const,
    features: [...byLevel].map(([level, coordinates]) => ({
      type: "Feature" as const,
      properties: {
        text: `${Number(level.toFixed(3))}${set.unit}`,
        bold: Math.abs(level % set.boldEvery) < 1e-6,
      },
      geometry: { type: "MultiLineString" as const, coordinates: coordinates.flatMap(piecesOf) },
    })),
  });
  const away = TEXT_AWAY / view.pixelsPerDegree;
  const room = TEXT_ROOM / view.pixelsPerDegree;
  return {
    lines: features((line) => [line]),
    labels: features((line) => stretchesAtSea(line, away, room, onLand)),
    centres: {
      type: "FeatureCollection",
      features: centresOf(field, grid, values, set, SMALLEST / view.pixelsPerDegree),
    },
  };
}

/** Parts of a line that keep `away` degrees from land, and are longer than `room`. */
function stretchesAtSea(
  line: [number, number][],
  away: number,
  room: number,
  onLand: OnLand,
): [number, number][][] {
  const stretches: [number, number][][] = [];
  let [stretch, length]: [[number, number][], number] = [[], 0];
  const end = () => {
    if (length > room) stretches.push(stretch);
    [stretch, length] = [[], 0];
  };
  for (const [longitude, latitude] of line) {
    const narrow = Math.cos((latitude * Math.PI) / 180);
    const wide = away / Math.max(0.1, narrow);
    const near =
      onLand(latitude + away, longitude) ||
      onLand(latitude - away, longitude) ||
      onLand(latitude, longitude + wide) ||
      onLand(latitude, longitude - wide);
    if (near) {
      end();
      continue;
    }
    const last = stretch.at(-1);
    if (last) length += Math.hypot((longitude - last[0]) * narrow, latitude - last[1]);
    stretch.push([longitude, latitude]);
  }
  end();
  return stretches;
}

function centresOf(
  field: FieldAt,
  grid: Grid,
  values: Float64Array,
  { prominence, step }: IsolineStyle,
  size: number,
): Feature<Point, { letter: "H" | "L"; text: string; rank: number }>[] {
  if (prominence === undefined) return [];
  const found = centres(field, grid, values, {
    radius: CENTRE_RADIUS,
    prominence,
    closed: { step, size },
  });
  return found.map(({ kind, latitude, longitude, value }) => ({
    type: "Feature",
    properties: {
      letter: kind === "high" ? "H" : "L",
      text: value.toFixed(0),
      // Where marks would meet, the deeper low and the higher high stays.
      rank: -Math.abs(value - 1013),
    },
    geometry: { type: "Point", coordinates: [normaliseLongitude(longitude), latitude] },
  }));
}

/** The nodes that are contoured: of the field's own grid, so that lines stay as they are while the map is moved. */
function contouredGrid({ latitude, longitude }: Grid, { box, pixelsPerDegree }: IsolineView): Grid {
  const coarse = pixelsPerDegree < FINE_SCALE;
  const stride = coarse ? Math.max(1, Math.floor(CELL / latitude.step + 1e-6)) : 1;
  const whole = wraps(longitude) && longitude.count % stride === 0;
  if (!box) {
    return {
      latitude: window(latitude, stride, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
      longitude: whole
        ? { start: longitude.start, step: longitude.step * stride, count: longitude.count / stride }
        : window(longitude, stride, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
    };
  }
  const south = window(latitude, stride, box.south, box.north);
  if (whole && box.east - box.west < 360) {
    // A globe may be entered anywhere: its columns count on past the last.
    const step = longitude.step * stride;
    const first = Math.floor((box.west - longitude.start) / step);
    const last = Math.ceil((box.east - longitude.start) / step);
    return {
      latitude: south,
      longitude: { start: longitude.start + first * step, step, count: last - first + 1 },
    };
  }
  const turn = 360 * Math.round((longitude.start - box.west) / 360);
  const within = window(longitude, stride, box.west + turn, box.east + turn);
  return { latitude: south, longitude: within.count > 1 ? within : window(longitude, stride, -1e9, 1e9) };
}

/** Every `stride`-th node from the last before `low` to the first after `high`. */
function window(axis: Axis, stride: number, low: number, high: number): Axis {
  const step = axis.step * stride;
  const lastNode = Math.floor((axis.count - 1) / stride);
  const first = Math.min(lastNode, Math.max(0, Math.floor((low - axis.start) / step)));
  const last = Math.max(first, Math.min(lastNode, Math.ceil((high - axis.start) / step)));
  return { start: axis.start + first * step, step, count: last - first + 1 };
}

/** The larger side of what a line spans, degrees. */
function sizeOf({ points }: Isoline): number {
  let [west, east, south, north] = [points[0]!, points[0]!, points[1]!, points[1]!];
  for (let index = 2; index < points.length; index += 2) {
    const [longitude, latitude] = [points[index]!, points[index + 1]!];
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return Math.max((east - west) * Math.cos((south * Math.PI) / 180), north - south);
}
