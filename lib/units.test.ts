import { describe, expect, it } from "vitest";
import {
  compassPoint,
  formatSpeed,
  fromBeaufort,
  fromKnots,
  positionText,
  speedText,
  toBeaufort,
  toKnots,
} from "#lib/units.ts";

describe("speeds", () => {
  it("count a knot as 1852 metres an hour, there and back", () => {
    expect(toKnots(1852 / 3600)).toBe(1);
    expect(toKnots(fromKnots(34))).toBeCloseTo(34, 12);
  });

  it.each([
    [0.2, 0],
    [0.3, 1],
    [7.94, 4],
    [8.0, 5],
    [17.1, 7],
    [17.2, 8],
    [32.6, 11],
    [32.7, 12],
    [90, 12],
  ])("put %d m/s in force %d", (speed, force) => {
    expect(toBeaufort(speed)).toBe(force);
  });

  it("begin each force at its own lowest wind", () => {
    for (let force = 0; force <= 12; force++) expect(toBeaufort(fromBeaufort(force))).toBe(force);
  });

  it("are written in the unit chosen", () => {
    expect(formatSpeed(10, "kn")).toBe("19");
    expect(speedText(10, "m/s")).toBe("10.0 m/s");
    expect(speedText(10, "Bft")).toBe("Bft 5");
  });
});

describe("positions", () => {
  it.each([
    [48.5, -5.17, "48°30.0′N 005°10.2′W"],
    [-0.00001, 0, "00°00.0′S 000°00.0′E"],
    [-33.99999, 179.99999, "34°00.0′S 180°00.0′E"],
    [10, 180, "10°00.0′N 180°00.0′E"],
    [17.975, 192.6567, "17°58.5′N 167°20.6′W"],
    [17.975, -540.5, "17°58.5′N 179°30.0′E"],
  ])("%d, %d is written as on a chart", (latitude, longitude, text) => {
    expect(positionText(latitude, longitude)).toBe(text);
  });

  it("name the nearest of sixteen bearings", () => {
    expect([0, 11.2, 11.3, 247.5, 359.9].map(compassPoint)).toEqual([
      "north",
      "north",
      "north-northeast",
      "west-southwest",
      "north",
    ]);
  });
});
