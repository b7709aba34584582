import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { normaliseLongitude } from "./grid.ts";
import { corridorAround, type Fix, reckoned, rhumbBetween, rhumbDestination, wayAhead } from "./rhumb.ts";
import { distanceKm, MILE_KM } from "./sphere.ts";

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

it("has a constant course: due east stays on the parallel, where a great circle would leave it", () => {
  const there = rhumbDestination(at(60, 175), 90, 556);
  expect(there.latitude).toBeCloseTo(60, 9);
  expect(there.longitude).toBeCloseTo(-175, 1);
});

it.each([90, -90])("interpolates a leg that begins or ends at %d°", (pole) => {
  for (const course of [0, 45, 90, 180, 270]) {
    const there = rhumbDestination(at(pole, 30), course, 100);
    expect(distanceKm(at(pole, 30), there)).toBeLessThan(102);
  }
  for (const share of [0, 0.5, 1]) {
    expect(rhumbBetween(at(pole, 10), at(0, 20), share).latitude).toBeCloseTo(pole * (1 - share), 9);
    expect(rhumbBetween(at(0, 10), at(pole, 20), share).longitude).toBeCloseTo(
      [10, 10.94, 20][share * 2]!,
      1,
    );
  }
});

it.each([0.01425, -0.01434, 12.3, 50, 89])(
  "goes on evenly between two places whose latitudes differ by a rounding error: %d°",
  (latitude) => {
    const [from, to] = [at(latitude, 39), at(latitude * (1 + Number.EPSILON), 41)];
    expect(to.latitude).not.toBe(from.latitude);
    for (const share of [0.1, 0.25, 0.5, 0.9])
      expect(rhumbBetween(from, to, share).longitude).toBeCloseTo(39 + 2 * share, 9);
  },
);

const line = [
  { latitude: -60, longitude: -170 },
  { latitude: 60, longitude: 170 },
  { latitude: 89, longitude: 10 },
];

it("a corridor has the places within its reach of the line, in whatever order they are asked for", () => {
  const { contains } = corridorAround(line, 300);
  const places = Array.from({ length: 53 * 52 }, (_, i) =>
    at(3 * (i % 53) - 66, 7 * Math.floor(i / 53) - 180),
  );
  const found = new Map(places.map((place) => [place, contains(place)]));
  for (const place of places)
    if (line.some((on) => distanceKm(on, place) < 290)) expect(found.get(place)).toBe(true);
  expect(new Set(found.values()).size).toBe(2);
  places.sort((one, other) => one.latitude - other.latitude);
  expect(places.map(contains)).toEqual(places.map((place) => found.get(place)));
});

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
