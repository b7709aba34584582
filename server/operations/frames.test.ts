import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { strided } from "@open-metocean/geo/grid";
import { beforeAll, describe, expect, it } from "vitest";
import { fieldManifest } from "#lib/contract/field-manifest.ts";
import { decodeFrame } from "#lib/field/frame.ts";
import { DAY_S } from "#lib/time.ts";
import type { Context } from "#server/context.ts";
import { pathSigner } from "#server/http/signed-path.ts";
import { frameCache } from "#server/metocean/frames.ts";
import { runOf } from "#test/archive.ts";
import { testContext, testRequestContext } from "#test/http.ts";
import { ask, connectContext, type Sent } from "#test/send.ts";

const now = testRequestContext().weather.now();
// The run begins before the earliest time of the map, so that the span moves with the clock.
const run = runOf({ id: "run-1", referenceTime: now, times: [now - 6 * DAY_S, now], levels: [1, 2] });

const archive: Context["archive"] = {
  manifest: async () => ({ version: 1, runs: [run] }),
  refresh: async () => ({ version: 1, runs: [run] }),
  valuesAt: async () => undefined,
  storedFrame: async () => undefined,
  mapStep: async ({ grid }, _field, _step, stride) => {
    const [latitude, longitude] = [strided(grid.latitude, stride), strided(grid.longitude, stride)];
    return {
      grid: { latitude, longitude },
      values: new Int16Array(latitude.count * longitude.count).fill(7),
    };
  },
};

const context = testRequestContext();
let weatherTime = context.weather.now();
const weather = { now: () => weatherTime };
const framePaths = pathSigner("a secret of some length", context.clock);
beforeAll(() =>
  connectContext(testContext({ ...context, weather, archive, frames: frameCache(1e6), framePaths })),
);

const get = (target: string, headers: Sent["headers"] = { "x-api-key": "good-key" }, address?: string) =>
  ask("GET", target, { headers: { "x-api-key": undefined, ...headers }, address });

const frame = "/2DMetOcean/frames/Forecast/run-1/wind/2026-01-01T00:00:00Z/2/all";

it("lists what can be drawn, and answers 304 while that is unchanged", async () => {
  const reply = await get("/2DMetOcean/manifest?variable=wind");
  const manifest = fieldManifest.parse(JSON.parse(String(reply.body)));
  expect(manifest.runs.map(({ run, levels }) => [run, levels.map(({ level }) => level)])).toEqual([
    ["run-1", ["1", "2"]],
  ]);
  expect(reply.headers["cache-control"]).toBe("private, max-age=30");
  weatherTime++;
  const again = await get("/2DMetOcean/manifest?variable=wind", {
    "x-api-key": "good-key",
    "if-none-match": `W/${reply.headers.etag}`,
  });
  expect([again.status, again.body]).toEqual([304, null]);
});

it("lists the spans of the whole archive on request only", async () => {
  const plain = await get("/2DMetOcean/manifest?variable=wind");
  expect(JSON.parse(String(plain.body))).not.toHaveProperty("archive");
  const reply = await get("/2DMetOcean/manifest?variable=wind&archive=spans");
  const { archive } = fieldManifest.parse(JSON.parse(String(reply.body)));
  expect(archive?.map(({ dataset }) => dataset)).toEqual(["Forecast"]);
  expect(reply.headers.etag).not.toBe(plain.headers.etag);
});

it("rejects a variable that is not drawn, in the form of FastAPI", async () => {
  const reply = await get("/2DMetOcean/manifest?variable=salinity");
  expect(reply.status).toBe(422);
  expect(JSON.parse(String(reply.body)).detail[0].loc).toEqual(["query", "variable"]);
});

