import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { chooseRun } from "#server/archive/choose-run.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { runOf } from "#test/archive.ts";
import { answeringRun } from "./box-plan.ts";
import { drawableManifest } from "./drawable.ts";

const HOUR = 3600;
const now = Date.UTC(2026, 10, 23) / 1000;
const fields = {
  sea_surface_wave_significant_height: {},
  sea_surface_wave_mean_period: {},
  sea_surface_wave_from_direction_x: {},
  sea_surface_wave_from_direction_y: {},
};
const box = { south: 0, north: 0, west: 0, east: 0 };

/** A global run of the waves, hourly for two days. */
function run(age: number): Run {
  const referenceTime = now - age * HOUR;
  const times = Array.from({ length: 49 }, (_, hour) => referenceTime + hour * HOUR);
  return runOf({ id: `gfswave.${age}`, source: "gfswave", referenceTime, times, fields });
}

it("takes the run before where the newest has only some of a variable's outputs at the time, for points, boxes and the map", () => {
  const before = run(6);
  const cut = { sea_surface_wave_mean_period: { steps: [0, 1, 2, 3, 4, 5, 6] } };
  const newest = { ...run(0), fields: { ...fields, ...cut } };
  const chosen = (hour: number, ...runs: Run[]) => {
    const of: Manifest = { version: 1, runs };
    const time = now + hour * HOUR;
    const drawn = drawableManifest(of, "wave", now).runs.find(
      ({ from, to }) => time >= parseInstant(from) && time <= parseInstant(to),
    );
    const point = chooseRun(of, "wave", 0, 0, time, now);
    const ids = [
      typeof point === "object" && point.id,
      answeringRun({ manifest: of, name: "wave", now }, box, time)?.run.id,
      drawn?.run,
    ];
    expect(new Set(ids).size).toBe(1);
    return ids[0];
  };
  expect(chosen(6, before, newest)).toBe("gfswave.0");
  expect(chosen(7, before, newest)).toBe("gfswave.6");
  expect(chosen(10, before, newest)).toBe("gfswave.6");
  // The incomplete newest run answers for times after the end of the run before it, and for all times if there is no
  // run before it.
  expect(chosen(44, before, newest)).toBe("gfswave.0");
  expect(chosen(10, newest)).toBe("gfswave.0");
  expect(chosen(8, run(40), newest)).toBe("gfswave.0");
});
