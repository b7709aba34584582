import type { Geometry } from "geojson";
import { canvasOf } from "#components/view-state/image-canvas.ts";
import type { MapColours } from "#components/view-state/map-colours.ts";
import { ICON_RATIO } from "#components/view-state/map-icon.ts";
import type { Likelihood } from "#lib/contract/likelihoods.ts";
import {
  areaPatterns,
  areaStyle,
  dashesOf,
  likelihoodColour,
  PATTERN_RATIO,
  patternOf,
} from "./area-layers.ts";
import { stormIcon } from "./storm-icons.ts";
import { type ShapeKind, type StormScene, stormShapes } from "./storm-shapes.ts";

/** The canvas that storms are drawn on, and its projection. */
interface StormCanvas {
  pen: CanvasRenderingContext2D;
  /** Position of a place on the copy of the world nearest to the middle, CSS pixels. */
  project(latitude: number, longitude: number): { x: number; y: number };
  /** Pixels of the whole equator. */
  world: number;
  colours: MapColours;
  /** Sets the font of labels; draws one with its halo; takes the room of one if it is free. */
  label: {
    font(size: number): void;
    /** Lines of at most a width, pixels. */
    wrap(text: string, most: number): readonly string[];
    draw(text: string, x: number, y: number, size: number, halo: number): void;
    place(x: number, y: number, halfWidth: number, halfHeight: number): boolean;
  };
}

export interface PaintedStorms {
  /** Draws the symbols and names. */
  above(): void;
  /** Id of the storm whose symbol is at a point. */
  pick(x: number, y: number): string | undefined;
}

/**
 * Draws storms of which none is selected, as storms-map-layer.ts does: areas, cones, winds and tracks at once.
 *
 * @returns What lies above all names of places: their symbols and names.
 */
export function paintStorms(canvas: StormCanvas, scene: StormScene): PaintedStorms {
  const { features } = stormShapes(scene);
  const ofKind = (...kinds: ShapeKind[]) =>
    features.filter(({ properties }) => kinds.includes(properties.kind));
  const { pen, colours } = canvas;
  const { storm, halo } = colours;
  pen.save();
  pen.lineJoin = "round";
  const areas = ofKind("area", "alert");
  const patterns = areas.length > 0 ? areaPatterns(colours) : new Map<string, ImageData>();
  for (const { geometry, properties } of areas) {
    const kind = properties.kind as "area" | "alert";
    const likelihood = properties.likelihood as Likelihood;
    const path = pathOf(canvas, geometry);
    const pattern = patterns.get(patternOf(kind, likelihood));
    pen.globalAlpha = areaStyle.opacity;
    if (pattern) fillWith(pen, path, pattern);
    pen.globalAlpha = 1;
    stroke(pen, path, halo, areaStyle.halo);
    stroke(pen, path, likelihoodColour(likelihood, colours), areaStyle.line, dashesOf(kind, likelihood));
  }
  for (const { geometry } of ofKind("cone")) shade(pen, pathOf(canvas, geometry), storm, 0.1, 1);
  for (const { geometry } of ofKind("radii")) shade(pen, pathOf(canvas, geometry), storm, 0.1, 0.75);
  for (const { geometry } of ofKind("observed", "forecast")) stroke(pen, pathOf(canvas, geometry), halo, 5);
  for (const { geometry, properties } of ofKind("observed", "forecast"))
    stroke(pen, pathOf(canvas, geometry), storm, 1.75, properties.kind === "forecast" ? [2, 2] : undefined);
  pen.restore();
  const centres = ofKind("centre").map(({ geometry, properties }) => {
    const [longitude = 0, latitude = 0] = (geometry as GeoJSON.Point).coordinates;
    const at = canvas.project(latitude, longitude);
    canvas.label.font(LABEL);
    const lines = (properties.label ?? "")
      .split("\n")
      .flatMap((line) => canvas.label.wrap(line, MOST * LABEL));
    const halfWidth = Math.max(...lines.map((line) => pen.measureText(line).width)) / 2;
    const halfHeight = (lines.length * LINE) / 2;
    const top = at.y + 1.2 * LABEL;
    canvas.label.place(at.x, at.y, REACH, REACH);
    const hasRoom = canvas.label.place(at.x, top + halfHeight + 2, halfWidth, halfHeight);
    return { at, top, id: properties.id, icon: properties.icon, lines: hasRoom ? lines : [] };
  });
  const above = () => {
    for (const { at, top, icon, lines } of centres) {
      if (icon) drawIcon(pen, iconOf(icon, colours), at);
      canvas.label.font(LABEL);
      pen.textAlign = "center";
      pen.fillStyle = colours.ink;
      pen.strokeStyle = halo;
      for (const [index, line] of lines.entries())
        canvas.label.draw(line, at.x, top + (index + 0.5) * LINE, LABEL, 1.75);
    }
  };
  const isAt = (x: number, y: number) => (one: { at: { x: number; y: number } }) =>
    Math.abs(one.at.x - x) <= REACH && Math.abs(one.at.y - y) <= REACH;
  return { above, pick: (x, y) => centres.find(isAt(x, y))?.id };
}

