import { graticuleStep, lineName, multiples, nameEdges } from "#components/map/graticule.ts";
import { labelFont, nameKinds } from "#components/map/label-style.ts";
import type { Camera, MapView } from "#components/map/map-view.ts";
import type { MapColours } from "#components/view-state/map-colours.ts";
import { haloText, type PlacedLabels, wrapped } from "./labels.ts";
import { boxOfCamera } from "./picture-camera.ts";
import type { Pen } from "./world-path.ts";

/** A name of the basemap: public/basemap/names.json. */
export interface PlaceName {
  name: string;
  kind: string;
  /** Zoom from which on it is shown. */
  z: number;
  longitude: number;
  latitude: number;
}

const font = (size: number, weight = 400) =>
  `${weight} ${size}px ${labelFont.map((name) => (name.includes(" ") ? `"${name}"` : name)).join(", ")}`;

/** Sets the font of labels. @param size CSS pixels. */
export function setFont(pen: Pen, size: number, weight?: number): void {
  pen.font = font(size, weight);
}

/** Height of a line of text, and of the space around it that stays free; of the size, and pixels. */
const [LINE_HEIGHT, NAME_PADDING, HALO] = [1.2, 6, 1.5];

/** Names of oceans, seas, countries, ports and capes, as many as find room: first those that the map places first. */
export function paintNames(
  pen: Pen,
  view: MapView,
  { zoom }: Camera,
  names: readonly PlaceName[],
  labels: PlacedLabels,
  colours: MapColours,
): void {
  const at = { x: 0, y: 0 };
  pen.strokeStyle = colours.halo;
  for (const { kind, size, spacing, width } of [...nameKinds].reverse()) {
    const isPoint = kind === "port" || kind === "cape";
    pen.textAlign = isPoint ? "left" : "center";
    pen.fillStyle = kind === "ocean" || kind === "sea" ? colours["sea-name"] : colours.name;
    setFont(pen, size);
    pen.letterSpacing = `${spacing * size}px`;
    const shown = names.filter((name) => name.kind === kind && name.z <= zoom);
    for (const { name, latitude, longitude } of shown.sort((a, b) => a.z - b.z)) {
      view.project(latitude, longitude, at);
      const lines = wrapped(
        isPoint ? `• ${name}` : name,
        (text) => pen.measureText(text).width,
        size * width,
      );
      const halfWidth = Math.max(...lines.map((line) => pen.measureText(line).width)) / 2;
      const halfHeight = (lines.length * LINE_HEIGHT * size) / 2;
      const middle = isPoint ? at.x + halfWidth : at.x;
      if (isOutside(view, middle, at.y, halfWidth, halfHeight)) continue;
      if (!labels.place(middle, at.y, halfWidth + NAME_PADDING, halfHeight + NAME_PADDING)) continue;
      for (const [index, line] of lines.entries()) {
        const down = (index - (lines.length - 1) / 2) * LINE_HEIGHT * size;
        haloText(pen, line, at.x, at.y + down, size, HALO);
      }
    }
  }
  pen.letterSpacing = "0px";
}

function isOutside({ width, height }: MapView, x: number, y: number, wide: number, high: number): boolean {
  return x < -wide || y < -high || x > width + wide || y > height + high;
}

/** Size of the names of meridians and parallels. */
const LINE_NAME = 11;

/** Takes the room of the names of meridians and parallels, which are drawn above all else. */
export function takeLineNames(pen: Pen, view: MapView, camera: Camera, labels: PlacedLabels): void {
  for (const { text, x, y, isMeridian } of lineNamesOf(view, camera)) {
    setFont(pen, LINE_NAME);
    const halfWidth = pen.measureText(text).width / 2;
    const halfHeight = LINE_NAME * 0.6;
    if (isMeridian) labels.take(x, y + halfHeight, halfWidth + 2, halfHeight + 2);
    else labels.take(x + halfWidth, y, halfWidth + 2, halfHeight + 2);
  }
}

/** Meridians and parallels with their names at the left and upper edge. */
export function paintGraticule(pen: Pen, view: MapView, camera: Camera, colours: MapColours): void {
  const { width, height } = view;
  const at = { x: 0, y: 0 };
  pen.strokeStyle = colours.graticule;
  pen.lineWidth = 0.5;
  pen.beginPath();
  const step = graticuleStep(camera.zoom);
  const box = boxOfCamera(camera);
  const [high, low] = [
    pointAt(view, 85, camera.centre.longitude).y,
    pointAt(view, -85, camera.centre.longitude).y,
  ];
  for (const degrees of multiples(step, box.west, box.east)) {
    const x = width / 2 + (degrees - camera.centre.longitude) * perDegree(camera);
    pen.moveTo(x, Math.max(0, high));
    pen.lineTo(x, Math.min(height, low));
  }
  for (const degrees of multiples(step, Math.max(-85, box.south), Math.min(85, box.north))) {
    view.project(degrees, camera.centre.longitude, at);
    pen.moveTo(0, at.y);
    pen.lineTo(width, at.y);
  }
  pen.stroke();
  setFont(pen, LINE_NAME);
  pen.fillStyle = colours["sea-name"];
  pen.strokeStyle = colours.halo;
  for (const { text, x, y, isMeridian } of lineNamesOf(view, camera)) {
    pen.textAlign = isMeridian ? "center" : "left";
    haloText(pen, text, x, isMeridian ? y + LINE_NAME * 0.6 : y, LINE_NAME, HALO);
  }
}

const perDegree = ({ zoom }: Camera) => (512 * 2 ** zoom) / 360;

function pointAt(view: MapView, latitude: number, longitude: number) {
  const at = { x: 0, y: 0 };
  view.project(latitude, longitude, at);
  return at;
}

function lineNamesOf(view: MapView, camera: Camera) {
  const { left, top, row } = nameEdges;
  const step = graticuleStep(camera.zoom);
  const box = boxOfCamera(camera);
  // In the corner the labels of meridians and parallels would overlap.
  const highest = view.unproject(left, top + row)?.latitude ?? box.north;
  const east = Math.min(box.east, box.west + 360 - step);
  const gap = 0.2 * LINE_NAME;
  return [
    ...multiples(step, Math.max(-85, box.south), Math.min(85, highest)).map((degrees) => ({
      text: lineName(degrees, "latitude"),
      x: left + gap,
      y: pointAt(view, degrees, camera.centre.longitude).y,
      isMeridian: false,
    })),
    ...multiples(step, box.west, east).map((degrees) => ({
      text: lineName(degrees, "longitude"),
      x: view.width / 2 + (degrees - camera.centre.longitude) * perDegree(camera),
      y: top + gap,
      isMeridian: true,
    })),
  ];
}
