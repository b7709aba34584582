import { destination, MILE_KM } from "@open-metocean/geo/sphere";
import { steering } from "@open-metocean/storms/track";
import { describe, expect, it } from "vitest";
import { aheadPoint, allRound, BASE, stormOf } from "#test/storms.ts";
import { arrivalWindows, closestApproach } from "./approach.ts";

/** A vessel in low latitudes, where the sphere is nearly flat. */
const ship = { latitude: 3, longitude: 179.5 };

/** A storm at a bearing and distance (n mi) from the vessel, with a heading and speed (knots). */
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
      // The storm does not move, and the cone has grown to 48 km at the end, where the clearance is smallest.
      expect(found.minClearance.time).toBeCloseTo(BASE + 24 * 3600, -1);
      expect(found.minClearance.clearanceKm).toBeCloseTo(1000 - gale - 48, 0);
    }
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
    // For a storm that moves west, the north of the track is its right side.
    expect(at(2)).toBe(right);
    expect(at(-2)).toBe(left);
  });

  it("names the semicircle at the first forecast hour and after a stall; a stationary storm has none", () => {
    const at = (places: readonly [hour: number, longitude: number][], hour: number) => {
      const points = places.map(([fhr, longitude]) => aheadPoint(fhr, { latitude: 15, longitude }));
      const place = { latitude: 17, longitude: 160 };
      return closestApproach(stormOf(points), {
        ...steering(place, BASE + hour * 3600, 0, 0),
        ends: BASE + hour * 3600,
      })!.closest.semicircle;
    };
    // The storm moves west, away from the vessel, which is north of its track.
    const away = [0, 24].map((hour): [number, number] => [hour, 150 - hour / 4]);
    expect(at(away, 0)).toBe("dangerous");
    expect(at(away, 12)).toBe("dangerous");
    const stalled: [number, number][] = [
      [0, 150],
      [12, 150],
      [24, 147],
    ];
    expect(at(stalled, 6)).toBeNull();
    expect(at(stalled, 12)).toBe("dangerous");
    expect(
      at(
        [
          [0, 150],
          [24, 150],
        ],
        0,
      ),
    ).toBeNull();
    // A forecast of a single hour has the motion stated for its point, here to 285°.
    expect(at([[0, 150]], 0)).toBe("dangerous");
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

const HOUR = 3600;
const start = { latitude: 10, longitude: 175 };
/**
 * The storm moves due north at 20 km/h for two days; 34 kt reach 200 km, 50 kt 100 km, and 64 kt 50 km on the
 * first day only.
 */
const entry = stormOf(
  [0, 12, 24, 36, 48].map((hour) =>
    aheadPoint(hour, destination(start, 0, 20 * hour), allRound(200, 100, hour <= 24 ? 50 : null)),
  ),
);
/** A fixed place on the track, at a distance ahead of its beginning, km. */
const ahead = (km: number) => steering(destination(start, 0, km), BASE, 0, 0);
const hoursOf = (time: number | null) => (time === null ? null : (time - BASE) / HOUR);

describe("the arrival of a wind", () => {
  it("is when its radius arrives; earlier by the cone's radius, later by it", () => {
    const [gale, storm] = arrivalWindows(entry, ahead(600));
    // 600 − 20 t = 200; with the cone it is 200 ± 2 t.
    expect(gale).toMatchObject({ thresholdKt: 34, outlook: "expected" });
    expect(hoursOf(gale!.likely)).toBeCloseTo(20, 1);
    expect(hoursOf(gale!.earliest)).toBeCloseTo(400 / 22, 1);
    expect(hoursOf(gale!.latest)).toBeCloseTo(400 / 18, 1);
    expect(hoursOf(gale!.ends)).toBeCloseTo(40, 1);
    expect(hoursOf(storm!.likely)).toBeCloseTo(25, 1);
  });

  it("is not forecast after the last radii, rather than not expected", () => {
    const windows = arrivalWindows(entry, ahead(600));
    expect(windows[2]).toMatchObject({ thresholdKt: 64, outlook: "not forecast", likely: null });
    expect(hoursOf(windows[2]!.radiiUntil)).toBeCloseTo(24, 1);
    // Far from the storm the wind is not expected, whatever the radii become.
    const aside = destination(start, 90, 1500);
    expect(arrivalWindows(entry, steering(aside, BASE, 0, 0))[2]!.outlook).toBe("not expected");
    const none = stormOf([0, 24].map((hour) => aheadPoint(hour, start)));
    expect(arrivalWindows(none, ahead(0)).map(({ outlook }) => outlook)).toEqual(
      Array(3).fill("not forecast"),
    );
  });

  it("is possible where only the cone brings it, and not expected further away", () => {
    const beside = (km: number) => {
      const place = destination(destination(start, 0, 480), 90, km);
      return arrivalWindows(entry, steering(place, BASE, 0, 0))[0]!;
    };
    expect(beside(150).outlook).toBe("expected");
    expect(beside(235)).toMatchObject({ outlook: "possible", likely: null, latest: null });
    expect(beside(400)).toMatchObject({ outlook: "not expected", earliest: null });
  });

  it("does not come from quadrants without such a wind", () => {
    const radii = { "34kn": { ne: 300, se: 300, sw: 0, nw: 0 }, "50kn": null, "64kn": null };
    const place = { latitude: 10, longitude: 175 };
    const oneSided = stormOf(
      [0, 24].map((hour) => aheadPoint(hour, place, { wind_radii_km: radii, cone_radius_km: 0 })),
    );
    const on = (bearing: number) =>
      arrivalWindows(oneSided, steering(destination(place, bearing, 100), BASE, 0, 0))[0]!.outlook;
    expect(on(60)).toBe("expected");
    expect(on(240)).toBe("not expected");
    // A cone that covers the vessel may bring it to the other side of the storm.
    const uncertain = stormOf(
      [0, 24].map((hour) => aheadPoint(hour, place, { wind_radii_km: radii, cone_radius_km: 150 })),
    );
    const beside = (km: number) =>
      arrivalWindows(uncertain, steering(destination(place, 240, km), BASE, 0, 0))[0]!.outlook;
    expect(beside(100)).toBe("possible");
    expect(beside(200)).toBe("not expected");
  });

  it("is not forecast where only the usual reach of a storm without radii brings it", () => {
    // 34 kt reach 50 km on the first day; then there are no radii, and the usual reach is 200 km.
    const ends = stormOf(
      [0, 24, 48].map((hour) =>
        aheadPoint(hour, destination(start, 0, 20 * hour), hour <= 24 ? allRound(50, null, null) : {}),
      ),
    );
    const vessel = ahead(960 + 250);
    expect(closestApproach(ends, vessel)!.minClearance).toMatchObject({ estimated: true });
    expect(closestApproach(ends, vessel)!.minClearance.clearanceKm).toBeLessThan(0);
    expect(arrivalWindows(ends, vessel)[0]).toMatchObject({ outlook: "not forecast", earliest: null });
    expect(arrivalWindows(ends, ahead(960 + 350))[0]!.outlook).toBe("not expected");
  });
});
