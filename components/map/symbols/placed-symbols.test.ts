import { expect, it } from "vitest";
import { globeView, mercatorView } from "#components/map/map-view.ts";
import { frameOf, steady } from "#test/map.ts";
import { latticePlaces, placeSymbols } from "./placed-symbols.ts";

type Bands = Parameters<typeof frameOf>[0];
const wind = (u: number, v: number): Bands => ({ eastward_wind_10m: u, northward_wind_10m: v });
const current = (u: Bands[string], v: Bands[string] = 0): Bands => ({
  surface_eastward_sea_water_velocity: u,
  surface_northward_sea_water_velocity: v,
});
const view = mercatorView({ width: 800, height: 600, centre: { latitude: 0, longitude: 179 }, zoom: 2 });
const symbolsOf = (bands: Bands, onLand = (_: number) => false, on = view) =>
  placeSymbols(on, steady(frameOf(bands)), onLand);

it("names the barb by speed and hemisphere and points it to where the wind comes from, on both sides of 180°", () => {
  const symbols = symbolsOf(wind(-10, 0));
  expect(symbols.length).toBeGreaterThan(60);
  for (const { position, glyph, turn } of symbols) {
    expect([glyph, turn]).toEqual([position[1] < 0 ? "barb S 20" : "barb N 20", expect.closeTo(90, 9)]);
  }
  const eastings = symbols.map(({ position }) => position[0]);
  expect(Math.min(...eastings)).toBeLessThan(-170);
  expect(Math.max(...eastings)).toBeGreaterThanOrEqual(170);
});

const waves = {
  sea_surface_wave_significant_height: 2,
  sea_surface_wave_from_direction_x: -1,
  sea_surface_wave_from_direction_y: 0,
};
it.each([
  ["a current to where it goes", current(0.5), { glyph: "current 24", turn: expect.closeTo(90, 9) }],
  ["slack water nowhere", current(0.01), { glyph: "current 0" }],
  [
    "waves as they travel: those from the west go east",
    waves,
    { glyph: "wave 24", turn: expect.closeTo(90, 9) },
  ],
])("points %s", (_, bands, symbol) => {
  expect(symbolsOf(bands)[0]).toMatchObject(symbol);
});

it("draws nothing of a quantity without direction or a missing value, and nothing on land", () => {
  const onLand = (latitude: number) => latitude > 10;
  const southern = (latitude: number) => (latitude < -3 ? Number.NaN : 1);
  const latitudes = (bands: Bands) => symbolsOf(bands, onLand).map(({ position }) => position[1]);
  const currents = latitudes(current(southern, southern));
  expect(currents.length).toBeGreaterThan(5);
  expect(Math.min(...currents)).toBeGreaterThan(-4.1);
  expect(Math.max(...currents)).toBeLessThanOrEqual(10);
  expect(Math.max(...latitudes(wind(10, 0)))).toBeLessThanOrEqual(10);
  expect(symbolsOf({ air_pressure_at_mean_sea_level: 1 })).toEqual([]);
});

it("interpolates components between steps, as the API does", () => {
  const [before, after] = [frameOf(wind(10, 0)), frameOf(wind(0, 10))];
  const [symbol] = placeSymbols(view, { before, after, later: 0.5 }, () => false);
  expect(symbol).toMatchObject({ glyph: expect.stringMatching(/ 15$/), turn: expect.closeTo(-135, 6) });
});

it("turns symbols with their meridian on the globe, also near the pole", () => {
  const globe = globeView({ width: 800, height: 600, centre: { latitude: 80, longitude: 0 }, zoom: 3 });
  const symbols = symbolsOf(wind(0, -10), undefined, globe);
  expect(symbols.length).toBeGreaterThan(30);
  // The shaft of a northerly points to the pole, wherever that is on the canvas.
  const [pole, here] = [
    { x: 0, y: 0 },
    { x: 0, y: 0 },
  ];
  globe.project(90, 0, pole);
  for (const { position, turn } of symbols) {
    globe.project(position[1], position[0], here);
    if (Math.hypot(pole.x - here.x, pole.y - here.y) < 20) continue;
    const toPole = (Math.atan2(pole.x - here.x, here.y - pole.y) * 180) / Math.PI;
    expect(Math.abs(((turn - toPole + 540) % 360) - 180)).toBeLessThan(8);
  }
});

const camera = { width: 1440, height: 800, centre: { latitude: 30, longitude: -30 }, zoom: 3.2 };
const projections = { "Mercator map": mercatorView, globe: globeView };

/** Places of the lattice, latitude and longitude. */
function placesOf(at: Partial<typeof camera>, project = mercatorView): [number, number][] {
  const places = latticePlaces(project({ ...camera, ...at }));
  return Array.from({ length: places.length / 2 }, (_, index) => [
    places[2 * index]!,
    places[2 * index + 1]!,
  ]);
}
const keysOf = (places: [number, number][]) =>
  new Set(places.map(([latitude, longitude]) => `${latitude.toFixed(6)},${longitude.toFixed(6)}`));

it.each([0.5, 1, 1.7, 2.3, 3.2, 4.6, 7.9, 11])("keeps symbols 50 to 75 px apart at zoom %d", (zoom) => {
  for (const project of zoom > 8 ? [mercatorView] : [mercatorView, globeView]) {
    const view = project({ ...camera, zoom });
    const at = { x: 0, y: 0 };
    const seen = placesOf({ zoom }, project).map(([latitude, longitude]) => {
      const squareness = view.project(latitude, longitude, at);
      return { ...at, squareness };
    });
    // The middle of the globe is checked, because symbols are denser towards its edge.
    const middle = seen.filter(
      ({ squareness, x, y }) => squareness > 0.9 && x > 0 && x < 1440 && y > 0 && y < 800,
    );
    const [few, least, most] = view.onGlobe ? [3, 40, 85] : [20, 49.9, 75];
    expect(middle.length).toBeGreaterThan(few);
    for (const one of middle) {
      const gaps = seen.filter((other) => other !== one).map(({ x, y }) => Math.hypot(x - one.x, y - one.y));
      expect(Math.min(...gaps)).toBeGreaterThan(least);
      expect(Math.min(...gaps)).toBeLessThan(most);
    }
  }
});

it.each(Object.entries(projections))(
  "fixes symbols to the earth on the %s, each once, on both sides of 180°",
  (_, project) => {
    const before = keysOf(placesOf({}, project));
    const after = keysOf(placesOf({ centre: { latitude: 30, longitude: -33.37 } }, project));
    expect([...before].filter((place) => after.has(place)).length / before.size).toBeGreaterThan(0.85);
    const places = placesOf({ centre: { latitude: 10, longitude: 180 }, zoom: 2 }, project);
    expect(places.filter(([, longitude]) => longitude < -150).length).toBeGreaterThan(10);
    expect(places.filter(([, longitude]) => longitude > 150).length).toBeGreaterThan(10);
    expect(places.every(([, longitude]) => longitude >= -180 && longitude < 180)).toBe(true);
    // At zoom 0.5 several copies of the world are visible.
    for (const all of [places, placesOf({ zoom: 0.5 }, project)]) expect(keysOf(all).size).toBe(all.length);
  },
);

it("keeps every symbol when zooming in adds more", () => {
  for (let zoom = 1; zoom < 9; zoom += 0.25) {
    const near = keysOf(placesOf({ zoom: zoom + 0.25, width: 700, height: 400 }));
    for (const place of keysOf(placesOf({ zoom, width: 500, height: 250 }))) expect(near).toContain(place);
  }
});
