import { readFileSync } from "node:fs";
import path from "node:path";
import { inRing, unwrapped } from "@open-metocean/geo/ring";
import {
  destination,
  distanceKm,
  dot,
  EARTH_KM,
  initialBearing,
  type Place,
  vectorOf,
} from "@open-metocean/geo/sphere";
import polygonClipping from "polygon-clipping";
import { describe, expect, it } from "vitest";
import { seeded } from "../../test/seeded.ts";
import { aheadPoint } from "../../test/storms.ts";
import { coneRadiusKm, coneTable, corridorOutline, stormCone } from "./cone.ts";
import coneRadii from "./cone-radii.json" with { type: "json" };
import { ofWire, tenths } from "./wire.ts";

const start = { latitude: 24, longitude: 179.9 };
const table = coneTable("east_pacific", 2026);
const at = (hour: number) => destination(start, 70, 6 * hour);
const pointAt = (fhr: number) =>
  aheadPoint(fhr, at(fhr), fhr ? { cone_radius_km: tenths(coneRadiusKm(table, fhr)!) } : {});
const coneOf = (hours: readonly number[], before = true) =>
  stormCone({
    basin: "east_pacific",
    table,
    points: hours.map(pointAt),
    start: before ? start : undefined,
  })!;

describe("a cone with a forecast for 3 h", () => {
  const cone = coneOf([0, 3, 12, 24, 36]);
  const ring = cone.envelope_polygon!.map(ofWire);

  it("begins with a circle of 16 n mi around the storm, and contains all circles from there on", () => {
    const before = { fhr: 0, lat: start.latitude, lon: start.longitude, r_km: 29.6 };
    for (const { fhr, r_km, ...centre } of [before, ...cone.circles])
      for (let bearing = 0; bearing < 360; bearing += 15)
        expect(inRing(ring, destination(ofWire(centre), bearing, r_km - 1)), `${fhr} h`).toBe(true);
    const onward = initialBearing(start, at(12));
    expect(inRing(ring, destination(start, onward + 180, 31))).toBe(false);
    for (const aside of [-90, 90]) expect(inRing(ring, destination(at(3), 70 + aside, 33))).toBe(false);
  });
});

interface Official {
  name: string;
  basin: string;
  season: number;
  /** Hour, longitude, latitude of each point. */
  points: [number, number, number][];
  /** Longitude, latitude of each vertex. */
  outline: [number, number][];
}

const official = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "fixtures", "nhc-cones.json"), "utf8"),
) as { cones: Official[] };

it.each(official.cones)("has 98.5 % of its area in common with NHC's own cone: $name", (cone) => {
  const own = coneTable(cone.basin, cone.season);
  const points = cone.points.map(([fhr, longitude, latitude]) =>
    aheadPoint(
      fhr,
      { latitude, longitude },
      fhr > 0 ? { cone_radius_km: tenths(coneRadiusKm(own, fhr)!) } : {},
    ),
  );
  const ours = stormCone({ basin: cone.basin, table: own, points, start: undefined })!.envelope_polygon!;
  // All of these storms are in the western hemisphere, but some outlines continue beyond 180°.
  const ring = ours.map(({ lat, lon }): [number, number] => [lon > 0 ? lon - 360 : lon, lat]);
  const common = areaOf(polygonClipping.intersection([ring], [cone.outline]));
  const either = areaOf(polygonClipping.union([ring], [cone.outline]));
  expect(common / either).toBeGreaterThan(0.985);
});

/** Relative area of polygons without holes, computed from the latitudes of their edges. */
function areaOf(polygons: [number, number][][][]): number {
  return polygons.reduce((sum, [ring]) => {
    const parts = ring!.slice(1).map(([east, north], index) => {
      const [west, south] = ring![index]!;
      return (east - west) * Math.sin((((north + south) / 2) * Math.PI) / 180);
    });
    return sum + Math.abs(parts.reduce((area, part) => area + part, 0));
  }, 0);
}

