import { distanceKm, MILE_KM } from "@open-metocean/geo/sphere";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import { guestPointLimit } from "#lib/contract/point.ts";
import { DAY_S, formatInstant, HOUR_S } from "#lib/time.ts";
import {
  columnsOf,
  nearestWithValues,
  placesAround,
  placesQuery,
  pointQuery,
  renewal,
  runsQuery,
  SEARCH_MILES,
  seriesQuery,
  seriesTimes,
} from "./point-queries.ts";

const now = Date.UTC(2026, 8, 15, 13, 20) / 1000;
const midnight = Date.UTC(2026, 8, 15) / 1000;
const { first, last } = acceptedTimes(now);
const every = (hours: number, from: number, to: number) =>
  Array.from(
    { length: Math.floor((to - from) / (hours * HOUR_S)) + 1 },
    (_, at) => from + at * hours * HOUR_S,
  );

it("a series holds every hour of the coming ten days and of the past, none refused, and a guest may ask for it", () => {
  expect(seriesTimes(now, now)).toEqual(every(1, midnight, last));
  const past = seriesTimes(first + HOUR_S, now);
  expect(past).toEqual(every(1, past[0]!, past.at(-1)!));
  expect(past[0]).toBeGreaterThanOrEqual(first);
  expect(past.length).toBeLessThanOrEqual(guestPointLimit);
});

it("the conditions of a point are asked of the model that the map shows alone, or of the best", () => {
  const sample = { apiKey: "key", place: { latitude: 48, longitude: -5 }, time: now };
  for (const model of [undefined, "demo-late"]) {
    const asked = { ...sample, model };
    for (const { queryKey } of [pointQuery(asked), seriesQuery(asked, now)])
      expect((queryKey[2] as { models?: string[] }).models).toEqual(model && [model]);
  }
});

it("is one series for all steps ahead, and one for five days of the past", () => {
  const ahead = seriesTimes(midnight, now);
  for (const at of every(7, midnight, last)) expect(seriesTimes(at, now)).toEqual(ahead);
  expect(seriesTimes(now, now + 1800)).toEqual(ahead);
  const past = every(3, midnight - 30 * DAY_S + 3 * HOUR_S, midnight).map((at) => {
    const times = seriesTimes(at, now);
    expect(times).toContain(at);
    return times[0];
  });
  expect(new Set(past).size).toBe(7);
});

it.each([
  [undefined, false],
  [true, 30_000],
  [false, 30 * 60_000],
])("is asked for again while it is shown (saved: %s)", (isSaved, ms) => {
  expect(renewal(isSaved === undefined ? undefined : ({ isSaved } as Parameters<typeof renewal>[0]))).toBe(
    ms,
  );
});

const here = { latitude: 50.2, longitude: 179.9 };

it("looks around in all directions, the nearest first, across 180° too, and in one request", () => {
  const places = placesAround(here);
  const miles = places.map((place) => distanceKm(here, place) / MILE_KM);
  expect(places.length).toBeLessThanOrEqual(10_000);
  expect(Math.min(...miles)).toBeLessThan(2.1);
  expect(Math.max(...miles)).toBeCloseTo(SEARCH_MILES, 0);
  expect(miles.every((mile, at) => at === 0 || mile > miles[at - 1]! - 0.02)).toBe(true);
  expect(places.every(({ longitude }) => Math.abs(longitude) <= 180)).toBe(true);
});

const beside = [179.8, -179.9].map((longitude) => ({ latitude: 50.2, longitude }));
const [wave, both, none] = [
  [2, null],
  [2, 0.5],
  [null, null],
].map(([height, speed]) => ({ Waves_Significant_Height: height!, Currents_Intensity: speed! }));

it.each([
  ["with all values", [wave!, both!], beside[1]],
  ["else with any", [wave!, none!], beside[0]],
  ["else none", [none!, none!], undefined],
])("takes the nearest place %s", (_, conditions, place) => {
  const found = nearestWithValues(here, beside, conditions, ["wave", "current"]);
  expect(found?.place).toBe(place);
  if (place === beside[1])
    expect(found).toMatchObject({
      bearing: expect.closeTo(90, 0),
      km: expect.closeTo(0.2 * 60 * MILE_KM * Math.cos((50.2 * Math.PI) / 180), 0),
    });
});

afterEach(() => vi.unstubAllGlobals());

it.each([
  [{}, false],
  [{ "x-data-provenance": "synthetic" }, true],
])(
  "runs are invented where the service says so (%j), not where a field has a note",
  async (headers, isSynthetic) => {
    const timestamp = formatInstant(midnight);
    const place = { latitude: 50, longitude: -5 };
    const conditions = { Winds_10m_Intensity: 10 };
    const wind = {
      variable: "wind",
      source: "ecmwf",
      model: "IFS",
      runs: ["a"],
      points: 1,
      newest_points: 1,
    };
    const run = {
      reference_time: timestamp,
      variables: [{ ...wind, notes: ["maximum of the 3 h that end at the valid time"] }],
      results: [{ coordinates: { ...place, timestamp }, conditions }],
    };
    const body = { status: "SUCCESS", task_id: "a", result: { results: [run] }, meta: { missing: [] } };
    vi.stubGlobal("fetch", async () => Response.json(body, { headers }));
    const query = runsQuery(
      { apiKey: "key", place, time: midnight },
      [{ time: midnight, conditions: {} }],
      midnight,
    );
    const runs = [{ run: midnight, rows: [{ time: midnight, conditions }] }];
    expect(await new QueryClient().fetchQuery(query)).toEqual({ runs, isSynthetic });
  },
);

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
  const series = await new QueryClient().fetchQuery(
    placesQuery("key", places, every(3, 0, 2 * DAY_S), ["wind"]),
  );
  expect(Math.max(...sizes)).toBeLessThanOrEqual(guestPointLimit);
  expect(series.map((one) => one[16]?.Winds_10m_Intensity)).toEqual(places.map(({ latitude }) => latitude));
});

it("an answer keeps the column of each place when another one is removed or saved", () => {
  const [brest, ushant, falmouth] = [48, 49, 50].map((latitude) => ({ latitude, longitude: -5 }));
  const values = (knots: number) => [{ Winds_10m_Intensity: knots }, { Winds_10m_Intensity: knots }];
  const asked = [brest!, brest!, ushant!, ushant!];
  expect(columnsOf([falmouth!, ushant!], [values(1), values(2)], asked)).toEqual([[], values(2)]);
});
