import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import { guestPointLimit } from "#lib/contract/point.ts";
import { distanceKm, MILE_KM } from "#lib/geo/sphere.ts";
import { DAY_S, formatInstant, HOUR_S } from "#lib/time.ts";
import {
  columnsOf,
  nearestWithValues,
  placesAround,
  placesQuery,
  runsQuery,
  SEARCH_MILES,
  seriesTimes,
} from "./point-queries.ts";

const now = Date.UTC(2026, 8, 15, 13, 20) / 1000;
const midnight = Date.UTC(2026, 8, 15) / 1000;
const { first, last } = acceptedTimes(now);

it("holds every step of the coming ten days, hourly for as long as forecasts are", () => {
  const times = seriesTimes(now, now);
  expect(times[0]).toBe(midnight);
  expect(times.at(-1)).toBeGreaterThan(last - 3 * HOUR_S);
  expect(times.at(-1)).toBeLessThanOrEqual(last);
  for (let hour = midnight; hour <= now + 5 * DAY_S; hour += HOUR_S) expect(times).toContain(hour);
  for (let three = midnight; three <= last; three += 3 * HOUR_S) expect(times).toContain(three);
});

it("is one series for all steps ahead, and one for five days of the past", () => {
  const ahead = seriesTimes(midnight, now);
  for (let at = midnight; at <= last; at += 7 * HOUR_S) expect(seriesTimes(at, now)).toEqual(ahead);
  expect(seriesTimes(now, now + 1800)).toEqual(ahead);
  let requests = 0;
  let before = ahead[0];
  for (let at = midnight; at > midnight - 30 * DAY_S; at -= 3 * HOUR_S) {
    const times = seriesTimes(at, now);
    expect(times).toContain(at);
    if (times[0] !== before) requests++;
    before = times[0];
  }
  expect(requests).toBe(6);
});

it("asks for no time that the service refuses", () => {
  const times = seriesTimes(first + HOUR_S, now);
  expect(times[0]).toBeGreaterThanOrEqual(first);
  expect(times.length).toBeGreaterThan(1);
});

const here = { latitude: 50.2, longitude: 179.9 };

it("looks around in all directions, the nearest first, across 180° too, and in one request", () => {
  const places = placesAround(here);
  const miles = places.map((place) => distanceKm(here, place) / MILE_KM);
  expect(places.length).toBeLessThanOrEqual(10_000);
  expect(Math.min(...miles)).toBeLessThan(2.1);
  expect(Math.max(...miles)).toBeCloseTo(SEARCH_MILES, 0);
  for (let index = 1; index < miles.length; index++)
    expect(miles[index]).toBeGreaterThan(miles[index - 1]! - 0.02);
  for (const { longitude } of places) expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
});

it("takes the nearest place with all values, else with any, and tells how far and where it is", () => {
  const places = [
    { latitude: 50.2, longitude: 179.8 },
    { latitude: 50.2, longitude: -179.9 },
  ];
  const wave = { Waves_Significant_Height: 2, Currents_Intensity: null };
  const both = { Waves_Significant_Height: 2, Currents_Intensity: 0.5 };
  const none = { Waves_Significant_Height: null, Currents_Intensity: null };
  const find = (...conditions: Record<string, number | null>[]) =>
    nearestWithValues(here, places, conditions, ["wave", "current"]);
  expect(find(wave, both)?.place).toBe(places[1]);
  expect(find(wave, none)?.place).toBe(places[0]);
  expect(find(none, none)).toBeUndefined();
  expect(find(none, both)).toMatchObject({
    bearing: expect.closeTo(90, 0),
    km: expect.closeTo(0.2 * 60 * MILE_KM * Math.cos((50.2 * Math.PI) / 180), 0),
  });
});

const runsNow = Date.UTC(2026, 8, 15, 12) / 1000;

afterEach(() => vi.unstubAllGlobals());

/** What the last runs say, of a service whose wind has a note, as fields of real feeds have too. */
function askedFrom(headers: Record<string, string>) {
  const timestamp = formatInstant(runsNow);
  const coordinates = { latitude: 50, longitude: -5, timestamp };
  const noted = {
    variable: "wind",
    source: "ecmwf",
    notes: ["maximum of the 3 h that end at the valid time"],
  };
  const run = {
    reference_time: timestamp,
    variables: [{ ...noted, model: "IFS", runs: ["a"], points: 1, newest_points: 1 }],
    results: [{ coordinates, conditions: { Winds_10m_Intensity: 10 } }],
  };
  const body = { status: "SUCCESS", task_id: "a", result: { results: [run] }, meta: { missing: [] } };
  vi.stubGlobal("fetch", async () => Response.json(body, { headers }));
  const sample = { apiKey: "key", place: { latitude: 50, longitude: -5 }, time: runsNow };
  return new QueryClient().fetchQuery(runsQuery(sample, [{ time: runsNow, conditions: {} }], runsNow));
}

it("runs are invented where the service says so, not where a field has a note", async () => {
  const real = await askedFrom({});
  expect(real.runs).toEqual([
    { run: runsNow, rows: [{ time: runsNow, conditions: { Winds_10m_Intensity: 10 } }] },
  ]);
  expect(real.isSynthetic).toBe(false);
  expect((await askedFrom({ "x-data-provenance": "synthetic" })).isSynthetic).toBe(true);
});

it("asks for many places in requests that a visitor without a key may send, in the order of the places", async () => {
  const sizes: number[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const { points } = JSON.parse(body) as { points: { latitude: number }[] };
    sizes.push(points.length);
    const results = points.map((coordinates) => ({
      coordinates,
      conditions: { Winds_10m_Intensity: coordinates.latitude },
    }));
    return Response.json({ status: "SUCCESS", task_id: "a", result: { results } });
  });
  const places = Array.from({ length: 70 }, (_, index) => ({ latitude: index, longitude: 0 }));
  const times = Array.from({ length: 17 }, (_, index) => index * 3 * HOUR_S);
  const series = await new QueryClient().fetchQuery(placesQuery("key", places, times, ["wind"]));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(guestPointLimit);
  expect(series.map((one) => one[16]?.Winds_10m_Intensity)).toEqual(places.map(({ latitude }) => latitude));
});

it("an answer keeps the column of each place when another one is removed or saved", () => {
  const [brest, ushant, falmouth] = [48, 49, 50].map((latitude) => ({ latitude, longitude: -5 }));
  const values = (knots: number) => [{ Winds_10m_Intensity: knots }, { Winds_10m_Intensity: knots }];
  const asked = [brest!, brest!, ushant!, ushant!];
  expect(columnsOf([falmouth!, ushant!], [values(1), values(2)], asked)).toEqual([[], values(2)]);
});