it("sends an immutable frame in the encoding that the client prefers, counted in a rate group of its own", async () => {
  const ask = (encodings?: string) =>
    get(frame, { "x-api-key": "good-key", ...(encodings && { "accept-encoding": encodings }) });
  const brotli = await ask("gzip, deflate, br, zstd");
  expect(brotli.headers).toMatchObject({
    "content-encoding": "br",
    "cache-control": "private, max-age=31536000, immutable",
    vary: "X-API-Key, Accept-Encoding",
    "ratelimit-policy": expect.stringContaining("frames"),
  });
  const read = decodeFrame(brotliDecompressSync(brotli.body as Uint8Array));
  expect([read.grid.latitude.count, read.values[0], read.time]).toEqual([4, 7, now]);
  const gzipped = await ask("gzip");
  expect(gzipped.headers["content-encoding"]).toBe("gzip");
  expect(decodeFrame(gunzipSync(gzipped.body as Uint8Array))).toEqual(read);
  for (const plain of [await ask(), await ask("br;q=0, identity")]) {
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(decodeFrame(plain.body as Uint8Array)).toEqual(read);
  }
});

it("answers 304 where the client has the frame cached, in any encoding", async () => {
  const { headers } = await get(frame, { "x-api-key": "good-key", "accept-encoding": "br" });
  for (const tag of [headers.etag, headers.etag?.replace("W/", ""), `"other", ${headers.etag}`]) {
    const again = await get(frame, { "x-api-key": "good-key", "if-none-match": tag ?? "" });
    expect([again.status, again.body, again.headers.etag]).toEqual([304, null, headers.etag]);
    expect(again.headers["cache-control"]).toBe(headers["cache-control"]);
  }
  const other = await get(frame, { "x-api-key": "good-key", "if-none-match": '"other"' });
  expect(other.status).toBe(200);
});

describe("a signed path", () => {
  const signed = async () => {
    const reply = await get("/2DMetOcean/manifest?variable=wind");
    const { frames } = fieldManifest.parse(JSON.parse(String(reply.body))).runs[0]!;
    return `${frames}/2026-01-01T00:00:00Z/2/all`;
  };

  it("comes from the manifest and reads the same frame without a key, also for shared caches", async () => {
    const path = await signed();
    expect(path).not.toContain("good-key");
    const reply = await get(path, {});
    expect(reply.status).toBe(200);
    expect(decodeFrame(reply.body as Uint8Array)).toEqual(decodeFrame((await get(frame)).body as Uint8Array));
    const [, age] = /^public, max-age=(\d+), immutable$/.exec(reply.headers["cache-control"] ?? "") ?? [];
    expect(Number(age)).toBeGreaterThanOrEqual(3600);
    expect(reply.headers.vary).toBe("Accept-Encoding");
    expect((await get(path, { "if-none-match": reply.headers.etag ?? "" })).status).toBe(304);
  });

  it("opens one variable of one run, and no altered path", async () => {
    const path = await signed();
    const changes = [
      path.replace("/wind/", "/wave/"),
      path.replace("/run-1/", "/run-2/"),
      path.replace("/Forecast/", "/Hindcast-3M/"),
      path.replace(/frames\/(\d+)/, (_, expires) => `frames/${Number(expires) + 7200}`),
      path.replace(/\.[\w-]{22}\//, `.${"A".repeat(22)}/`),
    ];
    for (const changed of changes) {
      expect(changed).not.toBe(path);
      const reply = await get(changed, {});
      expect([changed, reply.status]).toEqual([changed, 403]);
      expect(reply.headers["cache-control"]).toBe("no-store");
    }
  });

  it("expires, and says where to get the next one", async () => {
    const path = await signed();
    context.time += 3 * 3600;
    const reply = await get(path, {});
    expect([reply.status, reply.headers["cache-control"]]).toEqual([410, "no-store"]);
    expect(JSON.parse(String(reply.body)).detail).toMatch(/expired: request the manifest again/);
    expect((await get(await signed(), {})).status).toBe(200);
  });
});

it("needs the key, and answers 404 in JSON for a missing frame", async () => {
  expect((await get(frame, {})).status).toBe(403);
  expect((await get(frame, { "x-api-key": "wrong" })).status).toBe(401);
  const missing = await get(frame.replace("run-1", "run-2"));
  expect([missing.status, missing.body]).toEqual([404, JSON.stringify({ detail: "Frame not found" })]);
});
