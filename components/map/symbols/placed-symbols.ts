import type { MapView, ScreenPoint } from "#components/map/map-view.ts";
import type { Frame } from "#lib/field/frame.ts";
import { type FramePair, sampleBand } from "#lib/field/sample.ts";
import { bearingFrom, bearingTo } from "#lib/field/vector.ts";
import { toKnots } from "#lib/units.ts";
import { currentLength, SLACK, waveLength } from "./arrow.ts";
import { barbSpeed } from "./barb.ts";
import { STRONGEST, type SymbolQuantity } from "./glyph-names.ts";
import type { OnLand } from "./land-index.ts";
import { latticePlaces } from "./lattice.ts";

/** A glyph, where it stands and how it is turned. */
export interface PlacedSymbol {
  /** Longitude and latitude, degrees. */
  position: [longitude: number, latitude: number];
  /** Name of the glyph, one of `glyphsOf`. */
  glyph: string;
  /** Where the glyph points, degrees clockwise from up on the canvas. */
  turn: number;
}

interface Reading {
  glyph: string;
  /** Bearing that the glyph points along; NaN where it has none. */
  bearing: number;
}

type Reader = (pair: FramePair, latitude: number, longitude: number) => Reading | undefined;

/**
 * Symbols of a field on the lattice of a view, sampled as the API samples. None on land, none where a value is missing.
 *
 * @returns Nothing when the frames hold no quantity that has a symbol.
 */
export function placeSymbols(view: MapView, pair: FramePair, onLand: OnLand): PlacedSymbol[] {
  const quantity = quantityOf(pair.before);
  if (!quantity) return [];
  const read = readers[quantity];
  const places = latticePlaces(view);
  const symbols: PlacedSymbol[] = [];
  const way: ScreenPoint = { x: 0, y: 0 };
  for (let index = 0; index < places.length; index += 2) {
    const [latitude = 0, longitude = 0] = [places[index], places[index + 1]];
    const reading = read(pair, latitude, longitude);
    if (!reading || onLand(latitude, longitude)) continue;
    const { glyph, bearing } = reading;
    view.along(latitude, longitude, Number.isNaN(bearing) ? 0 : bearing, way);
    const turn = (Math.atan2(way.x, -way.y) * 180) / Math.PI;
    symbols.push({ position: [longitude, latitude], glyph, turn });
  }
  return symbols;
}

/** The quantity of a frame that has a symbol, by the names of its bands. */
export function quantityOf(frame: Frame): SymbolQuantity | undefined {
  if (bandNamed(frame, /^eastward_wind/) >= 0) return "wind";
  if (bandNamed(frame, /eastward_sea_water_velocity$/) >= 0) return "current";
  if (bandNamed(frame, /_from_direction_x$/) >= 0) return "wave";
  return undefined;
}

const readers: Record<SymbolQuantity, Reader> = {
  wind(pair, latitude, longitude) {
    const u = sampleNamed(pair, /^eastward_wind/, latitude, longitude);
    const v = sampleNamed(pair, /^northward_wind/, latitude, longitude);
    const knots = toKnots(Math.hypot(u, v));
    if (Number.isNaN(knots)) return undefined;
    const shown = Math.min(STRONGEST, barbSpeed(knots));
    return { glyph: `barb ${latitude < 0 ? "S" : "N"} ${shown}`, bearing: bearingFrom(u, v) };
  },
  current(pair, latitude, longitude) {
    const u = sampleNamed(pair, /eastward_sea_water_velocity$/, latitude, longitude);
    const v = sampleNamed(pair, /northward_sea_water_velocity$/, latitude, longitude);
    const speed = Math.hypot(u, v);
    if (Number.isNaN(speed)) return undefined;
    return { glyph: `current ${speed < SLACK ? 0 : currentLength(speed)}`, bearing: bearingTo(u, v) };
  },
  wave(pair, latitude, longitude) {
    const x = sampleNamed(pair, /_from_direction_x$/, latitude, longitude);
    const y = sampleNamed(pair, /_from_direction_y$/, latitude, longitude);
    const height = sampleNamed(pair, /_significant_height$/, latitude, longitude);
    // The stored unit vector points to where the waves come from: they travel the other way.
    const bearing = bearingTo(-x, -y);
    if (Number.isNaN(bearing) || !(height > 0)) return undefined;
    return { glyph: `wave ${waveLength(height)}`, bearing };
  },
};

function bandNamed({ bands }: Frame, name: RegExp): number {
  return bands.findIndex((band) => name.test(band.name));
}

function sampleNamed(pair: FramePair, name: RegExp, latitude: number, longitude: number): number {
  const band = bandNamed(pair.before, name);
  return band < 0 ? Number.NaN : sampleBand(pair, band, latitude, longitude);
}
