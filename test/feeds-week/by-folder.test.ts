import { expect, it } from "vitest";
import { feedsByFolder } from "#test/feeds-mirror/objects.ts";
import { checkArchive } from "./check-archive.ts";
import { shortFeed } from "./short-feed.ts";
import { serviceWithCycle } from "./simulated-service.ts";

it.each([...feedsByFolder.map(({ name }) => name), "ukmo"])(
  "%s is fetched from hosts that have what its folder says, and every number is that of the planet",
  async (name) => {
    // Files of ARPEGE have a day of steps.
    const feed = shortFeed(name, name === "arpege" ? 48 : 12);
    await using service = await serviceWithCycle(feed, Date.UTC(2026, 8, 1) / 1000);
    const { wrong, compared } = await checkArchive(service.archive, new Set(), 8);
    expect((await service.states.all()).flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(0);
  },
  60_000,
);
