import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { normaliseLongitude } from "#lib/field/grid.ts";
import { type Fix, reckoned, wayAhead } from "./dead-reckoning.ts";
import { distanceKm, MILE_KM } from "./sphere.ts";

type Row = [latitude: number, longitude: number, course: number, speed: number, hours: number, ...Position];
type Position = [latitude: number, longitude: number];

const T = 1_789_473_600;
const fixOf = (latitude: number, longitude: number, course: number, speed: number): Fix => ({
  latitude,
  longitude,
  course,
  speed,
  time: T,
});

it("is where an independent integration puts the ship, to 1e-6 degrees, across 180° and near poles", () => {
  const file = path.join(import.meta.dirname, "fixtures/dead-reckoning.json");
  const rows = JSON.parse(readFileSync(file, "utf8")) as Row[];
  expect(rows.length).toBeGreaterThan(300);
  let worst = 0;
  for (const [latitude, longitude, course, speed, hours, north, east] of rows) {
    const there = reckoned(fixOf(latitude, longitude, course, speed), T + hours * 3600);
    worst = Math.max(
      worst,
      Math.abs(there.latitude - north),
      Math.abs(normaliseLongitude(there.longitude - east)),
    );
  }
  expect(worst).toBeLessThan(1e-6);
});

it("stays at the fix at anchor and at times before it", () => {
  const { latitude, longitude } = fixOf(40, -20, 90, 0);
  expect(reckoned(fixOf(40, -20, 90, 0), T + 86_400)).toEqual({ latitude, longitude });
  expect(reckoned(fixOf(40, -20, 90, 12), T - 86_400)).toEqual({ latitude, longitude });
  expect(wayAhead(fixOf(40, -20, 90, 0), T)).toEqual({ way: [], marks: [] });
});

it("ends at a pole, where a course has no sense any more", () => {
  for (const course of [0, 10, 350]) {
    const there = reckoned(fixOf(88, 30, course, 30), T + 86_400);
    expect(there.latitude).toBe(89.99);
    expect(Math.abs(there.longitude)).toBeLessThanOrEqual(180);
  }
});

it("has a mark at each sixth hour of the next day, equally far apart, from the time shown on", () => {
  const { way, marks } = wayAhead(fixOf(-30, 179, 80, 15), T + 7200);
  expect(marks.map(({ hours, time }) => [hours, time])).toEqual(
    [6, 12, 18, 24].map((hours) => [hours, T + 7200 + hours * 3600]),
  );
  expect(way).toHaveLength(25);
  for (const [index, mark] of marks.entries()) {
    const before = index === 0 ? way[0]! : marks[index - 1]!;
    expect(distanceKm(before, mark) / MILE_KM).toBeCloseTo(90, 1);
  }
  expect(marks.at(-1)!.longitude).toBeLessThan(-170);
  expect(wayAhead(fixOf(0, 0, 0, 5), T - 7200).way[0]!.time).toBe(T);
});