describe("the table of a storm", () => {
  it("is its basin's own, of the newest season not after the storm's, and names the season", () => {
    expect(coneTable("north_atlantic", 2026)).toMatchObject({ source: "nhc", sourceBasin: null, year: 2026 });
    expect(coneTable("north_atlantic", 2031).year).toBe(2026);
    expect(coneTable("east_pacific", 2019).year).toBe(2019);
    expect(coneTable("north_atlantic", 1999).year).toBe(2008);
  });

  it.each(["west_pacific", "north_indian", "south_indian", "south_pacific", "south_atlantic"])(
    "is borrowed from the Atlantic in %s",
    (basin) => {
      expect(coneTable(basin, 2026)).toMatchObject({ source: "borrowed_nhc", sourceBasin: "north_atlantic" });
    },
  );

  it("is borrowed from the East Pacific for seasons missing in the Central Pacific", () => {
    expect(coneTable("central_pacific", 2026)).toMatchObject({ source: "nhc", year: 2026 });
    expect(coneTable("central_pacific", 2024)).toMatchObject({ source: "nhc", year: 2024 });
    for (const season of [2025, 2020]) {
      expect(coneTable("central_pacific", season)).toMatchObject({
        source: "borrowed_nhc",
        sourceBasin: "east_pacific",
        year: season,
      });
    }
  });
});

describe("a radius", () => {
  const km = (basin: string, season: number, hour: number) => coneRadiusKm(coneTable(basin, season), hour);

  it.each([
    ["north_atlantic", 2026, [46.3, 72.2, 90.7, 114.8, 142.6, 175.9, 248.2, 370.4]],
    ["north_atlantic", 2023, [48.2, 72.2, 98.2, 124.1, 150.0, 183.3, 268.5, 379.7]],
    ["east_pacific", 2026, [46.3, 68.5, 88.9, 103.7, 122.2, 144.5, 196.3, 255.6]],
    ["central_pacific", 2023, [63.0, 90.7, 122.2, 150.0, 175.9, 222.2, 253.7, 288.9]],
  ])("of %s in %i is that of its season", (basin, season, expected) => {
    const radii = [12, 24, 36, 48, 60, 72, 96, 120].map((hour) => km(basin, season, hour)!);
    for (const [index, radius] of radii.entries())
      expect(Math.abs(radius - expected[index]!)).toBeLessThan(0.051);
  });

  it("is linear between the hours of the table, also across a missing hour", () => {
    expect(km("north_atlantic", 2026, 18)).toBeCloseTo(((25 + 39) / 2) * 1.852, 9);
    expect(km("north_atlantic", 2019, 60)).toBeCloseTo(((68 + 102) / 2) * 1.852, 9);
    expect(km("north_atlantic", 2026, 84)).toBeCloseTo(((95 + 134) / 2) * 1.852, 9);
  });
});

const { hours, basins } = coneRadii;
const sources: Readonly<Record<string, string>> = coneRadii.sources;

/** A season for which a basin has no table yet: it names the table that stands in, why, and since when. */
interface Fallback {
  basin: string;
  season: number;
  uses: number;
  reason: string;
  read: string;
}
const fallbacks: readonly Fallback[] = coneRadii.fallbacks;

/** Basins that have neither a table nor a named fallback for a season. */
function basinsWithout(season: number, named = fallbacks): string[] {
  return Object.entries(basins)
    .filter(([, rows]) => !rows.some(({ year }) => year === season))
    .map(([basin]) => basin)
    .filter((basin) => !named.some((one) => one.basin === basin && one.season === season));
}

it("has the tables of this year's season, or names those that stand in for them", () => {
  // The calendar is what this asks about. In January, add NHC's new radii to cone-radii.json; before NHC has published
  // them, a line of `fallbacks` for each basin.
  expect(basinsWithout(new Date().getUTCFullYear())).toEqual([]);
});

