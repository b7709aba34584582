import { expect, it } from "vitest";
import { archivedPerFetched } from "#server/ingest/feeds/disk-budget.ts";
import type { Profile } from "#server/ingest/feeds/field-feed.ts";
import { shortFeed } from "./short-feed.ts";
import { simulatedService } from "./simulated-service.ts";

const HOUR_S = 3600;
const CYCLE = Date.UTC(2026, 8, 1) / 1000;
const RESOLUTION = 2.5;

it.each<[Profile, number]>([
  ["lite", 66],
  ["standard", 36],
])(
  "a cycle of %s takes as much of the disk as was asked for, within a third for smooth fields on a coarse grid",
  async (profile, hours) => {
    const feeds = ["gfs", "gfswave"].map((name) => shortFeed(name, hours));
    await using service = await simulatedService({
      feeds,
      profile,
      resolution: RESOLUTION,
      start: CYCLE + 7 * HOUR_S,
    });
    await service.round();
    const states = await service.states.all();
    expect(states.every(({ steps, stepsExpected }) => steps === stepsExpected)).toBe(true);
    // Bytes of real files of so few nodes; the mirror's own are packed worse.
    const coarser = (0.25 / RESOLUTION) ** 2;
    const fetched = feeds.reduce(
      (sum, feed) => sum + feed.parts(CYCLE, profile).length * feed.partBytes(profile) * coarser,
      0,
    );
    const used = await service.disk.used();
    const expected = fetched * archivedPerFetched[profile];
    expect(used).toBeLessThan(expected * 1.34);
    expect(used).toBeGreaterThan(expected * 0.66);
  },
  60_000,
);
