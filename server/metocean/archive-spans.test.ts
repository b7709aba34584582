import { expect, it } from "vitest";
import { fieldManifest } from "#lib/contract/field-manifest.ts";
import { DAY_S, HOUR_S, parseInstant } from "#lib/time.ts";
import type { Manifest } from "#server/archive/run.ts";
import { demoManifest } from "#server/demo/runs.ts";
import { archiveSpans } from "./archive-spans.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const demo = demoManifest(now);

it("the demo world has three years without a gap, in one span for each dataset", () => {
  const spans = archiveSpans(demo, "wind");
  expect(fieldManifest.shape.archive.parse(spans)).toEqual(spans);
  expect(spans.map(({ dataset }) => dataset)).toEqual(["Forecast", "Hindcast-3M", "Hindcast-3Y"]);
  const [forecast, recent, old] = spans;
  expect(parseInstant(forecast!.to)).toBeGreaterThanOrEqual(now + 10 * DAY_S);
  expect(parseInstant(recent!.to)).toBeGreaterThanOrEqual(now - 5 * DAY_S);
  expect(parseInstant(recent!.from)).toBeLessThanOrEqual(now - 90 * DAY_S);
  expect(parseInstant(old!.from)).toBeLessThanOrEqual(parseInstant("2023-09-15T12:00:00Z"));
});

it("joins runs that overlap or follow each other within six hours, and keeps longer gaps", () => {
  const model = demo.runs.find(({ dataset }) => dataset === "Hindcast-3Y")!;
  const start = parseInstant("2025-01-01T00:00:00Z");
  const run = (from: number, to: number) => ({
    ...model,
    id: `run-${from}`,
    times: [start + from * HOUR_S, start + to * HOUR_S],
    fields: Object.fromEntries(Object.keys(model.fields).map((name) => [name, {}])),
  });
  // Published in another order than that of their times.
  const manifest: Manifest = { ...demo, runs: [run(90, 120), run(0, 24), run(12, 48), run(54, 80)] };
  expect(archiveSpans(manifest, "wind")).toEqual([
    { dataset: "Hindcast-3Y", from: "2025-01-01T00:00:00Z", to: "2025-01-04T08:00:00Z" },
    { dataset: "Hindcast-3Y", from: "2025-01-04T18:00:00Z", to: "2025-01-06T00:00:00Z" },
  ]);
});

it("has none of a variable that no run has, and none of one that does not change with time", () => {
  expect(archiveSpans({ ...demo, runs: [] }, "wind")).toEqual([]);
  expect(archiveSpans(demo, "bathy")).toEqual([]);
});
