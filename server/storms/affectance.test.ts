import { describe, expect, it } from "vitest";
import { discBox } from "#lib/geo/box.ts";
import { fix } from "#test/storm-feed.ts";
import { affectance, estimatedKm } from "./entry.ts";

const none = { ne: 0, se: 0, sw: 0, nw: 0 };

describe("an affectance box", () => {
  it("follows the lowest threshold by quadrant and is not an estimate", () => {
    const radii = { 34: { ne: 300, se: 200, sw: 100, nw: 150 }, 50: { ne: 500, se: 500, sw: 500, nw: 500 } };
    const { box, estimated } = affectance(fix(0, 20, 130, { radiiKm: radii }), "jtwc");
    expect(estimated).toBe(false);
    expect(box.north).toBeCloseTo(20 + 300 / 111.19, 2);
    expect(box.south).toBeCloseTo(20 - 200 / 111.19, 2);
    expect(130 - box.west).toBeLessThan(box.east - 130);
  });

  it("takes a blank quadrant among others as no wind, and four zeros as not given", () => {
    const partly = { 34: { ne: 300, se: null, sw: null, nw: null } };
    expect(affectance(fix(0, 20, 130, { radiiKm: partly }), "jtwc").box.south).toBeCloseTo(20 - 0.01, 1);
    for (const radiiKm of [{}, { 34: none }, { 50: { ...none, ne: 90 } }]) {
      expect(affectance(fix(0, 20, 130, { radiiKm }), "jtwc").estimated).toBe(true);
    }
  });

  it("uses 34 kt for jtwc and 30 kt for jma", () => {
    const radiiKm = { 30: { ne: 400, se: 400, sw: 400, nw: 400 } };
    expect(affectance(fix(0, 20, 130, { radiiKm }), "jma")).toEqual({
      box: discBox({ latitude: 20, longitude: 130 }, 400),
      estimated: false,
    });
    expect(affectance(fix(0, 20, 130, { radiiKm }), "jtwc").estimated).toBe(true);
  });
});

describe("an estimate", () => {
  const km = (vmaxKt: number | null, latitude = 20) => estimatedKm({ vmaxKt, latitude }, "jtwc");

  it("grows with wind and latitude in both hemispheres, between 75 and 600 km", () => {
    const winds = [20, 35, 50, 65, 100, 130];
    for (const [index, wind] of winds.entries()) {
      if (index > 0) expect(km(wind)).toBeGreaterThan(km(winds[index - 1]!));
      expect(km(wind, 40)).toBeGreaterThan(km(wind, 10));
      expect(km(wind, -25)).toBe(km(wind, 25));
    }
    expect(km(5)).toBe(75);
    expect(km(180, 70)).toBe(600);
    expect(km(null)).toBe(km(25));
  });

  // Medians of the largest quadrant over 1,808 real fixes, nautical miles.
  it.each([
    [50, 110],
    [60, 110],
    [70, 120],
    [80, 135],
    [90, 155],
    [110, 150],
  ])("at %s kt is near what storms of that wind have, %s n mi", (wind, miles) => {
    expect(Math.abs(km(wind, 22) / 1.852 - miles)).toBeLessThan(0.25 * miles);
  });

  it("for jma follows its larger 30-kt areas", () => {
    expect(estimatedKm({ vmaxKt: 50, latitude: 20 }, "jma")).toBeCloseTo(200 * 1.852, 9);
  });
});
