import { inRing } from "@open-metocean/geo/ring";
import { destination, MILE_KM } from "@open-metocean/geo/sphere";
import { describe, expect, it } from "vitest";
import { aheadPoint, allRound, BASE, stormOf } from "../../test/storms.ts";
import { CONE_START_KM } from "./cone.ts";
import { dangerArea, dangerPassage } from "./danger.ts";
import { onRoute, since, steering } from "./track.ts";

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
});

const HOUR = 3600;
// The storm stays in place: its area is a circle of 200 km plus 300 n mi around 20° N, 180°.
const still = stormOf(
  [0, 24, 48, 72, 96].map((hour) => aheadPoint(hour, at(20, 180), allRound(200, 90, null))),
);
const area = dangerArea(still, "classic")!;
const RADIUS = 200 + 300 * MILE_KM;

describe("a vessel and the 1-2-3 danger area", () => {
  it("at anchor outside is clear by its distance to the edge, until the area ends", () => {
    const passage = dangerPassage(area, steering(destination(at(20, 180), 250, RADIUS + 150), BASE, 0, 0))!;
    expect(passage).toMatchObject({ from: BASE, until: BASE + 72 * HOUR, enters: null, leaves: null });
    // The outline has at most 120 vertices, and is accurate to a kilometre.
    expect(Math.abs(passage.clearanceKm - 150)).toBeLessThan(1.5);
  });

  it("that is inside is so from the start, and leaves when it crosses the edge", () => {
    const leaving = dangerPassage(area, steering(at(20, -179), BASE, 0, 20 * MILE_KM))!;
    expect(leaving).toMatchObject({ enters: BASE, clearanceKm: 0 });
    const hours = (leaving.leaves! - BASE) / HOUR;
    expect(hours).toBeGreaterThan((RADIUS - 110) / (20 * MILE_KM));
    expect(hours).toBeLessThan(RADIUS / (20 * MILE_KM));
    expect(dangerPassage(area, steering(at(20, 180), BASE, 0, 0))).toMatchObject({
      enters: BASE,
      leaves: null,
    });
  });

  it("that steers for it enters where its way crosses the drawn outline, to the second, across 180°", () => {
    const vessel = steering(at(20, 172), BASE, 90, 15 * MILE_KM);
    const { enters, leaves } = dangerPassage(area, vessel)!;
    for (const [time, before] of [
      [enters!, false],
      [leaves!, true],
    ] as const) {
      expect(inRing(area.outline!, vessel.at(time - 1))).toBe(before);
      expect(inRing(area.outline!, vessel.at(time))).toBe(!before);
    }
  });

  it("that passes by is clear by the least distance on its way", () => {
    const south = destination(at(20, 180), 180, RADIUS + 60);
    const passage = dangerPassage(area, steering({ ...south, longitude: 174 }, BASE, 90, 20 * MILE_KM))!;
    expect(passage.enters).toBeNull();
    expect(Math.abs(passage.clearanceKm - 60)).toBeLessThan(3);
  });

  it("is only looked at in the time of voyage and area, and says when its gales are estimated", () => {
    expect(dangerPassage(area, steering(at(20, 180), BASE + 73 * HOUR, 0, 0))).toBeUndefined();
    const late = onRoute([{ ...at(20, 180), time: BASE + 80 * HOUR }]);
    expect(dangerPassage(area, late)).toBeUndefined();
    const bare = stormOf([0, 72].map((hour) => aheadPoint(hour, at(20, 180))));
    const vessel = steering(at(0, 0), BASE, 0, 0);
    expect(dangerPassage(dangerArea(bare, "classic")!, vessel)!.estimated).toBe(true);
    expect(dangerPassage(area, vessel)!.estimated).toBe(false);
    expect(dangerPassage({ ...area, outline: null }, vessel)).toBeUndefined();
  });
});

it("of a voyage only the rest is looked at: it begins later, without the turns that are over", () => {
  const legs = [0, 10, 20, 30].map((hour) => ({ ...at(20, 170 + hour / 10), time: BASE + hour * HOUR }));
  const voyage = onRoute(legs);
  const rest = since(voyage, BASE + 12 * HOUR);
  expect(rest).toMatchObject({ begins: BASE + 12 * HOUR, ends: BASE + 30 * HOUR, turns: [BASE + 20 * HOUR] });
  expect(rest.at(BASE + 15 * HOUR)).toEqual(voyage.at(BASE + 15 * HOUR));
  expect(since(voyage, BASE - HOUR)).toMatchObject({ begins: BASE, turns: voyage.turns });
});
