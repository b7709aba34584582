import { expect, it } from "vitest";
import { leadFor, shortFeed } from "./short-feed.ts";
import { simulateWeek } from "./simulate.ts";

/** The long form has the members of a week; `npm run lab -- feeds --feeds gefswave-members` has other seeds. */
const isLong = process.env.THOROUGH === "1";
const name = isLong ? "gefswave-members" : "gefswave-mean";

it("an ensemble runs unattended: random faults leave no wrong value, no gap ahead and nothing that should have been removed", async () => {
  const report = await simulateWeek({
    feeds: [shortFeed(name, leadFor(name, 6))],
    profile: "lite",
    resolution: 5,
    start: Date.UTC(2026, 8, 1, 4) / 1000,
    seed: 8,
    days: isLong ? 7 : 1.5,
    aheadHours: 6,
    nodes: 4,
  });
  expect(report.wrong).toEqual([]);
  expect(report.gaps).toEqual([]);
  expect(report.complaints).toEqual([]);
  expect(report.compared).toBeGreaterThan(50);
  expect(report.spoiled).toBeGreaterThan(1);
}, 1_800_000);
