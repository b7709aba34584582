import { expect, it } from "vitest";
import { sourceOrder } from "#lib/catalog/source-order.ts";
import { candidates, chooseRun } from "./choose-run.ts";
import type { Manifest, Run } from "./run.ts";
import { withSourceOrder } from "./source-order.ts";

const HOUR = 3600;
const now = Date.UTC(2026, 10, 23) / 1000;

/** A global run of the wind, hourly for two days. */
function run(source: string, age: number): Run {
  const referenceTime = now - age * HOUR;
  return {
    id: `${source}.${age}`,
    dataset: "Forecast",
    source,
    model: source,
    referenceTime,
    path: `runs/${source}.${age}`,
    grid: {
      latitude: { start: -90, step: 30, count: 7 },
      longitude: { start: -180, step: 30, count: 12 },
    },
    times: Array.from({ length: 49 }, (_, hour) => referenceTime + hour * HOUR),
    levels: [1],
    fields: { eastward_wind_10m: {}, northward_wind_10m: {} },
  };
}

const manifest: Manifest = {
  version: 1,
  runs: [run("own", 0), run("cmems", 1), run("ecmwf", 12), run("gfs", 6), run("gfs", 12)],
};
const catalog = { manifest: () => manifest, refresh: () => manifest };

/** Ids of the runs that have the wind, best first: for the API, and for the map. */
async function order(...preferred: string[]) {
  const settings = sourceOrder({ wind: preferred });
  const ordered = await withSourceOrder(catalog, settings).manifest();
  const best = chooseRun(ordered, "wind", 0, 0, now, now);
  const all = candidates(ordered, "Forecast", "wind").map(({ run }) => run.id);
  expect(typeof best === "object" && best.id).toBe(all[0]);
  return all;
}

it("prefers a source of one's own, then sources as the setting says, then as the catalog does, and of one source the newest run", async () => {
  expect(await order()).toEqual(["own.0", "gfs.6", "gfs.12", "ecmwf.12", "cmems.1"]);
  expect(await order("ecmwf")).toEqual(["own.0", "ecmwf.12", "gfs.6", "gfs.12", "cmems.1"]);
  expect(await order("cmems", "ecmwf")).toEqual(["own.0", "cmems.1", "ecmwf.12", "gfs.6", "gfs.12"]);
});

it("takes the next source where the runs of the best are outdated, and those again where nothing else is", async () => {
  const runs = [run("gfs", 6 + 48), run("gfs", 12 + 48), run("ecmwf", 6), run("ecmwf", 12)].map((each) => ({
    ...each,
    times: Array.from({ length: 41 }, (_, step) => each.referenceTime + step * 6 * HOUR),
  }));
  const dead = { version: 1, runs } satisfies Manifest;
  const at = (hours: number) => chooseRun(dead, "wind", 0, 0, now + hours * HOUR, now);
  expect(at(1)).toMatchObject({ id: "ecmwf.6" });
  expect(chooseRun({ ...dead, runs: runs.slice(0, 2) }, "wind", 0, 0, now, now)).toMatchObject({
    id: "gfs.54",
  });
  // A day is no reason: daily runs are so old before the next one.
  const daily = { ...dead, runs: [run("gfs", 34), run("ecmwf", 6)] };
  expect(chooseRun(daily, "wind", 0, 0, now, now)).toMatchObject({ id: "gfs.34" });
});

it("takes the newest run that has less of a variable before an outdated one that has more", () => {
  const of = (age: number, names: string[]) => ({
    ...run("gfswave", age),
    times: Array.from({ length: 41 }, (_, step) => now + (step * 6 - age) * HOUR),
    fields: Object.fromEntries(names.map((name) => [name, {}])),
  });
  const height = "sea_surface_wave_significant_height";
  const both = [height, "sea_surface_wave_mean_period"];
  const chosen = (...runs: Run[]) => chooseRun({ version: 1, runs }, "wave", 0, 0, now, now);
  expect(chosen(of(12, both), of(6, [height]))).toMatchObject({ id: "gfswave.12" });
  expect(chosen(of(54, both), of(6, [height]))).toMatchObject({ id: "gfswave.6" });
});

it("takes the next source where the best has no run for the time", async () => {
  const ordered = await withSourceOrder(catalog, sourceOrder({ wind: ["ecmwf"] })).manifest();
  const ofCatalog = { ...ordered, runs: ordered.runs.filter(({ source }) => source !== "own") };
  const later = chooseRun(ofCatalog, "wind", 0, 0, now + 40 * HOUR, now);
  expect(later).toMatchObject({ id: "gfs.6" });
});

it("keeps one manifest while the catalog keeps one", async () => {
  const ordered = withSourceOrder(catalog, sourceOrder());
  expect(await ordered.manifest()).toBe(await ordered.refresh());
});

it("takes a run that has heights of waves alone, after all that have directions and periods too", () => {
  const height = { sea_surface_wave_significant_height: {} };
  const whole = {
    ...height,
    sea_surface_wave_mean_period: {},
    sea_surface_wave_from_direction_x: {},
    sea_surface_wave_from_direction_y: {},
  };
  const alone = { ...run("cmems", 0), fields: height };
  const others = { ...run("gfswave", 12), fields: whole };
  const found = (runs: Run[]) =>
    candidates({ version: 1, runs }, "Forecast", "wave").map(({ run }) => run.id);
  expect(found([alone])).toEqual(["cmems.0"]);
  expect(found([alone, others])).toEqual(["gfswave.12", "cmems.0"]);
});
