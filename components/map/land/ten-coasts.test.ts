import { readFileSync } from "node:fs";
import { RADIANS } from "@open-metocean/geo/sphere";
import { beforeEach, expect, it, vi } from "vitest";
import { LAND_FILE } from "#lib/places/land-file.data.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { seeded } from "#test/seeded.ts";
import { landIn, tileZoom } from "./land-tiles.ts";

const file = readFileSync(new URL(`../../../public/basemap/${LAND_FILE}`, import.meta.url));
beforeEach(() => {
  vi.stubGlobal("fetch", async (_: string, { headers }: { headers: { range: string } }) => {
    const [first = 0, last = 0] = headers.range.slice("bytes=".length).split("-").map(Number);
    return new Response(file.subarray(first, last + 1), { status: 206 });
  });
});

const coasts = {
  "the fjords of Norway": [61.1, 5.2],
  Brittany: [48.35, -4.6],
  Cornwall: [50.15, -5.1],
  Chiloé: [-42.3, -73.3],
  "the Bahamas": [24.1, -76.4],
  Lofoten: [68.15, 13.8],
  "the Inland Sea of Japan": [34.2, 133.2],
  Venice: [45.42, 12.35],
  "Fiji, at 180°": [-16.75, 179.95],
  Antarctica: [-64.8, -62.9],
} as const;

/** A view of 700 × 500 pixels, of which so many are looked at. */
const [WIDE, HIGH, PIXELS] = [700, 500, 250];
/** Places within a pixel of another, pixels. */
const offsets = [0, -0.5, 0.5, -1, 1];
const around = offsets.flatMap((right) => offsets.map((down) => [right, down] as const));

/**
 * Pixels of a view at which the map has land and the service has none within a pixel, or the map has water and the service has
 * none within a pixel.
 *
 * @param shift Pixels by which the map's coast is shifted to the east.
 */
async function wrongPixels([latitude, longitude]: readonly [number, number], zoom: number, shift = 0) {
  const { line } = knownCoast();
  const degrees = 360 / (512 * 2 ** zoom);
  const shrink = Math.cos(latitude * RADIANS);
  const [half, high] = [(WIDE / 2) * degrees, (HIGH / 2) * degrees * shrink];
  const view = {
    south: latitude - high,
    north: latitude + high,
    west: longitude - half,
    east: longitude + half,
  };
  const onLand = await landIn(view, tileZoom(zoom));
  const random = seeded(zoom);
  const turned = (east: number) => east - 360 * Math.round(east / 360);
  let count = 0;
  for (let at = 0; at < PIXELS; at++) {
    const [x, y] = [(random() - 0.5) * WIDE, (random() - 0.5) * HIGH];
    const place = { latitude: latitude + y * degrees * shrink, longitude: turned(longitude + x * degrees) };
    const drawn = onLand(place.latitude, turned(place.longitude - shift * degrees));
    const isAround = around.some(
      ([right, down]) =>
        line.isLand({
          latitude: place.latitude + down * degrees * shrink,
          longitude: turned(place.longitude + right * degrees),
        }) === drawn,
    );
    if (!isAround) count++;
  }
  return count;
}

it.each(Object.entries(coasts))(
  "what the map fills is the land of the service to a pixel: %s",
  async (_, place) => {
    for (const zoom of [3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      expect([zoom, await wrongPixels(place, zoom)]).toEqual([zoom, 0]);
  },
);

it.each(Object.entries(coasts))("a coast that is shifted by ten pixels is seen: %s", async (_, place) => {
  const counts = await Promise.all([8, 9, 10].map((zoom) => wrongPixels(place, zoom, 10)));
  expect(Math.max(...counts)).toBeGreaterThan(0);
});
