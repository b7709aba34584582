import { expect, it } from "vitest";
import type { OnLand } from "#components/map/symbols/land-index.ts";
import type { Frame } from "#lib/field/frame.ts";
import { coordinate, type Grid } from "#lib/field/grid.ts";
import { fromKnots } from "#lib/knots.ts";
import { en } from "#lib/messages/generated/en.ts";
import { drawIsolines } from "./drawn-isolines.ts";
import { isolineStyleOf } from "./isoline-style.ts";

const globe: Grid = {
  latitude: { start: -90, step: 1, count: 181 },
  longitude: { start: -180, step: 1, count: 360 },
};
/** Like a chunk of the archive, it continues past 180°. */
const region: Grid = {
  latitude: { start: 20, step: 0.25, count: 161 },
  longitude: { start: 150, step: 0.25, count: 241 },
};

/** Pressure with a low on the antimeridian at 40° N, deepening by 8 hPa from the first step to the second. */
function pressure(grid: Grid, deepening = 0, name = "air_pressure_at_mean_sea_level"): Frame {
  const values = new Int16Array(grid.latitude.count * grid.longitude.count);
  for (let node = 0; node < values.length; node++) {
    const latitude = coordinate(grid.latitude, Math.floor(node / grid.longitude.count));
    const longitude = coordinate(grid.longitude, node % grid.longitude.count);
    const away = ((((longitude - 180) % 360) + 540) % 360) - 180;
    const low = (30 + deepening) * Math.exp(-((latitude - 40) ** 2 + (0.77 * away) ** 2) / 150);
    values[node] = Math.round((1014 - low - 980) / 0.005);
  }
  return { grid, time: 0, bands: [{ name, scale: 0.005, offset: 980 }], values, perNode: 1 };
}

const atSea: OnLand = () => false;
const wide = { box: undefined, pixelsPerDegree: 8 };

function drawn(grid: Grid, view: Parameters<typeof drawIsolines>[2] = wide, later = 0, onLand = atSea) {
  const pair = { before: pressure(grid), after: pressure(grid, 8), later };
  return drawIsolines(pair, isolineStyleOf(pair.before, false, en)!, view, onLand);
}

it("draws an isobar every 4 hPa, 1000 hPa bold, and marks the low", () => {
  const { lines, centres } = drawn(globe);
  expect(lines.features.map(({ properties }) => properties.text).sort()).toEqual(
    ["988", "992", "996", "1000", "1004", "1008", "1012"].sort(),
  );
  const bold = lines.features.filter(({ properties }) => properties.bold);
  expect(bold.map(({ properties }) => properties.text)).toEqual(["1000"]);
  expect(centres.features).toMatchObject([
    { properties: { letter: "L", text: "984" }, geometry: { coordinates: [-180, 40] } },
  ]);
});

it("never draws a line across the whole map, for the globe or for a region across 180°", () => {
  for (const grid of [globe, region]) {
    for (const box of [undefined, { south: 30, north: 55, west: 165, east: 200 }]) {
      const { lines } = drawn(grid, { box, pixelsPerDegree: 30 });
      const pieces = lines.features.flatMap(({ geometry }) => geometry.coordinates);
      expect(pieces.some((piece) => piece.every(([x = 0]) => x > 0))).toBe(true);
      expect(pieces.some((piece) => piece.every(([x = 0]) => x < 0))).toBe(true);
      for (const piece of pieces) {
        piece.slice(1).forEach(([x = 0], index) => {
          expect(Math.abs(x - (piece[index]?.[0] ?? 0))).toBeLessThan(2);
        });
      }
    }
  }
});

it("follows time between two steps", () => {
  const size = (later: number) => {
    const line = drawn(globe, wide, later).lines.features.find(
      ({ properties }) => properties.text === "1000",
    );
    const latitudes = line!.geometry.coordinates.flat().map(([, latitude = 0]) => latitude);
    return Math.max(...latitudes) - Math.min(...latitudes);
  };
  expect(size(0.5)).toBeGreaterThan(size(0) + 0.2);
  expect(size(1)).toBeGreaterThan(size(0.5) + 0.2);
});

