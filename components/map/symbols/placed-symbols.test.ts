import { expect, it } from "vitest";
import { globeView, mercatorView } from "#components/map/map-view.ts";
import { FILL } from "#lib/catalog/fill.ts";
import type { Frame } from "#lib/field/frame.ts";
import { latticePlaces, placeSymbols } from "./placed-symbols.ts";

const STEP = 2;
const [ROWS, COLUMNS] = [180 / STEP + 1, 360 / STEP];

/** A frame of the globe; NaN is missing. */
function frameOf(bands: Record<string, (latitude: number, longitude: number) => number>): Frame {
  const functions = Object.values(bands);
  const values = new Int16Array(ROWS * COLUMNS * functions.length);
  for (let node = 0, at = 0; node < ROWS * COLUMNS; node++) {
    const latitude = -90 + STEP * Math.floor(node / COLUMNS);
    const longitude = -180 + STEP * (node % COLUMNS);
    for (const value of functions) {
      const number = value(latitude, longitude);
      values[at++] = Number.isNaN(number) ? FILL : Math.round(number * 1000);
    }
  }
  return {
    grid: {
      latitude: { start: -90, step: STEP, count: ROWS },
      longitude: { start: -180, step: STEP, count: COLUMNS },
    },
    time: 0,
    bands: Object.keys(bands).map((name) => ({ name, scale: 0.001, offset: 0 })),
    values,
    perNode: functions.length,
  };
}

const steady = (frame: Frame) => ({ before: frame, after: frame, later: 0 });
const wind = (u: number, v: number) =>
  steady(frameOf({ eastward_wind_10m: () => u, northward_wind_10m: () => v }));
const view = mercatorView({ width: 800, height: 600, centre: { latitude: 0, longitude: 179 }, zoom: 2 });
const atSea = () => false;

it("names the barb by speed and hemisphere and points it to where the wind comes from", () => {
  const symbols = placeSymbols(view, wind(-10, 0), atSea);
  expect(symbols.length).toBeGreaterThan(60);
  for (const { position, glyph, turn } of symbols) {
    expect(glyph).toBe(position[1] < 0 ? "barb S 20" : "barb N 20");
    expect(turn).toBeCloseTo(90, 9);
  }
});

it("points a current to where it goes and slack water nowhere", () => {
  const current = (u: number) =>
    steady(
      frameOf({
        surface_eastward_sea_water_velocity: () => u,
        surface_northward_sea_water_velocity: () => 0,
      }),
    );
  const [moving] = placeSymbols(view, current(0.5), atSea);
  expect([moving?.glyph, moving?.turn]).toEqual(["current 24", expect.closeTo(90, 9)]);
  expect(placeSymbols(view, current(0.01), atSea)[0]?.glyph).toBe("current 0");
});

it("draws waves travelling: those from the west go east", () => {
  const waves = steady(
    frameOf({
      sea_surface_wave_significant_height: () => 2,
      sea_surface_wave_from_direction_x: () => -1,
      sea_surface_wave_from_direction_y: () => 0,
    }),
  );
  const [symbol] = placeSymbols(view, waves, atSea);
  expect([symbol?.glyph, symbol?.turn]).toEqual(["wave 24", expect.closeTo(90, 9)]);
});

it("draws nothing where a value is missing, and currents, unlike winds, nowhere on land", () => {
  const southern = (value: number) => (latitude: number) => (latitude < -3 ? Number.NaN : value);
  const onLand = (latitude: number) => latitude > 10;
  const current = {
    surface_eastward_sea_water_velocity: southern(1),
    surface_northward_sea_water_velocity: southern(1),
  };
  const symbols = placeSymbols(view, steady(frameOf(current)), onLand);
  const barbs = placeSymbols(view, wind(10, 0), onLand);
  expect(Math.max(...barbs.map(({ position }) => position[1]))).toBeGreaterThan(10);
  expect(symbols.length).toBeGreaterThan(5);
  for (const { position } of symbols) {
    expect(position[1]).toBeGreaterThan(-4.1);
    expect(position[1]).toBeLessThanOrEqual(10);
  }
});

it("draws both sides of 180°", () => {
  const eastings = placeSymbols(view, wind(10, 0), atSea).map(({ position }) => position[0]);
  expect(Math.min(...eastings)).toBeLessThan(-170);
  expect(Math.max(...eastings)).toBeGreaterThanOrEqual(170);
});

it("interpolates components between steps, as the API does", () => {
  const before = frameOf({ eastward_wind_10m: () => 10, northward_wind_10m: () => 0 });
  const after = frameOf({ eastward_wind_10m: () => 0, northward_wind_10m: () => 10 });
  const [symbol] = placeSymbols(view, { before, after, later: 0.5 }, atSea);
  expect(symbol?.glyph).toMatch(/ 15$/);
  expect(symbol?.turn).toBeCloseTo(-135, 6);
});

