import { expect, it } from "vitest";
import { checkEnsembles } from "./check-ensembles.ts";
import { shortFeed } from "./short-feed.ts";
import { serviceWithCycle } from "./simulated-service.ts";

const CYCLE = Date.UTC(2026, 11, 31, 18) / 1000;

it.each([
  "gefs-mean",
  "gefs-statistics",
  "gefs-members",
  "gefswave-mean",
  "gefswave-members",
  "ecmwfens-members",
  "ecmwfenswave-statistics",
  "ecmwfaifsens-members",
])(
  "%s is fetched over New Year, and every number is that of the members by plain counting",
  async (name) => {
    await using service = await serviceWithCycle(shortFeed(name, 27), CYCLE);
    const { wrong, compared } = await checkEnsembles(service.archive, new Set(), 6);
    expect((await service.states.all()).flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(100);
  },
  60_000,
);
