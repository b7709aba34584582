import { expect, it } from "vitest";
import { leadFor, shortFeed } from "./short-feed.ts";
import { simulateWeek } from "./simulate.ts";

it("runs unattended: a day of random faults leaves no wrong value, no gap and nothing that should have been removed", async () => {
  const report = await simulateWeek({
    feeds: ["gfs", "smoc", "oisst", "etopo"].map((name) => shortFeed(name, leadFor(name, 6))),
    profile: "lite",
    resolution: 5,
    start: Date.UTC(2026, 8, 1, 4) / 1000,
    seed: 8,
    days: 1.5,
    aheadHours: 6,
    nodes: 8,
    bytesADay: 10e6,
    diskBytes: 20e6,
  });
  expect(report.wrong).toEqual([]);
  expect(report.gaps).toEqual([]);
  expect(report.complaints).toEqual([]);
  expect(report.compared).toBeGreaterThan(1000);
  expect(report.spoiled).toBeGreaterThan(20);
}, 240_000);
