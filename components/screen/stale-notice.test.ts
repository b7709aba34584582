import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { staleNotice } from "./stale-notice.ts";

const run = { dataset: "Forecast", model: "GFS 0.25°", reference_time: "2026-01-01T12:00:00Z" };
const after = (hours: number) => parseInstant(run.reference_time) + hours * 3600;

it("tells an old forecast in amber, a day-old one in red, and is silent about a fresh one and a hindcast", () => {
  expect(staleNotice(run, after(12))).toBeUndefined();
  expect(staleNotice(run, after(14))).toEqual({
    text: "Forecast is 14 h old (GFS 0.25°, 12Z).",
    grave: false,
  });
  expect(staleNotice(run, after(25))?.grave).toBe(true);
  expect(staleNotice({ ...run, dataset: "Hindcast-3M" }, after(900))).toBeUndefined();
  expect(staleNotice(undefined, 0)).toBeUndefined();
});
