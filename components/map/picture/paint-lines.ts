import type { Position } from "geojson";
import type { DrawnIsolines } from "#components/map/isolines/drawn-isolines.ts";
import type { Camera, MapView } from "#components/map/map-view.ts";
import type { MapColours } from "#components/view-state/map-colours.ts";
import type { Words } from "#lib/words/en.ts";
import { haloText, type PlacedLabels } from "./labels.ts";
import { setFont } from "./paint-names.ts";
import { boxOfCamera } from "./picture-camera.ts";
import type { PictureIsolines } from "./picture-lines.ts";
import { onCopies, type Pen, worldPath } from "./world-path.ts";

/** Widths of lines, pixels: ordinary and bold, with and without their halo. */
const [LINE, BOLD_LINE, HALO_LINE, BOLD_HALO_LINE] = [1.1, 2.4, 3.2, 4.6];
const HALO_OPACITY = 0.45;

/** Isolines, below the land. */
export function paintLines(
  pen: Pen,
  camera: Camera,
  { lines, dashes = [] }: PictureIsolines,
  colours: MapColours,
): void {
  pen.lineJoin = "round";
  for (const { geometry, properties } of lines.features) {
    const path = worldPath(inView(geometry.coordinates, camera));
    onCopies(pen, camera, (pixel) => {
      pen.globalAlpha = HALO_OPACITY;
      pen.strokeStyle = colours.halo;
      pen.lineWidth = (properties.bold ? BOLD_HALO_LINE : HALO_LINE) * pixel;
      pen.stroke(path);
      pen.globalAlpha = 1;
      pen.strokeStyle = colours.ink;
      pen.lineWidth = (properties.bold ? BOLD_LINE : LINE) * pixel;
      pen.setLineDash(dashes.map((length) => length * pen.lineWidth));
      pen.stroke(path);
      pen.setLineDash([]);
    });
  }
}

/** The lines that come into view; those of the whole earth are many. */
function inView(lines: readonly Position[][], camera: Camera): Position[][] {
  const { south, north, west, east } = boxOfCamera(camera);
  const isSeen = ([longitude = 0, latitude = 0]: Position) =>
    latitude >= south && latitude <= north && (((longitude - west) % 360) + 360) % 360 <= east - west;
  return lines.filter((line) => line.some(isSeen));
}

/** Distance of two numbers of a line; half of the room around one; how much a line may bend below it. */
const [SPACING, PADDING, STRAIGHT] = [340, 4, 0.94];

interface LineNumber {
  text: string;
  x: number;
  y: number;
  turn: number;
  bold: boolean;
}

/** Numbers along the lines, where there is room for them. They are drawn by `paintLineNumbers`, above the symbols. */
export function placeLineNumbers(
  pen: Pen,
  view: MapView,
  camera: Camera,
  { labels: stretches }: DrawnIsolines,
  labels: PlacedLabels,
): LineNumber[] {
  const placed: LineNumber[] = [];
  for (const { geometry, properties } of stretches.features) {
    const { text, bold } = properties;
    setFont(pen, bold ? 13 : 12);
    const long = pen.measureText(text).width;
    for (const line of inView(geometry.coordinates, camera)) {
      let next = SPACING / 3;
      for (const spot of spotsAlong(view, line, long)) {
        if (spot.at < next || !isInside(view, spot.x, spot.y)) continue;
        const halfWidth =
          (Math.abs(Math.cos(spot.turn)) * long + Math.abs(Math.sin(spot.turn)) * 12) / 2 + PADDING;
        const halfHeight =
          (Math.abs(Math.sin(spot.turn)) * long + Math.abs(Math.cos(spot.turn)) * 12) / 2 + PADDING;
        if (!labels.place(spot.x, spot.y, halfWidth, halfHeight)) continue;
        placed.push({ text, bold, x: spot.x, y: spot.y, turn: spot.turn });
        next = spot.at + SPACING;
      }
    }
  }
  return placed;
}

export function paintLineNumbers(pen: Pen, numbers: readonly LineNumber[], colours: MapColours): void {
  pen.fillStyle = colours.ink;
  pen.strokeStyle = colours.halo;
  pen.textAlign = "center";
  for (const { text, x, y, turn, bold } of numbers) {
    pen.save();
    pen.translate(x, y);
    pen.rotate(turn);
    const size = bold ? 13 : 12;
    setFont(pen, size);
    haloText(pen, text, 0, 0, size, 2);
    pen.restore();
  }
}

/** Highs and lows: a letter above its value. */
export function paintCentres(
  pen: Pen,
  view: MapView,
  { centres }: DrawnIsolines,
  labels: PlacedLabels,
  colours: MapColours,
  { map: words }: Words,
): void {
  const at = { x: 0, y: 0 };
  pen.strokeStyle = colours.halo;
  pen.textAlign = "center";
  for (const { geometry, properties } of centres.features.toSorted(
    (a, b) => a.properties.rank - b.properties.rank,
  )) {
    const [longitude = 0, latitude = 0] = geometry.coordinates;
    view.project(latitude, longitude, at);
    if (!isInside(view, at.x, at.y) || !labels.place(at.x, at.y, 22, 26)) continue;
    const isHigh = properties.letter === "H";
    pen.fillStyle = isHigh ? colours.high : colours.low;
    setFont(pen, 23.4);
    haloText(pen, isHigh ? words.high : words.low, at.x, at.y - 1, 23.4, 2);
    setFont(pen, 13);
    haloText(pen, properties.text, at.x, at.y + 18, 13, 2);
  }
}

const isInside = ({ width, height }: MapView, x: number, y: number) =>
  x > 0 && y > 0 && x < width && y < height;

/** Middles of straight stretches of a line that are as long as a text; `at` is their distance along it, pixels. */
function* spotsAlong(view: MapView, line: readonly Position[], long: number) {
  const points = line.map(([longitude = 0, latitude = 0]) => {
    const at = { x: 0, y: 0 };
    view.project(latitude, longitude, at);
    return { ...at, along: 0 };
  });
  points.forEach((point, index) => {
    const last = points[index - 1];
    if (last) point.along = last.along + Math.hypot(point.x - last.x, point.y - last.y);
  });
  let from = 0;
  for (let to = 0; to < points.length; to++) {
    while (from < to && points[to]!.along - points[from + 1]!.along >= long) from++;
    const [a, b] = [points[from]!, points[to]!];
    const way = b.along - a.along;
    const direct = Math.hypot(b.x - a.x, b.y - a.y);
    // A line that crosses to the other edge of the world has a leg across the picture.
    if (way < long || way > 2 * long || direct < STRAIGHT * way) continue;
    const turn = Math.atan2(b.y - a.y, b.x - a.x);
    const upright = Math.abs(turn) > Math.PI / 2 ? turn - Math.PI : turn;
    const middle = points[(from + to) >> 1]!;
    yield { x: middle.x, y: middle.y, turn: upright, at: (a.along + b.along) / 2 };
  }
}
