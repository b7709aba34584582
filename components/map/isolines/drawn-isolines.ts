import type { ViewBox } from "@open-metocean/geo/box";
import { type Axis, type Grid, normaliseLongitude, wraps } from "@open-metocean/geo/grid";
import { RADIANS } from "@open-metocean/geo/sphere";
import type { Feature, FeatureCollection, MultiLineString, Point } from "geojson";
import type { OnLand } from "#components/map/land/land-tiles.ts";
import type { Mark } from "#lib/catalog/variable-row.ts";
import { centres } from "#lib/field/centres.ts";
import { type FramePair, sampleBand } from "#lib/field/interpolate.ts";
import {
  cutLine,
  type FieldAt,
  type Isoline,
  isolines,
  levelsOf,
  smoothed,
  valuesAtNodes,
} from "#lib/field/isolines.ts";
import type { IsolineStyle } from "./isoline-style.ts";

/** Extent and scale of the contoured field. */
export interface IsolineView {
  /** undefined means the whole field. */
  box: ViewBox | undefined;
  /** Pixels per degree of latitude. */
  pixelsPerDegree: number;
}

interface LineText {
  text: string;
  bold: boolean;
}

/** Lines with their labels, and marks of highs and lows, as GeoJSON. */
export interface DrawnIsolines {
  lines: FeatureCollection<MultiLineString, LineText>;
  /** The stretches that may carry labels, which are at sea because land covers the lines. */
  labels: FeatureCollection<MultiLineString, LineText>;
  centres: FeatureCollection<Point, { letter: "H" | "L"; text: string; rank: number }>;
}

/** Cell size of the contoured grid at scales below `FINE_SCALE`, degrees. */
const CELL = 0.5;
/** Scale from which on the field is contoured at its full resolution, pixels per degree. */
const FINE_SCALE = 40;
/** Radius in which a high or low is the only one, degrees. */
const CENTRE_RADIUS = 5;
/** Distance between the points of a line, pixels, before and after smoothing. */
const [POINT_SPACING, SMOOTHED_SPACING] = [4, 3];
/** Least size of a line, pixels; smaller ones are not drawn. */
const MIN_SIZE = 14;
/** Distance of labels from land, and length of the stretch that a label needs, pixels. */
const [LABEL_CLEARANCE, LABEL_LENGTH] = [14, 40];

/** Lines and marks of a field at an instant. */
export function drawIsolines(
  pair: FramePair,
  set: IsolineStyle,
  view: IsolineView,
  onLand: OnLand,
): DrawnIsolines {
  const field = contouredField(pair, set);
  const grid = contouredGrid(pair.before.grid, view);
  const values = valuesAtNodes(field, grid);
  const marks = new Map(marksOf(values, set).map((mark) => [mark.at, mark]));
  const lines = isolines(field, grid, values, [...marks.keys()]);
  const cell = grid.latitude.step * view.pixelsPerDegree;
  const spacing = Math.max(POINT_SPACING / view.pixelsPerDegree, grid.latitude.step * 0.35);
  const pieces = Math.min(8, Math.max(1, Math.ceil(Math.max(cell, POINT_SPACING) / SMOOTHED_SPACING)));
  const byLevel = new Map<number, [number, number][][]>();
  for (const line of lines) {
    if (sizeOf(line) * view.pixelsPerDegree < MIN_SIZE) continue;
    const cut = byLevel.get(line.level) ?? [];
    cut.push(...cutLine(smoothed(line, spacing, pieces)));
    byLevel.set(line.level, cut);
  }
  const features = (piecesOf: (line: [number, number][]) => [number, number][][]) => ({
    type: "FeatureCollection" as const,
    features: [...byLevel].map(([level, coordinates]) => ({
      type: "Feature" as const,
      properties: {
        text: `${marks.get(level)?.text ?? ""}${set.suffix}`,
        bold: marks.get(level)?.bold === true,
      },
      geometry: { type: "MultiLineString" as const, coordinates: coordinates.flatMap(piecesOf) },
    })),
  });
  const clearance = LABEL_CLEARANCE / view.pixelsPerDegree;
  const minLength = LABEL_LENGTH / view.pixelsPerDegree;
  return {
    lines: features((line) => [line]),
    labels: features((line) => stretchesAtSea(line, clearance, minLength, onLand)),
    centres: {
      type: "FeatureCollection",
      features: centresOf(field, grid, values, set, MIN_SIZE / view.pixelsPerDegree),
    },
  };
}

