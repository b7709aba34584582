import type { Feature, MultiLineString, Position } from "geojson";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { normaliseLongitude } from "#lib/field/grid.ts";

/** Steps of a chart's graticule, degrees: down to ten minutes. */
const steps = [30, 20, 10, 5, 2, 1, 0.5, 1 / 6];

/** Minimum distance between two lines, pixels. */
const MIN_GAP = 110;

/** Step of the graticule at a zoom of the map, degrees. */
export function graticuleStep(zoom: number): number {
  const degreesOfPixel = 360 / (512 * 2 ** zoom);
  return steps.findLast((step) => step / degreesOfPixel >= MIN_GAP) ?? 30;
}

/** Steps of at least this many degrees are drawn over the whole globe; finer ones around the view only. */
const WHOLE_GLOBE = 5;

/** Where the Mercator map ends. */
const MAX_LATITUDE = 85;

/** Meridians and parallels every `step` degrees. @param box The view, to which fine steps are limited. */
export function graticule(step: number, box?: ViewBox): Feature<MultiLineString> {
  const whole = step >= WHOLE_GLOBE || !box;
  const south = whole ? -MAX_LATITUDE : Math.max(-MAX_LATITUDE, box.south - step);
  const north = whole ? MAX_LATITUDE : Math.min(MAX_LATITUDE, box.north + step);
  const [west, east] = whole ? [-180, 180 - step / 2] : [box.west - step, box.east + step];
  const coordinates: Position[][] = [];
  for (const longitude of multiples(step, west, east)) {
    coordinates.push([
      [longitude, south],
      [longitude, north],
    ]);
  }
  for (const latitude of multiples(step, Math.max(south, -90 + step), Math.min(north, 90 - step))) {
    // Several legs: on the globe MapLibre subdivides each along its parallel.
    const legs = whole ? [-180, -90, 0, 90, 180] : [west, (west + east) / 2, east];
    coordinates.push(legs.map((longitude) => [longitude, latitude]));
  }
  return { type: "Feature", properties: {}, geometry: { type: "MultiLineString", coordinates } };
}

/** Multiples of a step from `low` to `high`. */
export function multiples(step: number, low: number, high: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.max(0, Math.floor(high / step + 1e-9) - first + 1);
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toFixed(9)));
}

/** Label of a line: `48°N`, `5°30′W`, `180°`. */
export function lineName(degrees: number, axis: "latitude" | "longitude"): string {
  const turned = axis === "longitude" ? normaliseLongitude(degrees) : degrees;
  const minutes = Math.round(Math.abs(turned) * 60);
  const rest = minutes % 60 ? `${String(minutes % 60).padStart(2, "0")}′` : "";
  const side = axis === "latitude" ? (turned < 0 ? "S" : "N") : turned < 0 ? "W" : "E";
  const plain = minutes === 0 || minutes === 180 * 60;
  return `${Math.floor(minutes / 60)}°${rest}${plain ? "" : side}`;
}
