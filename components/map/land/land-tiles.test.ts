import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { beforeEach, expect, it, vi } from "vitest";
import { LAND_FILE } from "#lib/places/land-file.data.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";

const file = readFileSync(new URL(`../../../public/basemap/${LAND_FILE}`, import.meta.url));

/** Ranges that were requested, and the land as a page has it that just opened. */
let requested: string[] = [];
let land: typeof import("./land-tiles.ts");
beforeEach(async () => {
  requested = [];
  vi.stubGlobal("fetch", async (_: string, { headers }: { headers: { range: string } }) => {
    requested.push(headers.range);
    const [first = 0, last = 0] = headers.range.slice("bytes=".length).split("-").map(Number);
    return new Response(file.subarray(first, last + 1), { status: 206 });
  });
  vi.resetModules();
  land = await import("./land-tiles.ts");
});

it.each([
  ["the Sahara", 23, 10, true],
  ["the Biscay", 46, -6, false],
  ["Chukotka, east of 180°", 67, -178, true],
  ["Chukotka, west of 180°", 67, 178, true],
  ["the north pole", 90, 0, false],
  ["Antarctica", -88, 100, true],
  ["Antarctica at 180°", -84, 180, true],
  ["the Pacific at 180°", 0, -180, false],
  ["Chukotka, a degree beyond 180° W", 67, -181, true],
])("finds %s, far from the view too", async (_, latitude, longitude, expected) => {
  const view = { south: 45, north: 50, west: -5, east: 5 };
  expect((await land.landIn(view, 5))(latitude, longitude)).toBe(expected);
  const near = { south: latitude - 1, north: latitude + 1, west: longitude - 1, east: longitude + 1 };
  expect((await land.landIn(near, 6))(latitude, longitude)).toBe(expected);
});

it.each([
  ["Brittany", 48.3, -4.6],
  ["Fiji, across 180°", -16.8, 179.9],
])("is, by the finest tiles, what the service has for land around %s", async (_, latitude, longitude) => {
  const onLand = await land.landAround({ latitude, longitude }, 40);
  const { line } = knownCoast();
  const wrong = [];
  let count = 0;
  for (let north = -30; north <= 30; north++)
    for (let east = -30; east <= 30; east++) {
      const x = longitude + east / 60.7;
      const place = { latitude: latitude + north / 60.3, longitude: x > 180 ? x - 360 : x };
      const isLand = onLand(place.latitude, place.longitude);
      if (isLand) count++;
      if (isLand !== line.isLand(place)) wrong.push(place);
    }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(100);
});

it("the tiles of the first view, on a wide screen anywhere, are at most 150 kB with the root of their directory", async () => {
  const sizes = new Map<string, number>();
  for (const name of land.tilesIn({ south: -85, north: 85, west: -180, east: 179.99 }, 3))
    sizes.set(name.join(), gzipSync(new Uint8Array(await land.landBytes(...name)), { level: 9 }).length);
  // A map of 1440 × 760 pixels at the zoom of the first view has at most 4 × 3 tiles of 512 pixels or more.
  const most = Math.max(
    ...[...sizes.keys()].map((corner) => {
      const [, x = 0, y = 0] = corner.split(",").map(Number);
      const view = Array.from({ length: 12 }, (_, at) => `3,${(x + (at % 4)) % 8},${y + Math.floor(at / 4)}`);
      return view.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 16_384);
    }),
  );
  expect(most).toBeGreaterThan(30_000);
  expect(most).toBeLessThan(150_000);
});

it("reads a tile once, and again if it could not be read", async () => {
  await land.landIn({ south: 45, north: 50, west: -5, east: 5 }, 5);
  const count = requested.length;
  await land.landIn({ south: 45, north: 50, west: -5, east: 5 }, 5);
  expect(requested.length).toBe(count);
  const works = globalThis.fetch;
  vi.stubGlobal("fetch", async () => new Response("", { status: 503 }));
  await expect(land.landBytes(7, 63, 44)).rejects.toThrow("503");
  vi.stubGlobal("fetch", works);
  expect((await land.landBytes(7, 63, 44)).byteLength).toBeGreaterThan(0);
});
