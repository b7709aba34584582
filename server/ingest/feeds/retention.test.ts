import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { DAY_S } from "#lib/time.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openReader } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import { columnsOf, publish, runOf, temporaryFolder } from "#test/archive.ts";
import { feedGrid, firstCycle, testFeed } from "#test/feeds.ts";
import { type FieldFeed, newestCycle, segmentsOf } from "./field-feed.ts";
import { partFolder } from "./part-store.ts";
import { keepOf } from "./past-rules.ts";
import { condense, covers, due, isOfArchive, maintainArchive, spanOf, unneededRuns } from "./retention.ts";

const HOUR = 3600;
const keep = keepOf("standard", { years: 3 * 365 * DAY_S });
const WIND = "eastward_wind_10m";
const RAIN = "precipitation_flux";

function run(part: Partial<Run> & Pick<Run, "referenceTime" | "times">): Run {
  return runOf({
    source: "test",
    grid: feedGrid,
    // Rain is a mean over a window, so it has no value at the base time.
    fields: {
      [WIND]: {},
      [RAIN]: part.times[0] === part.referenceTime ? { steps: part.times.map((_, i) => i).slice(1) } : {},
    },
    ...part,
  });
}

const cycleRuns = (cycle: number) =>
  segmentsOf(testFeed.parts(cycle, "standard"), testFeed).map(({ times }) =>
    run({ referenceTime: cycle, times }),
  );

/** Simulates the archive after days of perfect operation on lists of runs, with one call an hour. */
function simulate(days: number): { runs: Run[]; now: number; most: number } {
  let runs: Run[] = [];
  let most = 0;
  const end = firstCycle + days * DAY_S;
  for (let now = firstCycle + 2 * HOUR; now <= end; now += HOUR) {
    if ((now - firstCycle - 2 * HOUR) % (6 * HOUR) === 0) runs.push(...cycleRuns(now - 2 * HOUR));
    for (const next of due(runs, testFeed, keep, now)) {
      const times = Array.from(
        { length: (next.to - next.from) / (3 * HOUR) + 1 },
        (_, i) => next.from + i * 3 * HOUR,
      );
      const names = ([WIND, RAIN] as FieldName[]).filter(next.wants);
      const fields = Object.fromEntries(names.map((name) => [name, {}]));
      const { dataset } = next;
      // The writer replaces runs likewise, by dataset, base time and first step.
      runs = runs.filter(
        (old) => old.dataset !== dataset || old.referenceTime !== next.from || old.times[0] !== next.from,
      );
      runs.push(run({ dataset, referenceTime: next.from, times, fields }));
    }
    const gone = unneededRuns(runs, testFeed, "standard", keep, now);
    runs = runs.filter((each) => !gone.has(each));
    most = Math.max(most, runs.length);
  }
  return { runs, now: end, most };
}

const spans = (runs: readonly Run[], name: FieldName) =>
  runs.filter(({ fields }) => fields[name]).map((each) => spanOf(each, name));

it("keeps two complete cycles, the shortest leads of five days, the archive of rain, and both hindcasts, and nothing else", () => {
  const { runs, now, most } = simulate(130);
  const of = (dataset: Run["dataset"]) => runs.filter((each) => each.dataset === dataset);
  const cycles = of("Forecast").filter((each) => !isOfArchive(each));
  const archive = of("Forecast").filter(isOfArchive);
  // Every time of the last five days is covered, and 36 hours ahead.
  for (const name of [WIND, RAIN] as const)
    expect(covers(spans(cycles, name), [now - 5 * DAY_S, now + 36 * HOUR])).toBe(true);
  expect(covers(spans(archive, RAIN), [firstCycle + HOUR, now - 6 * DAY_S])).toBe(true);
  expect(covers(spans(of("Hindcast-3M"), WIND), [now - 90 * DAY_S, now - 2 * DAY_S])).toBe(true);
  // The hindcast covers the times from the age on at which it is requested.
  expect(covers(spans(of("Hindcast-3Y"), WIND), [firstCycle, now - 90 * DAY_S])).toBe(true);
  expect(of("Hindcast-3M").length).toBeLessThan(105);
  expect(of("Hindcast-3Y").length).toBeLessThanOrEqual(5);
  // The remaining runs are the first segments of five days, one day to be condensed, and the rest of two or three cycles.
  expect(cycles.length).toBeLessThan(4 * 6 + 3 * 3 + 2);
  expect(most).toBeLessThan(300);
});

