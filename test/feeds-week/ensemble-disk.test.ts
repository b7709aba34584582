import { expect, it } from "vitest";
import { randomWaves } from "#bench/weather-like.ts";
import { ensembleQuantities } from "#lib/catalog/ensemble.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import { beginRun } from "#server/archive/writer.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { archivedPerFetched } from "#server/ingest/feeds/plan-feeds.ts";
import { temporaryFolder } from "#test/archive.ts";
import { feedNamed } from "./short-feed.ts";

const HOUR_S = 3600;
const CYCLE = Date.UTC(2026, 8, 1) / 1000;
const [ROWS, COLUMNS, MEMBERS] = [181, 360, 31];
const NAME = "air_pressure_at_mean_sea_level";
const grid = {
  latitude: { start: -90, step: 1, count: ROWS },
  longitude: { start: -180, step: 1, count: COLUMNS },
};

it("members of a pressure and their statistics take as much of the disk as is asked for, within a fifth", async () => {
  const times = [0, 6, 12, 18].map((hour) => CYCLE + hour * HOUR_S);
  const waves = Array.from({ length: MEMBERS }, (_, member) => randomWaves(grid, 1.4, 8, member));
  const read = async (index: number) => {
    const all = new Float32Array(MEMBERS * ROWS * COLUMNS);
    for (const [member, at] of waves.entries())
      all.set(
        at(index * 6).map((deviate) => 1011 + 9 * deviate),
        member * ROWS * COLUMNS,
      );
    return all;
  };
  const root = temporaryFolder();
  const ensemble = { members: waves.map((_, member) => member), size: MEMBERS };
  const described = { source: "gefs", model: "GEFS 1°", referenceTime: CYCLE, grid, times, ensemble };
  const writer = await beginRun(root, { dataset: "Forecast", ...described });
  await writer.writeMembers(NAME, {}, read);
  await writer.writeStatistics(ensembleQuantities.find(({ variable }) => variable === "pressure")!, {}, read);
  await writer.writeFrames();
  await writer.publish();

  const feed = feedNamed("gefs-members");
  const rules = feed.source.rules.filter(({ field }) => field === NAME);
  const alone: FieldFeed = {
    ...feed,
    source: { ...feed.source, rules },
    grid: { lite: grid, standard: grid, full: grid },
  };
  const asked = times.length * alone.partBytes("full") * archivedPerFetched(alone, "full");
  const used = await folderArchive(root).usedBytes();
  expect(used / asked).toBeGreaterThan(0.8);
  expect(used / asked).toBeLessThan(1.2);
}, 60_000);
