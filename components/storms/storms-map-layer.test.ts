import { readFileSync } from "node:fs";
import type { Geometry, Position } from "geojson";
import { expect, it } from "vitest";
import { themedTable } from "#components/view-state/map-colours.ts";
import { colourScales } from "#lib/catalog/colours.ts";
import { en } from "#lib/messages/generated/en.ts";
import { compareTracks } from "#lib/storm-answers/compare.ts";
import { stormFilm } from "#lib/storm-answers/film.ts";
import { aheadPoint, allRound, BASE, stormOf, trackPoint } from "#test/storms.ts";
import { stormShapes } from "./storm-shapes.ts";
import { filmEntry, filmShapes, peerShapes } from "./storms-map-layer.ts";

/** Design tokens of a theme, from the text of its CSS block. */
function tokens(block: string): Map<string, string> {
  return new Map([...block.matchAll(/(--[a-z-]+): ([^;]+);/g)].map(([, name, value]) => [name!, value!]));
}

const css = readFileSync(new URL("../../app/themes.css", import.meta.url), "utf8");
const themes = css.split("}").flatMap((block) => (block.includes("--map-danger") ? [tokens(block)] : []));

/** Red, green and blue of `#rrggbb` or `rgba(…)`, 0..255. */
function rgb(colour: string): number[] {
  if (colour.startsWith("#")) return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return colour
    .match(/[\d.]+/g)!
    .slice(0, 3)
    .map(Number);
}

/** Relative luminance, WCAG 2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = rgb(colour).map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

it("tracks, cones, symbols and tides stand out from their halo on every colour of every field in every theme", () => {
  for (const [index, theme] of (["light", "dusk", "night"] as const).entries()) {
    const tokensOf = themes[index]!;
    const halo = tokensOf.get("--map-halo")!;
    const share = Number(/[\d.]+\)$/.exec(halo)?.[0].slice(0, -1));
    const marks = ["storm", "ink", "danger"].map((name) => luminance(tokensOf.get(`--map-${name}`)!));
    for (const scale of Object.values(colourScales)) {
      const table = themedTable(scale, theme);
      for (let at = 0; at < table.length; at += 4) {
        const below = [...table.subarray(at, at + 3)];
        const blended = rgb(halo).map((channel, c) => share * channel + (1 - share) * below[c]!);
        const ground = luminance(`rgb(${blended.join(",")})`);
        for (const mark of marks)
          expect((Math.max(mark, ground) + 0.05) / (Math.min(mark, ground) + 0.05)).toBeGreaterThan(3);
      }
    }
  }
});

it("hatches danger areas in an amber that stands out from its casing in every theme, whatever colours lie below", () => {
  expect(themes).toHaveLength(3);
  for (const theme of themes) {
    const amber = theme.get("--map-danger")!;
    const [one, other] = [luminance(amber), luminance(theme.get("--map-halo")!)];
    expect((Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)).toBeGreaterThan(3);
    const [red = 0, green = 0, blue = 0] = rgb(amber);
    // Between orange and yellow: amber, not the red of storms.
    expect(red).toBeGreaterThan(green);
    expect(green).toBeGreaterThan(0.5 * red);
    expect(blue).toBeLessThan(0.2 * red);
  }
});

const HOUR = 3600;

/** The track crosses 180° westward. */
const fixes = [0, 6, 12].map((hour) =>
  trackPoint(
    hour,
    { latitude: 15, longitude: hour === 12 ? 179 : -179 - hour / 6 + 1 },
    allRound(200, 100, null),
  ),
);
const history = [0, 6, 12].map((hour) => {
  const observed = fixes.filter(({ time }) => time <= BASE + hour * HOUR);
  const { lat: latitude, lon: longitude } = observed.at(-1)!;
  const points = [0, 24].map((fhr) =>
    aheadPoint(fhr, {
      latitude: latitude + fhr / 12,
      longitude: longitude - fhr / 6 > -180 ? longitude - fhr / 6 : longitude - fhr / 6 + 360,
    }),
  );
  const forecast = { issued_at: BASE + hour * HOUR, cone_source: "nhc" as const, points };
  const entry = stormOf(points, { id: "WP012026", tracks: { observed, forecast } });
  const { lat, lon } = points[1]!;
  entry.cone = {
    basin: "west_pacific",
    source: "nhc",
    source_basin: null,
    year: 2026,
    radii_table_km: null,
    circles: [{ fhr: 24, lat, lon, r_km: 100 }],
    center_line: [],
    envelope_polygon: null,
  };
  return { issued_at: BASE + hour * HOUR, entry };
});
const film = stormFilm(history)!;
const last = history.at(-1)!.entry;
const drawnAt = (hour: number) => {
  const frame = film.at(BASE + hour * HOUR);
  const entry = filmEntry(last, frame);
  const scene = {
    entries: [entry],
    selected: last.id,
    time: frame.time,
    danger: null,
    boxes: false,
    words: en,
  };
  return stormShapes(scene).features;
};

