import type { MultiPolygon } from "geojson";
import { coastColour, coastOf } from "#components/map/basemap.ts";
import type { Picked } from "#components/map/map-events.ts";
import type { Camera, MapView } from "#components/map/map-view.ts";
import { RELIEF_RANGE, reliefTable } from "#components/map/relief-table.ts";
import { isOverLand, type Scene } from "#components/map/scene.ts";
import { drawGlyph } from "#components/map/symbols/glyph-atlas.ts";
import { glyphsOf, type SymbolQuantity } from "#components/map/symbols/glyph-names.ts";
import { coverOf, glyphOutlines } from "#components/map/symbols/label-boxes.ts";
import type { OnLand } from "#components/map/symbols/land-index.ts";
import { placeSymbols, quantityOf } from "#components/map/symbols/placed-symbols.ts";
import type { Side } from "#components/view-state/compared.ts";
import { canvasOf } from "#components/view-state/image-canvas.ts";
import type { MapColours } from "#components/view-state/map-colours.ts";
import { themedTable } from "#components/view-state/themed-table.ts";
import type { Theme } from "#components/view-state/themes.ts";
import { colourScales } from "#lib/catalog/colours.ts";
import type { FramePair } from "#lib/field/sample.ts";
import { RADIANS } from "#lib/geo/sphere.ts";
import type { Words } from "#lib/words/en.ts";
import { fieldRaster, type Painting } from "./field-raster.ts";
import { PlacedLabels } from "./labels.ts";
import { paintCentres, paintLineNumbers, paintLines, placeLineNumbers } from "./paint-lines.ts";
import { type PlaceName, paintGraticule, paintNames, takeLineNames } from "./paint-names.ts";
import { viewOf } from "./picture-camera.ts";
import type { PictureIsolines } from "./picture-lines.ts";
import { onCopies, type Pen, worldPath } from "./world-path.ts";

/** Files and lines that a picture is drawn from; each is missing until it has come. */
export interface PictureData {
  land?: { area: Path2D; coast: Path2D; onLand: OnLand } | undefined;
  names?: readonly PlaceName[] | undefined;
  lines?: readonly PictureIsolines[] | undefined;
}

/** Where and with what another feature draws. */
export interface PictureCanvas {
  pen: Pen;
  camera: Camera;
  view: MapView;
  labels: PlacedLabels;
  colours: MapColours;
}

/** What another feature adds to the picture: areas and lines below the names; the rest is returned. */
export type PaintAdded<S extends Scene> = (canvas: PictureCanvas, scene: S) => AddedPicture;

export interface AddedPicture {
  /** Draws what lies above all names of places. */
  above(): void;
  /** The shape at a point that can be clicked. */
  pick(x: number, y: number): Picked | undefined;
}

/** CSS pixels a sample of the field. */
const FIELD_STEP = 2;

/** The area of the land and its coast, as paths. */
export function landPaths(land: MultiPolygon): { area: Path2D; coast: Path2D } {
  return { area: worldPath(land.coordinates.flat(), true), coast: worldPath(coastOf(land).coordinates) };
}

/** Draws the scene as the map does, from the sea up: see `layerOrder` in components/map/map-layer.ts. */
export function paintPicture<S extends Scene>(
  pen: Pen,
  camera: Camera,
  scene: S,
  data: PictureData,
  colours: MapColours,
  words: Words,
  paintAdded: PaintAdded<S>,
): AddedPicture {
  const view = viewOf(camera);
  const labels = new PlacedLabels();
  const canvas = { pen, camera, view, labels, colours };
  const shows = (name: Scene["overlays"][number]) => scene.overlays.includes(name);
  pen.globalAlpha = 1;
  pen.setLineDash([]);
  pen.fillStyle = colours.sea;
  pen.fillRect(0, 0, camera.width, camera.height);
  const { relief, field, theme } = scene;
  if (relief) {
    const table = reliefTable(colours.shallow, colours.abyss);
    paintField(pen, camera, relief, { table, range: RELIEF_RANGE, paints: "value" });
  }
  const overLand = isOverLand(scene);
  if (data.land && overLand) fillLand(pen, camera, data.land, colours);
  const spans = spansOf(camera, scene);
  const painted = { a: field, b: scene.compared?.field };
  for (const side of ["a", "b"] as const) {
    const of = painted[side];
    if (of) within(canvas, spans[side], () => paintField(pen, camera, of.pair, paintingOf(of, theme)));
  }
  const lines = data.lines ?? [];
  for (const drawn of lines) paintLines(pen, camera, drawn, colours);
  if (data.land) {
    if (!overLand) fillLand(pen, camera, data.land, colours);
    paintCoast(pen, camera, data.land, coastColour(colours, overLand));
  }
  if (shows("graticule")) takeLineNames(pen, view, camera, labels);
  const added = paintAdded(canvas, scene);
  for (const drawn of lines) paintCentres(pen, view, drawn, labels, colours, words);
  const numbers = lines.flatMap((drawn) => placeLineNumbers(pen, view, camera, drawn, labels));
  if (shows("names") && data.names) paintNames(pen, view, camera, data.names, labels, colours);
  if (data.land) paintSymbols(canvas, scene, data.land.onLand);
  paintLineNumbers(pen, numbers, colours);
  if (shows("graticule")) paintGraticule(pen, view, camera, colours);
  added.above();
  if (scene.sample) paintSample(canvas, scene.sample);
  return added;
}

