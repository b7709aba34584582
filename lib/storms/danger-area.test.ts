import { describe, expect, it } from "vitest";
import { inRing } from "#lib/geo/ring.ts";
import { destination } from "#lib/geo/sphere.ts";
import { aheadPoint, allRound, stormOf } from "#test/storms.ts";
import { CONE_START_KM } from "./cone.ts";
import { dangerArea } from "./danger.ts";

const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const hours = [0, 12, 24, 36, 48, 72, 96];
const radii = {
  wind_radii_km: { ...allRound(100, 50, null).wind_radii_km },
  affectance_bbox_estimated: false,
};
const entry = stormOf(hours.map((hour) => aheadPoint(hour, at(20 + hour / 12, 178 + hour / 12), radii)));

describe("the danger area", () => {
  it("follows the 1-2-3 rule: gales plus 100 n mi per day, up to day 3", () => {
    const { circles, thresholdKt } = dangerArea(entry, "classic")!;
    expect(thresholdKt).toBe(34);
    expect(circles.map(({ fhr }) => fhr)).toEqual([0, 12, 24, 36, 48, 72]);
    expect(circles.map(({ km }) => Math.round(km))).toEqual([100, 193, 285, 378, 470, 656]);
  });

  it("of the season method adds the radii of the cone to the gales", () => {
    const { circles } = dangerArea(entry, "season")!;
    expect(circles.map(({ km, errorKm }) => [Math.round(km), errorKm])).toEqual([
      [130, CONE_START_KM],
      [124, 24],
      [148, 48],
      [172, 72],
      [196, 96],
      [244, 144],
    ]);
  });

  it("uses the largest quadrant", () => {
    const uneven = { "34kn": { ne: 90, se: 300, sw: 10, nw: 0 }, "50kn": null, "64kn": null };
    const one = stormOf([
      aheadPoint(0, at(20, 130), { wind_radii_km: uneven, affectance_bbox_estimated: false }),
    ]);
    expect(dangerArea(one, "classic")!.circles[0]).toMatchObject({ windKm: 300, estimated: false });
  });

  it("marks an estimated reach, and has no gales for weaker storms", () => {
    const untold = stormOf([aheadPoint(0, at(20, 130)), aheadPoint(24, at(21, 130), { vmax_kt: 30 })]);
    const [now, day1] = dangerArea(untold, "classic")!.circles;
    expect(now).toMatchObject({ windKm: expect.closeTo(200, 6), estimated: true });
    expect(day1).toMatchObject({ windKm: 0, estimated: false });
  });

  it("extends to day 3 if the forecast has only hours before and after it", () => {
    const odd = stormOf([0, 48, 93].map((hour) => aheadPoint(hour, at(20, 130 + hour / 12), radii)));
    const last = dangerArea(odd, "classic")!.circles.at(-1)!;
    expect(last).toMatchObject({ fhr: 72, windKm: expect.closeTo(100, 6) });
    expect(last.longitude).toBeCloseTo(136, 1);
  });

  it("has an outline around all its circles, also across 180°", () => {
    const { circles, outline } = dangerArea(entry, "classic")!;
    for (const circle of circles) {
      for (let bearing = 0; bearing < 360; bearing += 30) {
        expect(inRing(outline!, destination(circle, bearing, circle.km - 1.5))).toBe(true);
      }
    }
  });

  it("is undefined without a forecast", () => {
    expect(dangerArea({ ...entry, tracks: { observed: entry.tracks.observed } }, "classic")).toBeUndefined();
  });
});