it("labels lines at sea only, clear of the coast", () => {
  const east = (_latitude: number, longitude: number) => longitude > -175 && longitude < 0;
  const { labels, lines } = drawn(globe, wide, 0, east);
  const longitudes = labels.features.flatMap(({ geometry }) =>
    geometry.coordinates.flat().map(([x = 0]) => x),
  );
  expect(longitudes.length).toBeGreaterThan(50);
  expect(longitudes.filter((x) => x < 0 && x > -176.7)).toEqual([]);
  expect(
    lines.features
      .flatMap(({ geometry }) => geometry.coordinates.flat())
      .some(([x = 0]) => x > -170 && x < 0),
  ).toBe(true);
});

it("draws wave heights every metre, none at zero, and marks no highs", () => {
  const frame = pressure(globe, 0, "sea_surface_wave_significant_height");
  frame.bands = [{ name: "sea_surface_wave_significant_height", scale: 0.001, offset: 0 }];
  const set = isolineStyleOf(frame, false, en)!;
  const { lines, centres } = drawIsolines({ before: frame, after: frame, later: 0 }, set, wide, atSea);
  expect(lines.features.map(({ properties }) => properties.text)).toEqual([
    "1\u202fm",
    "2\u202fm",
    "3\u202fm",
    "4\u202fm",
    "5\u202fm",
    "6\u202fm",
  ]);
  expect(lines.features.filter(({ properties }) => properties.bold)).toHaveLength(1);
  expect(centres.features).toEqual([]);
});

it("has no line style for other fields", () => {
  expect(isolineStyleOf(pressure(globe, 0, "air_temperature"), false, en)).toBeUndefined();
});

/** An easterly of 15 m/s at the equator that grows by 0.5 m/s a degree to the north, turned by 90° in the later step. */
function wind(turned: boolean): Frame {
  const values = new Int16Array(2 * globe.latitude.count * globe.longitude.count);
  for (let node = 0; 2 * node < values.length; node++) {
    const latitude = coordinate(globe.latitude, Math.floor(node / globe.longitude.count));
    values[2 * node + (turned ? 1 : 0)] = -100 * Math.max(0, 15 + 0.5 * latitude);
  }
  const bands = ["eastward_wind_10m", "northward_wind_10m"].map((name) => ({ name, scale: 0.01, offset: 0 }));
  return { grid: globe, time: 0, bands, values, perNode: 2 };
}

const speedLines = (later: number, night = false) => {
  const pair = { before: wind(false), after: wind(true), later };
  const { lines, centres } = drawIsolines(pair, isolineStyleOf(pair.before, night, en)!, wide, atSea);
  expect(centres.features).toEqual([]);
  return lines.features.map(({ properties, geometry }) => ({
    ...properties,
    latitude: geometry.coordinates[0]?.[0]?.[1] ?? Number.NaN,
  }));
};

it("draws the limits of wind speed at 22, 34, 48 and 64 kn, named in knots, gale and hurricane bold", () => {
  const lines = speedLines(0);
  expect(lines.map(({ text, bold }) => [text.replace("\u202f", " "), bold])).toEqual([
    ["22 kn", false],
    ["34 kn", true],
    ["48 kn", false],
    ["64 kn", true],
  ]);
  [22, 34, 48, 64].forEach((knots, index) => {
    expect(lines[index]?.latitude).toBeCloseTo((fromKnots(knots) - 15) / 0.5, 1);
  });
});

it("contours the length of the vector, whose components are interpolated in time as the colours are", () => {
  // Halfway between two winds at right angles the mean vector is shorter by √2.
  const [strong] = speedLines(0.5);
  expect(strong?.latitude).toBeCloseTo((fromKnots(22) * Math.SQRT2 - 15) / 0.5, 1);
});

it("draws the other Beaufort limits too at night, where colours are shades of one hue", () => {
  expect(speedLines(0, true).map(({ text }) => Number.parseInt(text, 10))).toEqual([
    11, 17, 22, 28, 34, 41, 48, 56, 64,
  ]);
});
