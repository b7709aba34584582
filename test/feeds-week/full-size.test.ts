import { expect, it } from "vitest";
import { analyticValue } from "#test/feeds-mirror/analytic.ts";
import { answers, oneStep } from "./answers.ts";
import { checkArchive } from "./check-archive.ts";
import { feedNamed } from "./short-feed.ts";

const HOUR_S = 3600;
const CYCLE = Date.UTC(2026, 8, 1) / 1000;
const LEAD = 6;
const places = [
  { latitude: 10, longitude: 60 },
  { latitude: -35.25, longitude: -20.5 },
  { latitude: 30.75, longitude: 179.75 },
];

it("a step of GFS-Wave comes from its host to the answer in its real form: pictures of one row of 695,537 sea points", async () => {
  const feed = oneStep(feedNamed("gfswave"), CYCLE, LEAD);
  const found = await answers(feed, CYCLE, LEAD, places, { resolution: 0.25 }, async (archive) => {
    const { wrong, compared } = await checkArchive(archive, new Set(), 2000);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(10_000);
  });
  for (const [i, { latitude, longitude }] of places.entries()) {
    const time = CYCLE + LEAD * HOUR_S;
    const height = analyticValue("sea_surface_wave_significant_height", latitude, longitude, time);
    expect(found[i]!.Waves_Significant_Height).toBeCloseTo(height, 1);
  }
}, 120_000);
