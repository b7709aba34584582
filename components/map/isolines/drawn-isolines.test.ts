import type { Grid } from "@open-metocean/geo/grid";
import { fromKnots } from "@open-metocean/geo/knots";
import { expect, it } from "vitest";
import type { FramePair } from "#lib/field/interpolate.ts";
import { en } from "#lib/messages/generated/en.ts";
import { frameOf, globeGrid, steady } from "#test/map.ts";
import { drawIsolines } from "./drawn-isolines.ts";
import { isolineStyleOf } from "./isoline-style.ts";

const globe = globeGrid(1);
/** Like a chunk of the archive, the grid continues past 180°. */
const region: Grid = {
  latitude: { start: 20, step: 0.25, count: 161 },
  longitude: { start: 150, step: 0.25, count: 241 },
};

/** A low on the antimeridian at 40° N that deepens by 8 hPa from the first step to the second. */
const low = (depth: number) => (latitude: number, longitude: number) => {
  const away = ((((longitude - 180) % 360) + 540) % 360) - 180;
  return depth * Math.exp(-((latitude - 40) ** 2 + (0.77 * away) ** 2) / 150);
};
function pressure(grid: Grid, later = 0): FramePair {
  const [before, after] = [30, 38].map((depth) => {
    const at = low(depth);
    const air_pressure_at_mean_sea_level = (...place: [number, number]) => 1014 - at(...place);
    return frameOf({ air_pressure_at_mean_sea_level }, { grid, scale: 0.005, offset: 980 });
  });
  return { before: before!, after: after!, later };
}
const wide = { box: undefined, pixelsPerDegree: 8 };

const drawn = (
  pair: FramePair,
  {
    view = wide as Parameters<typeof drawIsolines>[2],
    night = false,
    onLand = (_: number, __: number): boolean => false,
  } = {},
) => drawIsolines(pair, isolineStyleOf(pair.before, night, en)!, view, onLand);
const textsOf = ({ lines }: ReturnType<typeof drawn>) =>
  lines.features.map(({ properties: { text, bold } }) => `${text}${bold ? "!" : ""}`);

it("draws an isobar every 4 hPa, 1000 hPa bold, and marks the low", () => {
  const isobars = drawn(pressure(globe));
  expect(new Set(textsOf(isobars))).toEqual(new Set(["988", "992", "996", "1000!", "1004", "1008", "1012"]));
  expect(isobars.centres.features).toMatchObject([
    { properties: { letter: "L", text: "984" }, geometry: { coordinates: [-180, 40] } },
  ]);
});

it.each([
  ["the globe", globe, undefined],
  ["the globe in a view", globe, { south: 30, north: 55, west: 165, east: 200 }],
  ["a region across 180°", region, undefined],
  ["a region in a view", region, { south: 30, north: 55, west: 165, east: 200 }],
])("never draws a line across the whole map, for %s", (_, grid, box) => {
  const { lines } = drawn(pressure(grid), { view: { box, pixelsPerDegree: 30 } });
  const pieces = lines.features.flatMap(({ geometry }) =>
    geometry.coordinates.map((piece) => piece.map(([x = 0]) => x)),
  );
  expect(pieces.some((piece) => piece.every((x) => x > 0))).toBe(true);
  expect(pieces.some((piece) => piece.every((x) => x < 0))).toBe(true);
  for (const piece of pieces)
    expect(Math.max(0, ...piece.slice(1).map((x, index) => Math.abs(x - piece[index]!)))).toBeLessThan(2);
});

it("follows time between two steps", () => {
  const [first, middle, last] = [0, 0.5, 1].map((later) => {
    const { lines } = drawn(pressure(globe, later));
    const line = lines.features.find(({ properties }) => properties.text === "1000");
    const latitudes = line!.geometry.coordinates.flat().map(([, latitude = 0]) => latitude);
    return Math.max(...latitudes) - Math.min(...latitudes);
  });
  expect(middle).toBeGreaterThan(first! + 0.2);
  expect(last).toBeGreaterThan(middle! + 0.2);
});

it("labels lines at sea only, clear of the coast", () => {
  const onLand = (_latitude: number, longitude: number) => longitude > -175 && longitude < 0;
  const { labels, lines } = drawn(pressure(globe), { onLand });
  const eastings = ({ features }: typeof lines) =>
    features.flatMap(({ geometry }) => geometry.coordinates.flat().map(([x = 0]) => x));
  expect(eastings(labels).length).toBeGreaterThan(50);
  expect(eastings(labels).filter((x) => x < 0 && x > -176.7)).toEqual([]);
  expect(eastings(lines).some((x) => x > -170 && x < 0)).toBe(true);
});

it("draws wave heights every metre, none at zero, and marks no highs; other fields have no lines", () => {
  const waves = drawn(
    steady(frameOf({ sea_surface_wave_significant_height: low(6.8) }, { grid: globe, scale: 0.001 })),
  );
  expect(textsOf(waves).map((text) => text.replace("\u202f", " "))).toEqual([
    "1 m",
    "2 m",
    "3 m",
    "4 m",
    "5 m!",
    "6 m",
  ]);
  expect(waves.centres.features).toEqual([]);
  expect(isolineStyleOf(frameOf({ air_temperature: 0 }), false, en)).toBeUndefined();
});

/**
 * An easterly of 15 m/s at the equator that increases by 0.5 m/s per degree to the north, and turns by 90° in
 * the later step.
 */
function wind(later = 0): FramePair {
  const speed = (latitude: number) => -Math.max(0, 15 + 0.5 * latitude);
  const before = frameOf({ eastward_wind_10m: speed, northward_wind_10m: 0 }, { grid: globe });
  return {
    before,
    after: frameOf({ eastward_wind_10m: 0, northward_wind_10m: speed }, { grid: globe }),
    later,
  };
}
const latitudesOf = ({ lines }: ReturnType<typeof drawn>) =>
  lines.features.map(({ geometry }) => geometry.coordinates[0]?.[0]?.[1]);
const latitudeOf = (speed: number) => expect.closeTo((speed - 15) / 0.5, 1);

it("draws the limits of wind speed at 22, 34, 48 and 64 kn, named in knots, gale and hurricane bold", () => {
  const limits = drawn(wind());
  expect(textsOf(limits).map((text) => text.replace("\u202f", " "))).toEqual([
    "22 kn",
    "34 kn!",
    "48 kn",
    "64 kn!",
  ]);
  expect(latitudesOf(limits)).toEqual([22, 34, 48, 64].map((knots) => latitudeOf(fromKnots(knots))));
  expect(limits.centres.features).toEqual([]);
  // If colours are shades of one hue, the other Beaufort limits are drawn too.
  const night = textsOf(drawn(wind(), { night: true })).map((text) => Number.parseInt(text, 10));
  expect(night).toEqual([11, 17, 22, 28, 34, 41, 48, 56, 64]);
});

it("contours the length of the vector, whose components are interpolated in time as the colours are", () => {
  // Halfway between two perpendicular winds the mean vector is shorter by √2.
  expect(latitudesOf(drawn(wind(0.5)))[0]).toEqual(latitudeOf(fromKnots(22) * Math.SQRT2));
});
