import type { MapView, ScreenPoint } from "#components/map/map-view.ts";
import { directionOutput, layerRow, paintedOutput, variableOfBands } from "#lib/catalog/colours.ts";
import type { Frame } from "#lib/field/frame.ts";
import { type FramePair, sampleBand } from "#lib/field/sample.ts";
import { bearingFrom, bearingTo } from "#lib/field/vector.ts";
import { RADIANS } from "#lib/geo/sphere.ts";
import { toKnots } from "#lib/knots.ts";
import { currentLength, SLACK, waveLength } from "#lib/symbols/arrow.ts";
import { barbSpeed } from "#lib/symbols/barb.ts";
import { MAX_BARB, type SymbolQuantity } from "./glyph-names.ts";
import type { Covered } from "./label-boxes.ts";
import type { OnLand } from "./land-index.ts";
import { latticePlaces } from "./lattice.ts";

/** A glyph with its place and rotation. */
export interface PlacedSymbol {
  /** Longitude and latitude, degrees. */
  position: [longitude: number, latitude: number];
  /** Name of the glyph, one of `glyphsOf`. */
  glyph: string;
  /** Direction of the glyph, degrees clockwise from up on the canvas. */
  turn: number;
}

interface Reading {
  glyph: string;
  /** Bearing that the glyph points along; NaN where it has none. */
  bearing: number;
}

/**
 * @param x Eastward, @param y northward component of the vector, as stored.
 * @param value What the colours show: speed, m s-1, or wave height, m.
 */
type Reader = (x: number, y: number, value: number, latitude: number) => Reading | undefined;

/**
 * Symbols of a field on the lattice of a view, sampled as the API does. None on land, none where a value is missing.
 *
 * @param covered Tells which would lie under a label: they are left out.
 * @returns An empty array where the frames have no quantity with a symbol.
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
    // The stored unit vector points to where the waves come from: they travel the other way.
    const bearing = bearingTo(-x, -y);
    if (Number.isNaN(bearing) || !(height > 0)) return undefined;
    return { glyph: `wave ${waveLength(height)}`, bearing };
  },
};
