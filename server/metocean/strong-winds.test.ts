import { KNOT } from "@open-metocean/geo/knots";
import { describe, expect, it } from "vitest";
import { FILL } from "#lib/catalog/fill.ts";
import { pointRequest } from "#lib/contract/point.ts";
import { parseInstant } from "#lib/time.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { answerPoints } from "./points.ts";
import { strongest, strongWinds } from "./strong-winds.ts";

const grid = {
  latitude: { start: -90, step: 10, count: 19 },
  longitude: { start: -180, step: 10, count: 36 },
};
const node = (latitude: number, longitude: number) =>
  ((latitude + 90) / 10) * 36 + ((((longitude + 180) % 360) + 360) % 360) / 10;

describe("the strongest winds", () => {
  it("are at sea, one for each part of the Earth, also beside the antimeridian, and none near the poles", () => {
    const eastward = new Int16Array(19 * 36).fill(FILL);
    const northward = new Int16Array(19 * 36).fill(0);
    const sea = new Int16Array(19 * 36).fill(FILL);
    const blow = (latitude: number, longitude: number, stored: number, wet = true) => {
      eastward[node(latitude, longitude)] = stored;
      if (wet) sea[node(latitude, longitude)] = 100;
    };
    blow(50, -20, 1000);
    blow(50, -10, 2000);
    // Land, although the wind is stronger.
    blow(60, -20, 3000, false);
    blow(-10, -180, -1500);
    blow(80, 0, 3000);
    const steps = { grid, values: eastward };
    expect(strongest(steps, { values: northward }, 0.01, { grid, values: sea })).toEqual([
      [-10, -180, 29],
      [50, -10, 39],
    ]);
    expect(strongest(steps, { values: northward }, 0.01, undefined)).toContainEqual([60, -20, 58]);
  });

  it("of the demo are those that its points have, read once for a step", async () => {
    let now = parseInstant("2026-11-29T03:00:00Z");
    const demo = demoArchive(() => now);
    let reads = 0;
    const read = strongWinds(
      {
        ...demo,
        mapStep(...request) {
          reads++;
          return demo.mapStep(...request);
        },
      },
      () => now,
    );
    const [winds, again] = await Promise.all([read(), read()]);
    expect(again).toBe(winds);
    expect(reads).toBe(3);
    const points = winds.map(([latitude, longitude]) => ({
      latitude,
      longitude,
      timestamp: "2026-11-29T03:00:00Z",
    }));
    const request = pointRequest(1000).parse({ points, variables: ["wind", "wave"] });
    const { results } = await answerPoints(demo, request, now, new AbortController().signal);
    for (const [index, { conditions }] of results.entries()) {
      const difference = Number(conditions.Winds_10m_Intensity) / KNOT - winds[index]![2];
      expect(Math.abs(difference), JSON.stringify(winds[index])).toBeLessThan(0.6);
      expect(conditions.Waves_Significant_Height).not.toBeNull();
    }
    expect(winds.length).toBeGreaterThan(80);
    now += 3600;
    expect(await read()).not.toBe(winds);
  });

  it("are none without a global wind, or where the archive cannot be read", async () => {
    const empty = { version: 1 as const, runs: [] };
    const mapStep = () => Promise.reject(new Error("damaged"));
    const none = { manifest: async () => empty, refresh: async () => empty, mapStep };
    expect(await strongWinds(none, () => 0)()).toEqual([]);
    const now = parseInstant("2026-11-29T03:00:00Z");
    expect(await strongWinds({ ...demoArchive(now), mapStep }, () => now)()).toEqual([]);
  });
});
