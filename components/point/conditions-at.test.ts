import { expect, it } from "vitest";
import type { PointResponse } from "#lib/contract/point.ts";
import { formatInstant } from "#lib/time.ts";
import { conditionsAt } from "./conditions-at.ts";

const start = Date.UTC(2026, 0, 1) / 1000;
const hour = (hours: number) => start + hours * 3600;
const run = (variable: string, name: string, hours: number[]) => ({
  variable,
  run: name,
  valid_times: hours.map((at) => formatInstant(hour(at))),
});

const reply = {
  results: [0, 3, 6].map((at) => ({
    coordinates: { latitude: 48.5, longitude: -5.25, timestamp: formatInstant(hour(at)) },
    conditions: { Winds_10m_Intensity: at },
  })),
  meta: {
    nulls: [{ variable: "wave", reason: "land", points: [1, 2] }],
    provenance: [
      run("wind", "hindcast", [0]),
      run("wind", "forecast", [3, 6]),
      run("sst", "yesterday", [-24]),
      run("sst", "today", [0]),
      run("bathy", "depth", []),
    ],
  },
} as unknown as PointResponse["result"];

it("gives the numbers of exactly the time, and none in between", () => {
  expect(conditionsAt(reply, hour(3))?.conditions).toEqual({ Winds_10m_Intensity: 3 });
  expect(conditionsAt(reply, hour(4))).toBeUndefined();
  expect(conditionsAt(undefined, hour(3))).toBeUndefined();
});

it("names the reasons and the runs of that time only", () => {
  const runsAt = (hours: number) =>
    conditionsAt(reply, hour(hours))?.meta?.provenance.map((entry) => entry.run);
  expect(runsAt(0)).toEqual(["hindcast", "today", "depth"]);
  expect(runsAt(6)).toEqual(["forecast", "today", "depth"]);
  expect(conditionsAt(reply, hour(0))?.meta?.nulls).toEqual([]);
  expect(conditionsAt(reply, hour(6))?.meta?.nulls).toEqual([
    { variable: "wave", reason: "land", points: [0] },
  ]);
});
