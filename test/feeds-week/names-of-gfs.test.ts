import { describe, expect, it } from "vitest";
import { formatInstant } from "#lib/time.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import { isWhole, publishedRuns } from "#server/ingest/feeds/feed-progress.ts";
import type { Profile } from "#server/ingest/feeds/field-feed.ts";
import type { GfsNames } from "#test/feeds-mirror/planet.ts";
import { checkArchive } from "./check-archive.ts";
import { shortFeed } from "./short-feed.ts";
import { simulatedService } from "./simulated-service.ts";

const HOUR_S = 3600;
/** The first of four cycles around New Year, 2026-12-31 12 UTC. */
const FIRST = Date.UTC(2026, 11, 31, 12) / 1000;
const cycles = [0, 1, 2, 3].map((n) => FIRST + n * 6 * HOUR_S);
const VERSION_17 = /\/products\/(?:atmos|wave)\//;

/**
 * Runs GFS and its waves for four cycles of which the host has these names.
 *
 * @param hours Hours to run after the base time of the last cycle, which is whole after 8.
 * @param profile `lite` has a step every three hours, and no rain.
 */
async function replay(names: readonly (readonly GfsNames[])[], hours = 8, profile: Profile = "lite") {
  const feeds = ["gfs", "gfswave"].map((name) => shortFeed(name, profile === "lite" ? 6 : 3));
  const start = FIRST + 3 * HOUR_S;
  const service = await simulatedService({
    feeds,
    profile,
    resolution: 5,
    start,
    planet: { gfsNames: (cycle) => names[cycles.indexOf(cycle)] ?? [] },
  });
  /** Names under which parts of each cycle came, by feed. */
  const used = new Map<string, Set<GfsNames>>();
  await service.runUntil(cycles.at(-1)! + hours * HOUR_S, async () => {
    for (const { url, status } of service.mirror.log.splice(0)) {
      const [, day, hour] = /gfs\.(\d{8})\/(\d\d)\//.exec(url) ?? [];
      if (day === undefined || url.endsWith(".idx") || status >= 400) continue;
      const key = `${url.includes("wave") ? "gfswave" : "gfs"} ${day}${hour}`;
      used.set(key, (used.get(key) ?? new Set()).add(VERSION_17.test(url) ? "v17" : "v16"));
    }
  });
  const { wrong, compared } = await checkArchive(service.archive, new Set(), 4);
  expect(wrong).toEqual([]);
  const archive = folderArchive(service.archive);
  const whole = await Promise.all(
    cycles.map(async (cycle) => {
      const found = await Promise.all(
        feeds.map(async (feed) =>
          isWhole(await publishedRuns(archive, feed), cycle, feed.parts(cycle, profile)),
        ),
      );
      return found.every(Boolean);
    }),
  );
  const state = async (name: string) => (await service.states.all()).find((one) => one.name === name)!;
  return { service, used, compared, whole, state };
}

const nameOf = (cycle: number) => formatInstant(cycle).replace(/\D/g, "").slice(0, 10);

describe("the names of GFS change over New Year", () => {
  it("between two runs, and back again: each run is whole, by the names that are there, with rain by either number", async () => {
    const { service, used, compared, whole } = await replay(
      [["v16"], ["v17"], ["v17"], ["v16"]],
      8,
      "standard",
    );
    await using _ = service;
    expect(whole).toEqual([true, true, true, true]);
    expect(compared).toBeGreaterThan(0);
    for (const feed of ["gfs", "gfswave"])
      expect(cycles.map((cycle) => [...used.get(`${feed} ${nameOf(cycle)}`)!])).toEqual([
        ["v16"],
        ["v17"],
        ["v17"],
        ["v16"],
      ]);
    const runs = (await folderArchive(service.archive).manifest()).runs.filter(
      ({ source, dataset }) => source === "gfs" && dataset === "Forecast",
    );
    for (const { fields } of runs) expect(fields.precipitation_flux).toBeDefined();
  }, 60_000);

  it("at once: a run is of one version, even where single files of the other are there earlier", async () => {
    const both: readonly GfsNames[] = ["v16", "v17"];
    const { service, used, whole } = await replay([both, both, both, both]);
    await using _ = service;
    expect(whole).toEqual([true, true, true, true]);
    for (const names of used.values()) expect(names.size).toBe(1);
  }, 60_000);

  it("to neither: the last run stays, and the status says which addresses were asked", async () => {
    const { service, whole, state } = await replay([["v16"], ["v17"], [], []], 4);
    await using _ = service;
    expect(whole).toEqual([true, true, false, false]);
    const gfs = await state("gfs");
    expect(gfs.state).toBe("late");
    expect(gfs.newestRun).toBe(cycles[1]);
    expect(gfs.error).toMatch(/^nothing has come since the cycle 2026-12-31T18:00:00Z: it was expected at /);
    expect(gfs.error).toContain(
      "for the cycle 2027-01-01T06:00:00Z asked noaa-gfs-bdp-pds.s3.amazonaws.com, storage.googleapis.com/global-forecast-system, noaagfs.blob.core.windows.net/gfs, nomads.ncep.noaa.gov/pub/data/nccf/com/gfs/prod for gfs.20270101/06/atmos/gfs.t06z.pgrb2.0p25.f000.idx and gfs.20270101/06/products/atmos/grib2/0p25/gfs.t06z.pres_a.0p25.f000.grib2.idx",
    );
  }, 60_000);
});
