import { describe, expect, it } from "vitest";
import { drawnVariables, variableOf } from "#lib/catalog/colours.ts";
import { variable } from "#lib/catalog/variables.ts";
import { fieldManifest } from "#lib/contract/field-manifest.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import type { Manifest } from "#server/archive/run.ts";
import { demoManifest } from "#server/demo/runs.ts";
import { archiveSpans, drawableManifest } from "./drawable.ts";

describe("drawable", () => {
  const now = parseInstant("2026-09-15T12:00:00Z");
  const DAY = 86_400;
  const HOUR = 3600;
  const manifest = demoManifest(now);

  /** Whether an instant lies in the span of a run, between two of its steps. */
  function shows({ runs }: ReturnType<typeof drawableManifest>, time: number): boolean {
    const at = formatInstant(time);
    return runs.some(
      ({ from, to, times }) => from <= at && at <= to && times[0]! <= at && at <= (times.at(-1) ?? ""),
    );
  }

  it.each(drawnVariables.filter((name) => !variable(variableOf(name)).static))(
    "%s of the demo world can be drawn at every hour from five days back to ten ahead",
    (name) => {
      const drawable = drawableManifest(manifest, name, now);
      expect(fieldManifest.parse(drawable)).toEqual(drawable);
      expect(drawable.synthetic).toBe(true);
      for (let time = now - 5 * DAY; time <= now + 10 * DAY; time += HOUR) {
        expect(shows(drawable, time), formatInstant(time)).toBe(true);
      }
      expect(shows(drawable, now - 5 * DAY - 1)).toBe(false);
    },
  );

  it("rain, which has no hindcast, can be drawn as far back as the archive of forecasts reaches", () => {
    const at = (days: number) => now - days * DAY;
    expect(shows(drawableManifest(manifest, "rain", now, at(100)), at(100))).toBe(true);
    expect(shows(drawableManifest(manifest, "rain", now, at(200)), at(200))).toBe(false);
  });

  it("the sea depth is drawn at any instant from its single step", () => {
    const drawable = drawableManifest(manifest, "bathy", now, now - 400 * DAY);
    expect(fieldManifest.parse(drawable)).toEqual(drawable);
    expect(drawable).toMatchObject({ fixed: true, synthetic: true });
    expect(drawable.runs).toMatchObject([
      {
        dataset: "Static",
        from: "1970-01-01T00:00:00Z",
        to: "9999-12-31T23:59:59Z",
        times: ["1970-01-01T00:00:00Z"],
        planes: [{ name: "sea_floor_depth_below_sea_surface", unit: "m" }],
      },
    ]);
    // The list changes only with the runs, and the manifest tells clients so.
    expect(drawableManifest(manifest, "bathy", now + HOUR).runs).toEqual(drawable.runs);
    expect(drawableManifest(manifest, "wind", now)).not.toHaveProperty("fixed");
  });

  it("a manifest of real runs does not say that it is synthetic", () => {
    const real: Manifest = { ...manifest, runs: manifest.runs.map(({ provenance: _, ...run }) => run) };
    expect(JSON.parse(JSON.stringify(drawableManifest(real, "wind", now)))).not.toHaveProperty("synthetic");
  });
});

describe("archive spans", () => {
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
    // The runs are published in another order than that of their times.
    const manifest: Manifest = { ...demo, runs: [run(90, 120), run(0, 24), run(12, 48), run(54, 80)] };
    expect(archiveSpans(manifest, "wind")).toEqual([
      { dataset: "Hindcast-3Y", from: "2025-01-01T00:00:00Z", to: "2025-01-04T08:00:00Z" },
      { dataset: "Hindcast-3Y", from: "2025-01-04T18:00:00Z", to: "2025-01-06T00:00:00Z" },
    ]);
  });
});
