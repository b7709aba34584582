import { describe, expect, it } from "vitest";
import { inRing } from "#lib/geo/ring.ts";
import { destination, distanceKm, finalBearing, initialBearing } from "#lib/geo/sphere.ts";
import { aheadPoint } from "#test/storms.ts";
import { stormCone } from "./cone.ts";
import { coneRadiusKm, coneTable } from "./cone-table.ts";
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

  it("begins at the storm's position, as NHC's own does, and not with a circle of 16 n mi", () => {
    const onward = initialBearing(start, at(12));
    const behind = ring.map(
      (place) =>
        -distanceKm(start, place) * Math.cos(((finalBearing(start, place) - onward) * Math.PI) / 180),
    );
    expect(Math.max(...behind)).toBeLessThan(4);
    expect(Math.min(...ring.map((place) => distanceKm(start, place)))).toBeLessThan(4);
  });

  it("is no wider there than without that hour, and contains its centre and all circles from 12 h on", () => {
    for (const aside of [-90, 90]) {
      expect(inRing(ring, destination(at(3), 70 + aside, 10))).toBe(true);
      expect(inRing(ring, destination(at(3), 70 + aside, 22))).toBe(false);
    }
    for (const hour of [0, 3]) expect(inRing(ring, at(hour))).toBe(true);
    for (const { fhr, r_km, ...centre } of cone.circles.filter((circle) => circle.fhr >= 12)) {
      for (let bearing = 0; bearing < 360; bearing += 15)
        expect(inRing(ring, destination(ofWire(centre), bearing, r_km - 1)), `${fhr} h`).toBe(true);
    }
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