it("turns symbols with their meridian on the globe, also near the pole", () => {
  const globe = globeView({ width: 800, height: 600, centre: { latitude: 80, longitude: 0 }, zoom: 3 });
  const symbols = placeSymbols(globe, wind(0, -10), atSea);
  expect(symbols.length).toBeGreaterThan(30);
  // A northerly's shaft points to the pole, wherever on the canvas that is.
  const pole = { x: 0, y: 0 };
  const here = { x: 0, y: 0 };
  globe.project(90, 0, pole);
  for (const { position, turn } of symbols) {
    globe.project(position[1], position[0], here);
    if (Math.hypot(pole.x - here.x, pole.y - here.y) < 20) continue;
    const toPole = (Math.atan2(pole.x - here.x, here.y - pole.y) * 180) / Math.PI;
    const apart = Math.abs(((turn - toPole + 540) % 360) - 180);
    expect(apart).toBeLessThan(8);
  }
});

it("draws no symbols for a quantity without direction", () => {
  expect(placeSymbols(view, steady(frameOf({ air_pressure_at_mean_sea_level: () => 1 })), atSea)).toEqual([]);
});

const camera = { width: 1440, height: 800, centre: { latitude: 30, longitude: -30 }, zoom: 3.2 };
type Camera = typeof camera;

const key = (latitude = 0, longitude = 0) => `${latitude.toFixed(6)},${longitude.toFixed(6)}`;

function pairs(places: number[]): [number, number][] {
  return Array.from({ length: places.length / 2 }, (_, index) => [
    places[2 * index]!,
    places[2 * index + 1]!,
  ]);
}

const keysOf = (at: Partial<Camera>, view = mercatorView) =>
  new Set(pairs(latticePlaces(view({ ...camera, ...at }))).map((place) => key(...place)));

it.each([0.5, 1, 1.7, 2.3, 3.2, 4.6, 7.9, 11])("keeps symbols 50 to 75 px apart at zoom %d", (zoom) => {
  for (const view of [mercatorView({ ...camera, zoom }), globeView({ ...camera, zoom })]) {
    if (view.onGlobe && zoom > 8) continue;
    const at = { x: 0, y: 0 };
    const seen = pairs(latticePlaces(view)).map(([latitude, longitude]) => {
      const squareness = view.project(latitude, longitude, at);
      return { ...at, squareness };
    });
    // On the globe in its middle: towards the edge everything crowds.
    const middle = seen.filter(
      ({ squareness, x, y }) => squareness > 0.9 && x > 0 && x < 1440 && y > 0 && y < 800,
    );
    expect(middle.length).toBeGreaterThan(view.onGlobe ? 3 : 20);
    for (const one of middle) {
      const gaps = seen.filter((other) => other !== one).map(({ x, y }) => Math.hypot(x - one.x, y - one.y));
      expect(Math.min(...gaps)).toBeGreaterThan(view.onGlobe ? 40 : 49.9);
      expect(Math.min(...gaps)).toBeLessThan(view.onGlobe ? 85 : 75);
    }
  }
});

it("fixes symbols to the earth: panning keeps the places that stay in view", () => {
  for (const view of [mercatorView, globeView]) {
    const before = keysOf({}, view);
    const after = keysOf({ centre: { latitude: 30, longitude: -33.37 } }, view);
    const kept = [...before].filter((place) => after.has(place));
    expect(kept.length / before.size).toBeGreaterThan(0.85);
  }
});

it("keeps every symbol when zooming in adds more", () => {
  for (let zoom = 1; zoom < 9; zoom += 0.25) {
    const wide = keysOf({ zoom });
    const inside = pairs(
      latticePlaces(mercatorView({ ...camera, zoom: zoom + 0.25, width: 700, height: 400 })),
    );
    const near = new Set(inside.map((place) => key(...place)));
    const narrow = pairs(latticePlaces(mercatorView({ ...camera, zoom, width: 500, height: 250 })));
    for (const place of narrow) expect(near.has(key(...place))).toBe(true);
    expect(wide.size).toBeGreaterThan(0);
  }
});

it("covers both sides of 180° and returns each place once", () => {
  for (const view of [mercatorView, globeView]) {
    const places = pairs(
      latticePlaces(view({ ...camera, centre: { latitude: 10, longitude: 180 }, zoom: 2 })),
    );
    expect(places.filter(([, longitude]) => longitude < -150).length).toBeGreaterThan(10);
    expect(places.filter(([, longitude]) => longitude > 150).length).toBeGreaterThan(10);
    expect(new Set(places.map((place) => key(...place))).size).toBe(places.length);
    expect(places.every(([, longitude]) => longitude >= -180 && longitude < 180)).toBe(true);
  }
});

it("returns each place once where several copies of the world are visible", () => {
  const places = pairs(latticePlaces(mercatorView({ ...camera, zoom: 0.5 })));
  expect(new Set(places.map((place) => key(...place))).size).toBe(places.length);
});
