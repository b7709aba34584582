import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decodeFrame } from "#lib/field/frame.ts";
import { parseInstant } from "#lib/time.ts";
import { IncompleteRunError } from "#server/archive/errors.ts";
import type { Run } from "#server/archive/run.ts";
import { ObjectMissingError } from "#server/archive/store.ts";
import { drawableManifest, levelGrid } from "#server/metocean/drawable.ts";
import { frameCache } from "#server/metocean/frame-cache.ts";
import { type FrameAddress, type FrameSource, frameAt } from "#server/metocean/frames.ts";

const start = parseInstant("2026-01-10T00:00:00Z");
const hour = 3600;

function run(id: string, dataset: Run["dataset"], hours: number[], changes: Partial<Run> = {}): Run {
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

/** Each number tells its field, step and stride. */
function source(runs: Run[]): FrameSource & { reads: number } {
  return {
    reads: 0,
    manifest: () => ({ version: 1, runs }),
    refresh: () => ({ version: 1, runs }),
    mapStep(run, field, step, stride) {
      this.reads++;
      const grid = levelGrid(run, stride);
      const nodes = grid.latitude.count * grid.longitude.count;
      return {
        grid,
        values: new Int16Array(nodes).fill((field.startsWith("e") ? 100 : 200) + 10 * step + stride),
      };
    },
  };
}

const address: FrameAddress = {
  dataset: "Forecast",
  run: "a",
  variable: "wind",
  time: "2026-01-10T03:00:00Z",
  level: "2",
  chunk: "all",
};
const signal = new AbortController().signal;

describe("a frame", () => {
  it("holds the archive's own numbers of its step and level, with their scale", async () => {
    const packed = await frameAt(source([run("a", "Forecast", [0, 3])]), frameCache(1e6), address, signal);
    const frame = decodeFrame(gunzipSync(packed!));
    expect(frame.time).toBe(start + 3 * hour);
    expect(frame.planes).toEqual([
      { name: "eastward_wind_10m", scale: 0.01, offset: 0 },
      { name: "northward_wind_10m", scale: 0.01, offset: 0 },
    ]);
    expect(frame.grid.longitude).toEqual({ start: -180, step: 180, count: 2 });
    expect([...frame.values.subarray(0, 4)]).toEqual([112, 212, 112, 212]);
  });

  it("is made once", async () => {
    const archive = source([run("a", "Forecast", [0, 3])]);
    const cache = frameCache(1e6);
    const first = await frameAt(archive, cache, address, signal);
    expect(await frameAt(archive, cache, address, signal)).toBe(first);
    expect(archive.reads).toBe(2);
  });

  it.each([
    ["dataset", "Hindcast-3M"],
    ["run", "b"],
    ["variable", "constructor"],
    ["time", "2026-01-10T06:00:00Z"],
    ["time", "now"],
    ["level", "3"],
    ["level", "2.0"],
    ["chunk", "0"],
  ])("is not there for another %s (%s)", async (part, value) => {
    const archive = source([run("a", "Forecast", [0, 3])]);
    expect(await frameAt(archive, frameCache(1e6), { ...address, [part]: value }, signal)).toBeUndefined();
  });
});

it("is not there once a newer run has taken the place of its own", async () => {
  const archive: FrameSource = {
    ...source([run("a", "Forecast", [0, 3])]),
    refresh: () => ({ version: 1, runs: [run("b", "Forecast", [0, 3])] }),
    mapStep: () => Promise.reject(new ObjectMissingError("runs/a")),
  };
  expect(await frameAt(archive, frameCache(1e6), address, signal)).toBeUndefined();
});

it("is a failure, not a gap, when a published run lacks its data", async () => {
  const archive: FrameSource = {
    ...source([run("a", "Forecast", [0, 3])]),
    mapStep: () => Promise.reject(new ObjectMissingError("runs/a")),
  };
  await expect(frameAt(archive, frameCache(1e6), address, signal)).rejects.toThrow(IncompleteRunError);
});

describe("the cache of frames", () => {
  it("never holds more bytes than its budget, and drops what was not used for longest", () => {
    const cache = frameCache(10);
    cache.set("a", new Uint8Array(4));
    cache.set("b", new Uint8Array(4));
    cache.get("a");
    cache.set("c", new Uint8Array(4));
    expect(["a", "b", "c"].map((key) => cache.get(key)?.length)).toEqual([4, undefined, 4]);
    cache.set("huge", new Uint8Array(11));
    expect(cache.get("huge")).toBeUndefined();
  });
});

describe("the manifest of the map", () => {
  it("lists runs in the order in which the API asks them, newest first in a dataset", () => {
    const runs = [
      run("old", "Forecast", [0, 3]),
      run("new", "Forecast", [3, 6], { referenceTime: start + 3 * hour }),
    ];
    const { runs: listed } = drawableManifest({ version: 1, runs }, "wind", start);
    expect(listed.map(({ run }) => run)).toEqual(["new", "old"]);
    expect(listed[0]).toMatchObject({
      from: "2026-01-10T03:00:00Z",
      to: "2026-01-10T06:00:00Z",
      levels: [{ level: "1" }, { level: "2" }],
      planes: [{ name: "eastward_wind_10m", unit: "m s-1", scale: 0.01 }, { name: "northward_wind_10m" }],
    });
  });

  it("lets a dataset answer only for times of its age", () => {
    const runs = [run("forecast", "Forecast", [0, 24]), run("recent", "Hindcast-3M", [0, 24])];
    const now = start + 5 * 86_400 + 12 * hour;
    const { runs: listed } = drawableManifest({ version: 1, runs }, "wind", now, start);
    expect(listed.map(({ run, from, to }) => [run, from, to])).toEqual([
      ["forecast", "2026-01-10T12:00:00Z", "2026-01-11T00:00:00Z"],
      ["recent", "2026-01-10T00:00:00Z", "2026-01-10T11:59:59Z"],
    ]);
  });

  it("leaves out runs without the field, and steps without it", () => {
    const runs = [
      run("waves", "Forecast", [0], { fields: {} }),
      run("gaps", "Forecast", [0, 3, 6], {
        fields: { eastward_wind_10m: {}, northward_wind_10m: { steps: [1, 2] } },
      }),
    ];
    const { runs: listed } = drawableManifest({ version: 1, runs }, "wind", start);
    expect(listed.map(({ run, times }) => [run, times])).toEqual([
      ["gaps", ["2026-01-10T03:00:00Z", "2026-01-10T06:00:00Z"]],
    ]);
  });
});
