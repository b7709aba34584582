import { partGrid } from "#lib/field/frame-chunks.ts";
import { parseInstant } from "#lib/time.ts";
import { levelGrid } from "#server/archive/layout.ts";
import type { Run } from "#server/archive/run.ts";
import type { FrameAddress, FrameSource } from "#server/metocean/frames.ts";

/** Base time of the runs, Unix seconds. */
export const start = parseInstant("2026-01-10T00:00:00Z");
export const hour = 3600;

/** A run of wind on 5 × 4 nodes. @param hours Times of its steps after `start`. */
export function windRun(
  id: string,
  dataset: Run["dataset"],
  hours: number[],
  changes: Partial<Run> = {},
): Run {
  return {
    id,
    dataset,
    source: "gfs",
    model: "GFS 0.25°",
    referenceTime: start,
    path: id,
    grid: { latitude: { start: -90, step: 45, count: 5 }, longitude: { start: -180, step: 90, count: 4 } },
    times: hours.map((hours) => start + hours * hour),
    levels: [1, 2],
    fields: { eastward_wind_10m: {}, northward_wind_10m: {} },
    ...changes,
  };
}

/** The frame of the second step, three hours after the first, at the coarser level, in the run `a`. */
export const windAddress: FrameAddress = {
  dataset: "Forecast",
  run: "a",
  variable: "wind",
  time: "2026-01-10T03:00:00Z",
  level: "2",
  chunk: "all",
};

/** An archive that counts reads. Each value encodes its field, step and stride. */
export function frameSource(runs: Run[]): FrameSource & { reads: number } {
  return {
    reads: 0,
    manifest: async () => ({ version: 1, runs }),
    refresh: async () => ({ version: 1, runs }),
    storedFrame: async () => undefined,
    async mapStep(run, field, step, stride, _signal, part) {
      this.reads++;
      const grid = partGrid(levelGrid(run, stride), part!);
      const nodes = grid.latitude.count * grid.longitude.count;
      return {
        grid,
        values: new Int16Array(nodes).fill((field.startsWith("e") ? 100 : 200) + 10 * step + stride),
      };
    },
  };
}