/** First and last pixel of each of two pictures that are compared; of one it is all. */
type Span = readonly [from: number, to: number];

function spansOf({ width }: Camera, { compared }: Scene): Readonly<Record<Side, Span>> {
  const cut = compared ? compared.divider.at * width : width;
  return { a: [0, cut], b: [cut, width] };
}

function within({ pen, camera }: PictureCanvas, [from, to]: Span, draw: () => void): void {
  pen.save();
  pen.beginPath();
  pen.rect(from, 0, to - from, camera.height);
  pen.clip();
  draw();
  pen.restore();
}

function paintingOf({ variable, old }: NonNullable<Scene["field"]>, theme: Theme): Painting {
  const scale = colourScales[variable];
  const { range, paints } = scale;
  return { table: themedTable(scale, theme, old === true), range, paints };
}

function paintField(pen: Pen, camera: Camera, pair: FramePair, painting: Painting): void {
  const { data, width, height } = fieldRaster(camera, pair, painting, FIELD_STEP);
  pen.imageSmoothingEnabled = true;
  pen.drawImage(canvasOf(new ImageData(data, width, height)), 0, 0, width * FIELD_STEP, height * FIELD_STEP);
}

type Land = NonNullable<PictureData["land"]>;

function fillLand(pen: Pen, camera: Camera, { area }: Land, colours: MapColours): void {
  onCopies(pen, camera, () => {
    pen.fillStyle = colours.land;
    pen.fill(area, "evenodd");
  });
}

function paintCoast(pen: Pen, camera: Camera, { coast }: Land, colour: string): void {
  onCopies(pen, camera, (pixel) => {
    pen.strokeStyle = colour;
    pen.lineWidth = 0.8 * pixel;
    pen.lineJoin = "round";
    pen.stroke(coast);
  });
}

function paintSymbols(canvas: PictureCanvas, scene: Scene, onLand: OnLand): void {
  const { pen, view, labels, colours, camera } = canvas;
  const spans = spansOf(camera, scene);
  for (const { kind, pair, side = "a" } of scene.symbols) {
    const quantity = kind === "barbs" || kind === "arrows" ? quantityOf(pair.before) : undefined;
    if (!quantity) continue;
    const { glyphs, outlines } = symbolsOf(quantity);
    const ink = quantity === "current" ? colours.current : colours.ink;
    const covered = coverOf(view, labels.asPlaces(view), outlines);
    const at = { x: 0, y: 0 };
    within(canvas, spans[side], () => {
      for (const { glyph: name, position, turn } of placeSymbols(view, pair, onLand, covered)) {
        const glyph = glyphs.get(name);
        if (!glyph) continue;
        view.project(position[1], position[0], at);
        pen.save();
        pen.translate(at.x, at.y);
        pen.rotate(turn * RADIANS);
        pen.scale(1, -1);
        drawGlyph(pen, glyph, { ink, halo: colours.halo });
        pen.restore();
      }
    });
  }
}

const known = new Map<SymbolQuantity, ReturnType<typeof withOutlines>>();

function symbolsOf(quantity: SymbolQuantity) {
  const symbols = known.get(quantity) ?? withOutlines(quantity);
  known.set(quantity, symbols);
  return symbols;
}

function withOutlines(quantity: SymbolQuantity) {
  const glyphs = glyphsOf(quantity);
  return { glyphs, outlines: glyphOutlines(glyphs) };
}

/** The mark of the sampled place: a ring of 3 pixels around a disc of 6. */
function paintSample(
  { pen, view, colours }: PictureCanvas,
  { latitude, longitude }: NonNullable<Scene["sample"]>,
) {
  const at = { x: 0, y: 0 };
  view.project(latitude, longitude, at);
  pen.beginPath();
  pen.arc(at.x, at.y, 7.5, 0, 2 * Math.PI);
  pen.fillStyle = colours["sample-fill"];
  pen.fill();
  pen.strokeStyle = colours.sample;
  pen.lineWidth = 3;
  pen.stroke();
}