it("keeps what no newer cycle answers, even when none comes for days", () => {
  const runs = [
    ...cycleRuns(firstCycle),
    ...cycleRuns(firstCycle + 6 * HOUR),
    ...cycleRuns(firstCycle + 12 * HOUR),
  ];
  const left = (now: number) => {
    const gone = unneededRuns(runs, testFeed, "standard", keep, now);
    return runs.filter((each) => !gone.has(each));
  };
  expect(covers(spans(left(firstCycle + 2 * DAY_S), WIND), [firstCycle, firstCycle + 60 * HOUR])).toBe(true);
  // The first segment of the oldest cycle is left.
  expect(left(firstCycle + DAY_S).filter(({ referenceTime }) => referenceTime === firstCycle)).toHaveLength(
    1,
  );
  expect(left(firstCycle + 4 * DAY_S)).toHaveLength(7);
});

it("keeps one day of the past instead of five where the next forecasts would not fit, and never a gap after it", () => {
  const runs = Array.from({ length: 24 }, (_, i) => cycleRuns(firstCycle + i * 6 * HOUR)).flat();
  const now = firstCycle + 6 * DAY_S;
  const left = (lacksRoom: boolean) => {
    const gone = unneededRuns(runs, testFeed, "standard", keep, now, lacksRoom);
    return runs.filter((each) => !gone.has(each));
  };
  const ahead = now + 24 * HOUR;
  expect(covers(spans(left(false), WIND), [now - 5 * DAY_S, ahead])).toBe(true);
  expect(covers(spans(left(true), WIND), [now - DAY_S, ahead])).toBe(true);
  for (const each of left(true)) expect(spanOf(each)[1]).toBeGreaterThanOrEqual(now - DAY_S);
  expect(left(true).length).toBeLessThan(left(false).length / 2);
});

it("removes past data when the rest of a cycle does not fit, but not for a complete cycle", async () => {
  const root = temporaryFolder();
  const cells = feedGrid.latitude.count * feedGrid.longitude.count;
  const steps = [0, 1].map(() => new Float32Array(cells));
  const put = (dataset: Run["dataset"], day: number, times: readonly number[]) =>
    publish(
      root,
      {
        dataset,
        source: "test",
        model: "T",
        referenceTime: firstCycle + day * DAY_S,
        grid: feedGrid,
        times: [...times],
      },
      { [WIND]: times.map((_, i) => steps[i % 2]!) },
    );
  const timesOf = (day: number) =>
    testFeed.parts(firstCycle + day * DAY_S, "lite").flatMap(({ times }) => times);
  for (const day of [0, 1, 2, 3]) await put("Forecast", day, timesOf(day));
  const now = firstCycle + 4 * DAY_S;
  const { signal } = new AbortController();
  const asked: number[] = [];
  const askedFiles: number[] = [];
  const days = async (room: boolean, feed: FieldFeed = testFeed) => {
    const disk = {
      async refusal(bytes: number, files?: number) {
        asked.push(bytes);
        askedFiles.push(files ?? 0);
        return room ? undefined : "full";
      },
    };
    const deps = {
      archive: folderArchive(root),
      folder: join(root, "feeds"),
      profile: "lite" as const,
      clock: { now: () => now },
      disk,
    };
    await maintainArchive(deps, [feed], keepOf("lite", {}), signal);
    const { runs } = await readManifest(root);
    return runs.map(({ referenceTime }) => (referenceTime - firstCycle) / DAY_S);
  };
  expect(await days(true)).toContain(1);
  expect(await days(false)).not.toContain(1);
  expect(asked.every((bytes) => bytes > 0)).toBe(true);
  // An ensemble needs room for the files of its whole cycle too, but for those that are there.
  expect(Math.max(...askedFiles)).toBe(0);
  const parts = testFeed.parts(newestCycle(testFeed, now), "lite");
  const folder = partFolder(join(root, "feeds"), testFeed, parts[0]!);
  for (const there of [0, 300]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "0.grib2"), new Uint8Array(there));
    askedFiles.length = 0;
    await days(true, { ...testFeed, ensemble: { plan: "statistics", size: 2, stride: 1 } });
    expect(Math.max(...askedFiles)).toBe(parts.length * testFeed.partBytes("lite") - there);
  }
});