/** Size and line height of the names of storms, and how far from its middle a symbol can be clicked, pixels. */
const [LABEL, LINE, REACH] = [13, 15.6, 16];

/** Width of their lines, of the size: that of MapLibre. */
const MOST = 10;

/** Shapes whose longitudes continue across ±180. */
function pathOf({ project, world }: StormCanvas, geometry: Geometry): Path2D {
  const path = new Path2D();
  const lines =
    geometry.type === "LineString"
      ? [geometry.coordinates]
      : geometry.type === "Polygon"
        ? geometry.coordinates
        : geometry.type === "MultiPolygon"
          ? geometry.coordinates.flat()
          : [];
  for (const line of lines) {
    const [start = 0, first = 0] = line[0] ?? [];
    const { x } = project(first, start);
    line.forEach(([longitude = 0, latitude = 0], index) => {
      const right = x + ((longitude - start) / 360) * world;
      const { y } = project(latitude, longitude);
      if (index === 0) path.moveTo(right, y);
      else path.lineTo(right, y);
    });
    if (geometry.type !== "LineString") path.closePath();
  }
  return path;
}

function shade(pen: CanvasRenderingContext2D, path: Path2D, colour: string, opacity: number, width: number) {
  pen.globalAlpha = opacity;
  pen.fillStyle = colour;
  pen.fill(path);
  pen.globalAlpha = 1;
  stroke(pen, path, colour, width);
}

/** @param dashes In widths of the line. */
function stroke(
  pen: CanvasRenderingContext2D,
  path: Path2D,
  colour: string,
  width: number,
  dashes: readonly number[] = [],
): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash(dashes.map((length) => length * width));
  pen.stroke(path);
  pen.setLineDash([]);
}

function fillWith(pen: CanvasRenderingContext2D, path: Path2D, image: ImageData): void {
  const pattern = pen.createPattern(canvasOf(image), "repeat");
  if (!pattern) return;
  pattern.setTransform(new DOMMatrix().scale(1 / PATTERN_RATIO));
  pen.fillStyle = pattern;
  pen.fill(path);
}

/** Icons as they were drawn last, by name and colours: reading them takes longer than drawing the picture. */
const icons = new Map<string, HTMLCanvasElement>();

function iconOf(name: string, colours: MapColours): HTMLCanvasElement {
  const key = `${name} ${colours.storm} ${colours.halo} ${colours["likely-high"]}`;
  const icon = icons.get(key) ?? canvasOf(stormIcon(name, colours));
  icons.set(key, icon);
  return icon;
}

function drawIcon(
  pen: CanvasRenderingContext2D,
  icon: HTMLCanvasElement,
  { x, y }: { x: number; y: number },
): void {
  const [width, height] = [icon.width / ICON_RATIO, icon.height / ICON_RATIO];
  pen.drawImage(icon, x - width / 2, y - height / 2, width, height);
}
