import { distanceKm } from "@open-metocean/geo/sphere";
import { describe, expect, it } from "vitest";
import { aheadPoint, allRound, BASE, stormOf, trackPoint } from "../../test/storms.ts";
import { CONE_START_KM } from "./cone.ts";
import { forecastMarks, isForecastFor, passingAt, placeNow } from "./track.ts";

const HOUR = 3600;
const at = (latitude: number, longitude: number) => ({ latitude, longitude });

describe("a storm between two forecast hours", () => {
  const marks = forecastMarks(
    stormOf([
      aheadPoint(0, at(20, 178), allRound(100, 50, null)),
      aheadPoint(12, at(22, -178), allRound(200, 100, null)),
      aheadPoint(24, at(22, -178), { vmax_kt: 30 }),
    ]),
  );

  it("is on the great circle, with radii and cone interpolated in time, across 180°", () => {
    const passing = passingAt(marks, BASE + 6 * HOUR)!;
    expect(distanceKm(passing, marks[0]!)).toBeCloseTo(distanceKm(passing, marks[1]!), 6);
    expect(Math.abs(passing.longitude)).toBeCloseTo(180, 1);
    expect(passing).toMatchObject({ fhr: 6, coneKm: (CONE_START_KM + 24) / 2 });
    expect(passing.radii(34)).toEqual({ ne: 150, se: 150, sw: 150, nw: 150 });
    expect(passing.radii(64)).toBeUndefined();
    expect(passing.heading).toBeGreaterThan(55);
    expect(passing.heading).toBeLessThan(65);
  });

  it("that is stationary has no heading, and radii that end with its wind", () => {
    const passing = passingAt(marks, BASE + 18 * HOUR)!;
    expect(passing.heading).toBeNull();
    expect(passing.radii(34)!.ne).toBeCloseTo(100, 6);
    // There are no 64 kt radii at 12 h.
    expect(passing.radii(64)).toBeUndefined();
  });

  it("is known from the first hour to the last, both included", () => {
    expect(passingAt(marks, BASE)).toMatchObject({ latitude: 20, longitude: 178, fhr: 0 });
    expect(passingAt(marks, BASE + 24 * HOUR)).toMatchObject({ fhr: 24 });
    expect(passingAt(marks, BASE - 1)).toBeUndefined();
    expect(passingAt(marks, BASE + 24 * HOUR + 1)).toBeUndefined();
  });
});

it("begins with the newest fix if a forecast has no hour 0, and interpolates a missing circle", () => {
  const entry = stormOf([aheadPoint(0, at(20, 130))]);
  entry.tracks.forecast!.points = [
    aheadPoint(1, at(20.1, 130), { cone_radius_km: null }),
    aheadPoint(24, at(22, 130)),
    aheadPoint(132, at(30, 130), { cone_radius_km: null }),
  ];
  expect(forecastMarks(entry).map(({ fhr, coneKm }) => [fhr, coneKm])).toEqual([
    [0, CONE_START_KM],
    [1, CONE_START_KM + (48 - CONE_START_KM) / 24],
    [24, 48],
    [132, null],
  ]);
  // The JMA's circles begin with radius 0.
  entry.tracks.forecast!.cone_source = "jma";
  expect(forecastMarks(entry)[0]!.coneKm).toBe(0);
});

it("has a forecast for the times from the bulletin before its base time to its last point", () => {
  const entry = stormOf([aheadPoint(0, at(20, 130)), aheadPoint(24, at(22, 130))]);
  const hours = [-6.1, -6, 0, 24, 24.1];
  expect(hours.map((hour) => isForecastFor(entry, BASE + hour * HOUR))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  entry.tracks.forecast!.points = [];
  expect(isForecastFor(entry, BASE)).toBe(false);
  entry.tracks.forecast = undefined;
  expect(isForecastFor(entry, BASE)).toBe(false);
});

it("is now on its forecast track, otherwise where it was last observed", () => {
  const entry = stormOf([aheadPoint(0, at(20, 130)), aheadPoint(12, at(22, 130))]);
  expect(placeNow(entry, BASE + 6 * HOUR)!.latitude).toBeCloseTo(21, 6);
  const seen = { tracks: { observed: [trackPoint(-6, at(19, 130)), trackPoint(0, at(20, 130))] } };
  expect(placeNow(seen, BASE + 6 * HOUR)).toEqual(at(20, 130));
  expect(placeNow(seen, BASE - HOUR)).toEqual(at(19, 130));
  expect(placeNow({ tracks: { observed: [] } }, BASE)).toBeUndefined();
});
