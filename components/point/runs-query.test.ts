import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { formatInstant } from "#lib/time.ts";
import { runsQuery } from "./runs-query.ts";

const now = Date.UTC(2026, 8, 15, 12) / 1000;

afterEach(() => vi.unstubAllGlobals());

/** What the last runs say, of a service whose wind has a note, as fields of real feeds have too. */
function askedFrom(headers: Record<string, string>) {
  const timestamp = formatInstant(now);
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
  const sample = { apiKey: "key", place: { latitude: 50, longitude: -5 }, time: now };
  return new QueryClient().fetchQuery(runsQuery(sample, [{ time: now, conditions: {} }], now));
}

it("runs are invented where the service says so, not where a field has a note", async () => {
  const real = await askedFrom({});
  expect(real.runs).toEqual([{ run: now, rows: [{ time: now, conditions: { Winds_10m_Intensity: 10 } }] }]);
  expect(real.isSynthetic).toBe(false);
  expect((await askedFrom({ "x-data-provenance": "synthetic" })).isSynthetic).toBe(true);
});
