import { expect, it } from "vitest";
import { HOUR_S } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import { segmentsOf } from "#server/ingest/feeds/field-feed.ts";
import { keepOf } from "#server/ingest/feeds/past-rules.ts";
import { unneededRuns } from "#server/ingest/feeds/retention.ts";
import { ecmwfFeed } from "#server/ingest/sources/ecmwf.ts";
import { runOf } from "#test/archive.ts";
import { feedGrid, firstCycle } from "#test/feeds.ts";
import { leftoversOf } from "./leftovers.ts";

const every = ecmwfFeed.cycles.every;
const profile = "lite";
const keep = keepOf(profile, {});

/** The runs of a cycle: gusts are of the time before a step, and its first step has none. */
function runsOf(cycle: number): Run[] {
  return segmentsOf(ecmwfFeed.parts(cycle, profile), every).map(({ times }) =>
    runOf({
      id: `${(cycle - firstCycle) / HOUR_S} h, from ${(times[0]! - cycle) / HOUR_S} h on`,
      source: "ecmwf",
      grid: feedGrid,
      referenceTime: cycle,
      times,
      fields: {
        eastward_wind_10m: {},
        wind_speed_of_gust: times[0] === cycle ? { steps: times.map((_, step) => step).slice(1) } : {},
      },
    }),
  );
}

it("takes a run for no leftover that alone has the gusts of a cycle that never came, and every other one that newer cycles answer", async () => {
  const cycles = [0, 1, 2, 3, 4, 5, 6, 7].map((at) => firstCycle + at * every);
  const now = cycles.at(-1)! + ecmwfFeed.delay.whole;
  const stay = async (runs: Run[]) => {
    const about = { feeds: [ecmwfFeed], profile, keep, now } as const;
    const found = await leftoversOf({ archive: "/nowhere", folder: "/nowhere" }, { runs } as never, about);
    return found.flatMap((line) => /^(.*) is still there$/.exec(line)?.[1] ?? []);
  };
  const oldRuns = (runs: Run[]) =>
    runs.filter(({ referenceTime, times }) => referenceTime < cycles[4]! && times[0] !== referenceTime);
  const all = cycles.flatMap(runsOf);
  expect(await stay(all)).toEqual(oldRuns(all).map(({ id }) => id));

  const without = all.filter(({ referenceTime }) => referenceTime !== cycles[1]);
  const gone = unneededRuns(without, ecmwfFeed, profile, keep, now);
  const kept = without.filter((run) => !gone.has(run));
  expect(oldRuns(kept).map(({ id }) => id)).toEqual(["0 h, from 12 h on"]);
  expect(await stay(kept)).toEqual([]);
});