/** The values that are contoured, as a function of place. */
function contouredField(pair: FramePair, { band, ofLength }: IsolineStyle): FieldAt {
  const of = (index: number, latitude: number, longitude: number) =>
    sampleBand(pair, index, latitude, longitude);
  if (!ofLength) return (latitude, longitude) => of(band, latitude, longitude);
  return (latitude, longitude) =>
    Math.hypot(of(band, latitude, longitude), of(band + 1, latitude, longitude));
}

/** Levels of the lines, with their labels. */
function marksOf(values: Float64Array, set: IsolineStyle): Mark[] {
  if ("at" in set) return [...set.at];
  const { step, boldEvery, prominence } = set;
  return levelsOf(values, step)
    .filter((level) => level !== 0 || prominence !== undefined)
    .map((at) => ({
      at,
      text: String(Number(at.toFixed(3))),
      ...(Math.abs(at % boldEvery) < 1e-6 && { bold: true }),
    }));
}

/** Stretches of a line that are at least `clearance` from land and longer than `minLength`, degrees. */
function stretchesAtSea(
  line: [number, number][],
  clearance: number,
  minLength: number,
  onLand: OnLand,
): [number, number][][] {
  const stretches: [number, number][][] = [];
  let [stretch, length]: [[number, number][], number] = [[], 0];
  const end = () => {
    if (length > minLength) stretches.push(stretch);
    [stretch, length] = [[], 0];
  };
  for (const [longitude, latitude] of line) {
    const cosine = Math.cos(latitude * RADIANS);
    const sideways = clearance / Math.max(0.1, cosine);
    const near =
      onLand(latitude + clearance, longitude) ||
      onLand(latitude - clearance, longitude) ||
      onLand(latitude, longitude + sideways) ||
      onLand(latitude, longitude - sideways);
    if (near) {
      end();
      continue;
    }
    const last = stretch.at(-1);
    if (last) length += Math.hypot((longitude - last[0]) * cosine, latitude - last[1]);
    stretch.push([longitude, latitude]);
  }
  end();
  return stretches;
}

function centresOf(
  field: FieldAt,
  grid: Grid,
  values: Float64Array,
  set: IsolineStyle,
  size: number,
): Feature<Point, { letter: "H" | "L"; text: string; rank: number }>[] {
  if ("at" in set || set.prominence === undefined) return [];
  const { prominence, step } = set;
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
      // If marks would overlap, the deeper low or the higher high is drawn.
      rank: -Math.abs(value - 1013),
    },
    geometry: { type: "Point", coordinates: [normaliseLongitude(longitude), latitude] },
  }));
}

/**
 * The contoured nodes. They are nodes of the field's own grid, so that lines do not change while the map
 * moves.
 */
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
    // A grid that wraps may start at any column, so indices continue past the last one.
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

/** Every `stride`-th node, from the last before `low` to the first after `high`. */
function window(axis: Axis, stride: number, low: number, high: number): Axis {
  const step = axis.step * stride;
  const lastNode = Math.floor((axis.count - 1) / stride);
  const first = Math.min(lastNode, Math.max(0, Math.floor((low - axis.start) / step)));
  const last = Math.max(first, Math.min(lastNode, Math.ceil((high - axis.start) / step)));
  return { start: axis.start + first * step, step, count: last - first + 1 };
}

/** The larger side of a line's extent, degrees. */
function sizeOf({ points }: Isoline): number {
  let [west, east, south, north] = [points[0]!, points[0]!, points[1]!, points[1]!];
  for (let index = 2; index < points.length; index += 2) {
    const [longitude, latitude] = [points[index]!, points[index + 1]!];
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return Math.max((east - west) * Math.cos(south * RADIANS), north - south);
}