const verticesOf = (geometry: Geometry): Position[] =>
  geometry.type === "Point"
    ? [geometry.coordinates]
    : geometry.type === "LineString"
      ? geometry.coordinates
      : geometry.type === "Polygon"
        ? geometry.coordinates.flat()
        : [];

it("gives the map one cone and one track for each bulletin, named by its time", () => {
  const shapes = filmShapes(film.at(film.ends).forecasts, en);
  expect(shapes.map(({ properties }) => [properties.kind, (properties.issued - BASE) / HOUR])).toEqual([
    ["film-cone", 0],
    ["film-forecast", 0],
    ["film-cone", 6],
    ["film-forecast", 6],
    ["film-cone", 12],
    ["film-forecast", 12],
  ]);
});

it("grows the track to where the storm is between two fixes, with its wind and the radii of the last fix", () => {
  const features = drawnAt(9);
  const [track] = features.filter(({ properties }) => properties.kind === "observed");
  const [centre] = features.filter(({ properties }) => properties.kind === "centre");
  const line = verticesOf(track!.geometry);
  expect(line).toHaveLength(3);
  const [longitude = 0, latitude = 0] = verticesOf(centre!.geometry)[0]!;
  expect(line.at(-1)).toEqual([expect.closeTo(longitude, 9), expect.closeTo(latitude, 9)]);
  expect(centre!.properties).toMatchObject({ icon: "storm-north-hu1", label: "DEMOALFA\n70 kn" });
  expect(features.filter(({ properties }) => properties.kind === "radii")).toHaveLength(2);
  const longitudes = line.map(([longitude = 0]) => longitude);
  expect(Math.max(...longitudes) - Math.min(...longitudes)).toBeLessThan(5);
});

/** A storm at 180°, and the same storm of the other provider a degree to the east, across the meridian. */
const [jtwc, jma] = (["jtwc", "jma"] as const).map((provider, index) => {
  const at = (hour: number) => ({ latitude: 20 + hour / 12, longitude: index === 0 ? 179.5 : -179.5 });
  return stormOf([aheadPoint(0, at(0)), aheadPoint(24, at(24))], {
    provider,
    id: "WP012026",
    tracks: {
      observed: [trackPoint(-12, at(-12)), trackPoint(0, at(0))],
      forecast: { issued_at: 0, cone_source: "nhc", points: [aheadPoint(0, at(0)), aheadPoint(24, at(24))] },
    },
  });
});
const { differences } = compareTracks(jtwc!, jma!);
const shapes = peerShapes({ entry: jma!, differences }, en);
const of = (kind: string) => shapes.filter(({ properties }) => properties.kind === kind);

it("draws the other provider's track, and a short line between the centres of each common time", () => {
  expect(of("peer-observed")).toHaveLength(1);
  expect(of("peer-forecast")).toHaveLength(1);
  expect(of("peer-between")).toHaveLength(3);
  for (const { geometry } of of("peer-between")) {
    if (geometry.type !== "LineString") throw new Error("A distance is a line");
    const [from, to] = geometry.coordinates;
    expect(to![0]! - from![0]!).toBeCloseTo(1, 6);
  }
});

it("draws no forecast of the last bulletin with the storm of an earlier time", () => {
  const kinds = new Set(drawnAt(6).map(({ properties }) => properties.kind));
  expect(kinds).toEqual(new Set(["observed", "radii", "centre"]));
});

it("marks the times on the other track and names its provider once", () => {
  expect(of("peer-place").map(({ properties }) => properties.label)).toEqual([
    undefined,
    undefined,
    undefined,
    "JMA",
  ]);
});