it("misses a season that is not entered, and takes a named fallback only for its basin and season", () => {
  const unpublished = Math.max(...basins.north_atlantic.map(({ year }) => year)) + 7;
  const one = { basin: "east_pacific", season: unpublished, uses: 2026, reason: "", read: "" };
  expect(basinsWithout(2026)).toEqual([]);
  expect(basinsWithout(unpublished)).toEqual(Object.keys(basins));
  expect(basinsWithout(unpublished, [one])).toEqual(["north_atlantic", "central_pacific"]);
  expect(basinsWithout(unpublished + 1, [one])).toEqual(Object.keys(basins));
});

it.each(fallbacks)("the fallback of $basin in $season is the table that its storms get", (one) => {
  expect(coneTable(one.basin, one.season).year).toBe(one.uses);
  expect(one.reason.length).toBeGreaterThan(20);
  expect(one.read).toMatch(/^\d{4}-\d\d-\d\d$/);
});

it("has a source and a date for every table, and radii that grow with the hour", () => {
  for (const rows of Object.values(basins)) {
    expect(rows.map(({ year }) => year)).toEqual([...rows].map(({ year }) => year).sort((a, b) => b - a));
    for (const { miles, sources: from, read } of rows) {
      expect(miles).toHaveLength(hours.length);
      expect(from.length).toBeGreaterThan(0);
      for (const source of from) expect(sources[source], source).toBeTypeOf("string");
      expect(read).toMatch(/^\d{4}-\d\d-\d\d$/);
      const given = miles.filter((radius) => radius !== null);
      expect(given).toEqual([...given].sort((a, b) => a - b));
    }
  }
});

/**
 * Distance of a place from the great circle between two others, km: the least of many points along the chord,
 * each projected back onto the sphere. It uses neither tangents nor polygons.
 */
function distanceFromLine(place: Place, from: Place, to: Place): number {
  const [a, b, p] = [vectorOf(from), vectorOf(to), vectorOf(place)];
  let nearest = -1;
  for (let step = 0; step <= 2000; step++) {
    const share = step / 2000;
    const at = a.map((value, axis) => value + (b[axis]! - value) * share);
    const length = Math.hypot(...at);
    nearest = Math.max(nearest, dot([at[0]! / length, at[1]! / length, at[2]! / length], p));
  }
  return EARTH_KM * Math.acos(Math.min(1, nearest));
}

/**
 * Tolerance, km: the longest distance of the sampled chord above from its arc, plus the tolerance of the
 * drawn outline.
 */
const TOLERANCE_KM = 1.2;

const twiceArea = (ring: readonly Place[]) => {
  const x = unwrapped(ring.map(({ longitude }) => longitude));
  return ring
    .slice(1)
    .reduce((sum, { latitude }, at) => sum + x[at]! * latitude - x[at + 1]! * ring[at]!.latitude, 0);
};

describe.each([
  ["in the tropics", 5, 25, -170, 150],
  ["across 180°", -25, 25, 176, 184],
  ["in middle latitudes", 40, 58, -60, 20],
] as const)("a corridor %s", (_, south, north, west, east) => {
  it("contains exactly what is within its half width of the line", () => {
    const random = seeded(98);
    for (let round = 0; round < 12; round++) {
      const start = {
        latitude: south + random() * (north - south),
        longitude: west + random() * (east - west),
      };
      const from = destination(start, 0, 0);
      const bearing = random() * 360;
      const to = destination(from, bearing, 100 + random() * 1400);
      const halfWidth = 100 + random() * 300;
      const ring = corridorOutline([from, to], halfWidth)!;
      expect(ring.at(-1)).toEqual(ring[0]);
      expect(ring.every(({ longitude }) => Math.abs(longitude) <= 180)).toBe(true);
      expect(twiceArea(ring)).toBeGreaterThan(0);
      for (let probe = 0; probe < 120; probe++) {
        const along = destination(from, bearing, random() * distanceKm(from, to));
        const place = destination(along, random() * 360, random() * halfWidth * 1.6);
        const away = distanceFromLine(place, from, to);
        if (Math.abs(away - halfWidth) < TOLERANCE_KM) continue;
        expect(inRing(ring, place), `${away} km from the line, ${halfWidth} km wide`).toBe(away < halfWidth);
      }
    }
  });
});