it("never removes what is static, of another source, or of a feed's only cycle", () => {
  const bathymetry = run({ referenceTime: 0, times: [0], dataset: "Static" });
  const other = run({ referenceTime: 0, times: [0, 1], source: "other" });
  const only = run({ referenceTime: firstCycle, times: [firstCycle, firstCycle + HOUR] });
  const now = firstCycle + 40 * DAY_S;
  expect(unneededRuns([bathymetry, other, only], testFeed, "standard", keep, now).size).toBe(0);
});

it("keeps the newest complete cycles of an ensemble and the one that grows, and makes no past of them", () => {
  const ensemble = { members: [0, 1], size: 2 };
  const cycles = [0, 6, 12, 18].map((hours) => firstCycle + hours * HOUR);
  const whole = cycles.slice(0, 3).map((cycle) => cycleRuns(cycle).map((each) => ({ ...each, ensemble })));
  const growing = cycleRuns(cycles[3]!)
    .slice(0, 1)
    .map((each) => ({
      ...each,
      ensemble,
      fields: { wind_speed_mean: {}, [WIND]: { members: true as const } },
    }));
  const runs = [...whole.flat(), ...growing];
  const now = cycles[3]! + 3 * HOUR;
  expect(due(runs, testFeed, keep, now + 10 * DAY_S)).toEqual([]);
  const gone = unneededRuns(runs, testFeed, "standard", keep, now);
  expect([...gone].map(({ referenceTime }) => referenceTime)).toEqual(whole[0]!.map(() => cycles[0]));
});

it("condenses the newest cycle's values at each time, unchanged", async () => {
  const root = temporaryFolder();
  const cells = feedGrid.latitude.count * feedGrid.longitude.count;
  const put = (hour: number, value: number) => {
    const referenceTime = firstCycle + hour * HOUR;
    const times = [0, 3, 6, 9, 12].map((lead) => referenceTime + lead * HOUR);
    const steps = times.map((_, i) => new Float32Array(cells).fill(value + i / 100));
    const described = {
      dataset: "Forecast",
      source: "test",
      model: "T",
      referenceTime,
      grid: feedGrid,
      times,
    } as const;
    return publish(root, described, { [WIND]: steps });
  };
  await put(0, 10);
  await put(6, 20);
  const runs = (await readManifest(root)).runs;
  const { signal } = new AbortController();
  const made = await condense(
    folderArchive(root),
    runs,
    { dataset: "Hindcast-3M", from: firstCycle, to: firstCycle + 12 * HOUR, every: 1, wants: () => true },
    { now: () => firstCycle },
    signal,
  );
  expect(made?.times.map((time) => (time - firstCycle) / HOUR)).toEqual([0, 3, 6, 9, 12]);
  const reader = openReader(directoryStore(root), { cacheBytes: 1 << 20 });
  const points = columnsOf(made!.times.map((time) => [0, 0, time] as const));
  const out = new Float64Array(points.count);
  await reader.valuesAt(made!, WIND, points, undefined, out, signal);
  for (const [i, value] of [10, 10.01, 20, 20.01, 20.02].entries()) expect(out[i]).toBeCloseTo(value, 5);
});
