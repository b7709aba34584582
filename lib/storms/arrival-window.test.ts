import { describe, expect, it } from "vitest";
import { destination } from "#lib/geo/sphere.ts";
import { aheadPoint, allRound, BASE, stormOf } from "#test/storms.ts";
import { arrivalWindows } from "./approach.ts";
import { steering } from "./track.ts";

const HOUR = 3600;
const start = { latitude: 10, longitude: 175 };
/** Moves due north at 20 km/h for two days; 34 kt reach 200 km, 50 kt 100 km, 64 kt 50 km in the first day alone. */
const entry = stormOf(
  [0, 12, 24, 36, 48].map((hour) =>
    aheadPoint(hour, destination(start, 0, 20 * hour), allRound(200, 100, hour <= 24 ? 50 : null)),
  ),
);
/** A place on the track, so far ahead of its beginning, km. */
const ahead = (km: number) => steering(destination(start, 0, km), BASE, 0, 0);
const hoursOf = (time: number | null) => (time === null ? null : (time - BASE) / HOUR);

describe("the arrival of a wind", () => {
  it("is when its radius arrives; earlier by the cone's radius, later by it", () => {
    const [gale, storm] = arrivalWindows(entry, ahead(600));
    // 600 − 20 t = 200; and = 200 ± 2 t with the cone.
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
    // Far from the storm it is not expected, whatever its radii become.
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

  it("is at once where the wind blows already", () => {
    expect(arrivalWindows(entry, ahead(50))[0]!.likely).toBe(BASE);
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
  });

  it("knows that a storm of 30 kt has no gales", () => {
    const weak = stormOf([0, 24].map((hour) => aheadPoint(hour, start, { vmax_kt: 30 })));
    expect(arrivalWindows(weak, ahead(0))[0]).toMatchObject({ outlook: "not expected" });
  });

  it("of jma is of 30 and 50 kt", () => {
    expect(
      arrivalWindows({ ...entry, provider: "jma" }, ahead(0)).map(({ thresholdKt }) => thresholdKt),
    ).toEqual([30, 50]);
  });
});
