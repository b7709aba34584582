import { describe, expect, it } from "vitest";
import { destination, MILE_KM } from "#lib/geo/sphere.ts";
import { aheadPoint, BASE, stormOf } from "#test/storms.ts";
import { closestApproach } from "./closest-approach.ts";
import { onRoute, steering } from "./vessel.ts";

/** A vessel in low latitudes, where a chart is flat. */
const ship = { latitude: 3, longitude: 179.5 };

/** A storm that bears so far away, n mi, and moves at so many knots. */
function storm(bearing: number, miles: number, heading: number, knots: number) {
  const start = destination(ship, bearing, miles * MILE_KM);
  const hours = [0, 6, 12, 24];
  return stormOf(hours.map((hour) => aheadPoint(hour, destination(start, heading, hour * knots * MILE_KM))));
}

describe("closest approach", () => {
  it("is 41.0 n mi after 2.75 h, as a plotting sheet finds for 050° at 15 kt and a storm from 100°", () => {
    const { closest } = closestApproach(storm(100, 120, 275, 29), steering(ship, BASE, 50, 15 * MILE_KM))!;
    expect(closest.km / MILE_KM).toBeCloseTo(41.0, 0);
    expect(Math.abs(closest.km / MILE_KM - 41)).toBeLessThan(0.3);
    expect((closest.time - BASE) / 3600).toBeCloseTo(2.75, 1);
  });

  it("is widest, 76.0 n mi, on 346° at 12 kt from a storm at 120° that moves to 285°", () => {
    const entry = storm(120, 110, 285, 25);
    const miles = Array.from({ length: 360 }, (_, course) => {
      const found = closestApproach(entry, steering(ship, BASE, course, 12 * MILE_KM))!;
      return found.closest.km / MILE_KM;
    });
    const best = Math.max(...miles);
    expect(Math.abs(best - 76)).toBeLessThan(0.3);
    expect(Math.abs(miles.indexOf(best) - 346)).toBeLessThanOrEqual(1);
  });

  it("is found on a route whose waypoints have times, also across 180°", () => {
    const entry = stormOf([
      aheadPoint(0, { latitude: 10, longitude: 178 }),
      aheadPoint(24, { latitude: 10, longitude: -178 }),
    ]);
    // The two meet half-way, on 180°.
    const route = onRoute([
      { latitude: 8, longitude: -178, time: BASE },
      { latitude: 12, longitude: 178, time: BASE + 24 * 3600 },
    ]);
    const { closest } = closestApproach(entry, route)!;
    expect(closest.km).toBeLessThan(2);
    expect((closest.time - BASE) / 3600).toBeCloseTo(12, 1);
  });

  it("takes gales towards the vessel and the cone off the distance", () => {
    const radii = {
      wind_radii_km: { "34kn": { ne: 100, se: 200, sw: 300, nw: 400 }, "50kn": null, "64kn": null },
      affectance_bbox_estimated: false,
    };
    const place = { latitude: 20, longitude: 150 };
    const entry = stormOf([aheadPoint(0, place, radii), aheadPoint(24, place, radii)]);
    for (const [bearing, gale] of [
      [45, 100],
      [135, 200],
      [225, 300],
      [315, 400],
    ] as const) {
      const found = closestApproach(entry, steering(destination(place, bearing, 1000), BASE, 0, 0))!;
      expect(found.closest).toMatchObject({ galeKm: gale, estimated: false, semicircle: null });
      // It does not move, and the cone has grown to 48 km at the end: then least remains.
      expect(found.minClearance.time).toBeCloseTo(BASE + 24 * 3600, -1);
      expect(found.minClearance.clearanceKm).toBeCloseTo(1000 - gale - 48, 0);
    }
  });

  it("marks the reach of gales as an estimate if no radii are given", () => {
    const found = closestApproach(storm(90, 300, 0, 10), steering(ship, BASE, 0, 0))!;
    expect(found.closest.estimated).toBe(true);
    expect(found.closest.galeKm).toBeCloseTo(200, 6);
  });

  it.each([
    ["north", 15, "dangerous", "navigable"],
    ["south", -15, "navigable", "dangerous"],
  ])("names the semicircles of a storm in the %s", (_where, latitude, right, left) => {
    const westward = [0, 24].map((hour) => aheadPoint(hour, { latitude, longitude: 150 - hour / 4 }));
    const at = (offset: number) =>
      closestApproach(
        stormOf(westward),
        steering({ latitude: latitude + offset, longitude: 147 }, BASE, 0, 0),
      )!.closest.semicircle;
    // Moving west, north of the track is its right side.
    expect(at(2)).toBe(right);
    expect(at(-2)).toBe(left);
  });

  it("is undefined without a forecast and after its end", () => {
    const entry = storm(90, 300, 0, 10);
    expect(closestApproach(entry, steering(ship, BASE + 25 * 3600, 0, 10))).toBeUndefined();
    const ended = { ...entry, tracks: { observed: entry.tracks.observed } };
    expect(closestApproach(ended, steering(ship, BASE, 0, 10))).toBeUndefined();
  });

  it("of jma uses 30 kt", () => {
    const quadrants = { ne: 250, se: 250, sw: 250, nw: 250 };
    const radii = {
      wind_radii_km: { "30kn": quadrants, "50kn": null, "64kn": null },
      affectance_bbox_estimated: false,
    };
    const place = { latitude: 20, longitude: 150 };
    const entry = stormOf([aheadPoint(0, place, radii), aheadPoint(24, place, radii)], { provider: "jma" });
    expect(closestApproach(entry, steering(ship, BASE, 0, 0))!.closest).toMatchObject({ galeKm: 250 });
  });
});
