import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Grid } from "@open-metocean/geo/grid";
import { describe, expect, it } from "vitest";
import { decodeFrame } from "#lib/field/frame.ts";
import { formatInstant } from "#lib/time.ts";
import { openCatalog } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { IncompleteRunError } from "#server/archive/errors.ts";
import { openStoredFrames } from "#server/archive/map-frames.ts";
import { openReader } from "#server/archive/reader.ts";
import { ObjectMissingError } from "#server/archive/store.ts";
import { beginRun } from "#server/archive/writer.ts";
import { newRun, temporaryFolder } from "#test/archive.ts";
import { windAddress as address, frameSource, hour, start, windRun } from "#test/metocean.ts";
import { type FrameSource, frameAt, frameCache } from "./frames.ts";

describe("frames", () => {
  const signal = new AbortController().signal;

  describe("a stored frame", () => {
    const grid: Grid = {
      latitude: { start: -90, step: 1, count: 181 },
      longitude: { start: -180, step: 1, count: 360 },
    };

    it("that is damaged is named and made from the data, and what is served is intact", async () => {
      const root = temporaryFolder();
      const writer = await beginRun(root, newRun(grid, 1));
      for (const band of ["eastward_wind_10m", "northward_wind_10m"] as const)
        await writer.writeField(band, {}, async () => new Float32Array(181 * 360).map((_, i) => i % 20));
      await writer.writeFrames();
      const run = await writer.publish();
      const [stride] = run.levels;
      const at = {
        ...address,
        run: run.id,
        time: formatInstant(run.times[0]!),
        level: String(stride),
        chunk: "all",
      };
      const store = directoryStore(root);
      const catalog = openCatalog(store);
      const reader = openReader(store, { cacheBytes: 1 << 24 });
      const named: string[] = [];
      const archive: FrameSource = {
        ...catalog,
        mapStep: (...request) => reader.mapStep(...request),
        storedFrame: openStoredFrames(store, { onDamage: ({ detail }) => named.push(detail) }),
      };
      const read = async () => (await frameAt(archive, frameCache(1e6), at, "br", signal))!.bytes;
      const intact = brotliDecompressSync(await read());
      expect(named).toEqual([]);

      const file = join(root, run.path, "frames", String(stride), "wind.br");
      const bytes = readFileSync(file);
      bytes[40]! ^= 1;
      writeFileSync(file, bytes);
      expect(brotliDecompressSync(await read()).equals(intact)).toBe(true);
      expect(named).toEqual([`${run.path}/frames/${stride}/wind.br: frame 0 fails its checksum`]);
    });
  });

  describe("a frame", () => {
    it("has the archive's stored numbers of its step and level, with their scale", async () => {
      const packed = await frameAt(
        frameSource([windRun("a", "Forecast", [0, 3])]),
        frameCache(1e6),
        address,
        "gzip",
        signal,
      );
      const frame = decodeFrame(gunzipSync(packed!.bytes));
      expect(frame.time).toBe(start + 3 * hour);
      expect(frame.bands).toEqual([
        { name: "eastward_wind_10m", scale: 0.01, offset: 0 },
        { name: "northward_wind_10m", scale: 0.01, offset: 0 },
      ]);
      expect(frame.grid.longitude).toEqual({ start: -180, step: 180, count: 2 });
      expect([...frame.values.subarray(0, 4)]).toEqual([112, 212, 112, 212]);
    });

    it.each([
      ["dataset", "Hindcast-3M"],
      ["run", "../../etc/passwd"],
      ["variable", "constructor"],
      ["time", "2026-01-10T06:00:00Z"],
      ["time", "now"],
      ["level", "3"],
      ["level", "2.0"],
      ["chunk", "0.0"],
    ])("is not there for another %s (%s)", async (part, value) => {
      const archive = frameSource([windRun("a", "Forecast", [0, 3])]);
      expect(
        await frameAt(archive, frameCache(1e6), { ...address, [part]: value }, undefined, signal),
      ).toBeUndefined();
    });
  });

  it("is not found once a newer run has replaced its own, and a failure when a published run lacks its data", async () => {
    const archive: FrameSource = {
      ...frameSource([windRun("a", "Forecast", [0, 3])]),
      mapStep: () => Promise.reject(new ObjectMissingError("runs/a")),
    };
    const read = (from: FrameSource) => frameAt(from, frameCache(1e6), address, "gzip", signal);
    await expect(read(archive)).rejects.toThrow(IncompleteRunError);
    const runs = [windRun("b", "Forecast", [0, 3])];
    expect(await read({ ...archive, refresh: async () => ({ version: 1, runs }) })).toBeUndefined();
  });

  describe("the frame cache", () => {
    const bytes = (length: number) => async () => new Uint8Array(length);
    const never = () => Promise.reject(new Error("it is cached"));

    it("makes a frame once for all concurrent callers, and again after a failure", async () => {
      const cache = frameCache(100);
      const made = Promise.withResolvers<Uint8Array>();
      const first = cache.get("a", () => made.promise, signal);
      const second = cache.get("a", never, signal);
      made.reject(new Error("no disk"));
      await expect(first).rejects.toThrow("no disk");
      await expect(second).rejects.toThrow("no disk");
      expect(await cache.get("a", bytes(3), signal)).toHaveLength(3);
    });

    it("continues to make a frame while a caller waits, and stops when none does", async () => {
      const cache = frameCache(100);
      const controllers = [new AbortController(), new AbortController()];
      let wanted = signal;
      const make = (signal: AbortSignal) => {
        wanted = signal;
        return new Promise<Uint8Array>(() => {});
      };
      const waiting = controllers.map(({ signal }) => cache.get("a", make, signal));
      controllers[0]?.abort(new Error("gone"));
      await expect(waiting[0]).rejects.toThrow("gone");
      expect(wanted.aborted).toBe(false);
      controllers[1]?.abort(new Error("gone too"));
      await expect(waiting[1]).rejects.toThrow("gone too");
      expect(wanted.aborted).toBe(true);
      expect(await cache.get("a", bytes(5), signal)).toHaveLength(5);
    });
  });
});
