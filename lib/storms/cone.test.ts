import { readFileSync } from "node:fs";
import path from "node:path";
import polygonClipping from "polygon-clipping";
import { describe, expect, it } from "vitest";
import { inRing } from "#lib/geo/ring.ts";
import { destination, initialBearing } from "#lib/geo/sphere.ts";
import { aheadPoint } from "#test/storms.ts";
import { coneRadiusKm, coneTable, stormCone } from "./cone.ts";
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

  it("states the circle of the table for each forecast hour all the same", () => {
    expect(cone.circles.map(({ fhr }) => fhr)).toEqual([3, 12, 24, 36]);
    expect(cone.circles[0]!.r_km).toBe(29.6);
    expect(cone.radii_table_km!["3"]).toBe(29.6);
  });

  it("of 3 h alone still has an outline around its centre", () => {
    const short = coneOf([3], false).envelope_polygon!.map(ofWire);
    expect(inRing(short, at(3))).toBe(true);
  });
});

interface Official {
  name: string;
  basin: string;
  season: number;
  /** Hour, longitude, latitude. */
  points: [number, number, number][];
  /** Longitude, latitude. */
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
  // All of these storms are in the western hemisphere; some outlines go beyond 180°.
  const ring = ours.map(({ lat, lon }): [number, number] => [lon > 0 ? lon - 360 : lon, lat]);
  const common = areaOf(polygonClipping.intersection([ring], [cone.outline]));
  const either = areaOf(polygonClipping.union([ring], [cone.outline]));
  expect(common / either).toBeGreaterThan(0.985);
});

/** Relative area of polygons without holes, by the latitudes of their edges. */
function areaOf(polygons: [number, number][][][]): number {
  return polygons.reduce((sum, [ring]) => {
    const parts = ring!.slice(1).map(([east, north], index) => {
      const [west, south] = ring![index]!;
      return (east - west) * Math.sin((((north + south) / 2) * Math.PI) / 180);
    });
    return sum + Math.abs(parts.reduce((area, part) => area + part, 0));
  }, 0);
}
