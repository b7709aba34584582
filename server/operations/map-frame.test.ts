import { gunzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { fieldManifest } from "#lib/contract/field-manifest.ts";
import { decodeFrame } from "#lib/field/frame.ts";
import { strided } from "#lib/field/grid.ts";
import type { Run } from "#server/archive/run.ts";
import type { Context } from "#server/context.ts";
import type { Reply } from "#server/http/exchange.ts";
import { testDoor } from "#server/http/testing.ts";
import { frameCache } from "#server/metocean/frame-cache.ts";
import { moveIn } from "#server/operations/house.ts";
import { router } from "#server/operations/table.ts";

const now = testDoor().weather.now();
const run: Run = {
  id: "run-1",
  dataset: "Forecast",
  source: "gfs",
  model: "GFS",
  referenceTime: now,
  path: "runs/run-1",
  grid: { latitude: { start: -90, step: 30, count: 7 }, longitude: { start: -180, step: 30, count: 12 } },
  times: [now],
  levels: [1, 2],
  fields: { eastward_wind_10m: {}, northward_wind_10m: {} },
};

const archive: Context["archive"] = {
  manifest: () => ({ version: 1, runs: [run] }),
  refresh: () => ({ version: 1, runs: [run] }),
  valuesAt: () => undefined,
  mapStep: ({ grid }, _field, _step, stride) => {
    const [latitude, longitude] = [strided(grid.latitude, stride), strided(grid.longitude, stride)];
    return {
      grid: { latitude, longitude },
      values: new Int16Array(latitude.count * longitude.count).fill(7),
    };
  },
};

beforeAll(() => moveIn({ ...testDoor(), archive, frames: frameCache(1e6) } as unknown as Context));

function get(target: string, headers: Record<string, string> = { "x-api-key": "good-key" }): Promise<Reply> {
  const [path = "", query = ""] = target.split("?");
  return router.answer({
    method: "GET",
    path,
    params: {},
    query: new URLSearchParams(query),
    header: (name) => headers[name],
    address: "127.0.0.1",
    id: "test",
    body: async () => new Uint8Array(),
    signal: new AbortController().signal,
  });
}

const frame = "/2DMetOcean/frames/Forecast/run-1/wind/2026-01-01T00:00:00Z/2/all";

it("tells what may be drawn, and 304 while that is the same", async () => {
  const reply = await get("/2DMetOcean/manifest?variable=wind");
  const manifest = fieldManifest.parse(JSON.parse(String(reply.body)));
  expect(manifest.runs.map(({ run, levels }) => [run, levels.map(({ level }) => level)])).toEqual([
    ["run-1", ["1", "2"]],
  ]);
  expect(reply.headers["cache-control"]).toBe("private, max-age=30");
  const again = await get("/2DMetOcean/manifest?variable=wind", {
    "x-api-key": "good-key",
    "if-none-match": `W/${reply.headers.etag}`,
  });
  expect([again.status, again.body]).toEqual([304, null]);
});

it("refuses a variable that is not drawn, in the form of FastAPI", async () => {
  const reply = await get("/2DMetOcean/manifest?variable=salinity");
  expect(reply.status).toBe(422);
  expect(JSON.parse(String(reply.body)).detail[0].loc).toEqual(["query", "variable"]);
});

it("hands out a frame that never changes, packed or not, counted in a bucket of its own", async () => {
  const packed = await get(frame, { "x-api-key": "good-key", "accept-encoding": "gzip, br" });
  expect(packed.headers).toMatchObject({
    "content-encoding": "gzip",
    "cache-control": "private, max-age=31536000, immutable",
    "ratelimit-policy": expect.stringContaining("frames"),
  });
  const read = decodeFrame(gunzipSync(packed.body as Uint8Array));
  expect([read.grid.latitude.count, read.values[0], read.time]).toEqual([4, 7, now]);
  const plain = await get(frame);
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(decodeFrame(plain.body as Uint8Array).values).toEqual(read.values);
  const again = await get(frame, { "x-api-key": "good-key", "if-none-match": packed.headers.etag ?? "" });
  expect(again.status).toBe(304);
});

it("needs the key, and answers 404 in JSON for a frame that is not there", async () => {
  expect((await get(frame, {})).status).toBe(403);
  expect((await get(frame, { "x-api-key": "wrong" })).status).toBe(401);
  const missing = await get(frame.replace("run-1", "run-2"));
  expect([missing.status, missing.body]).toEqual([404, JSON.stringify({ detail: "Frame not found" })]);
});
