import type { Page } from "@playwright/test";
import { mercatorView } from "#components/map/map-view.ts";
import { latticePlaces } from "#components/map/symbols/placed-symbols.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { expect, legendButton, sharedMap, test } from "./map.ts";
import { readPixels, rendererOf } from "./probe.ts";
import { STEPS } from "./test-archive.ts";
import { serveUniformField } from "./uniform-field.ts";

const map = sharedMap({ width: 800, height: 600 }, false);

const coast = knownCoast().line;

/**
 * Largest blue of ink, which differs from the probe's colours, halos and land. Lines are thin, so most of their pixels
 * are blended.
 */
const MAX_BLUE = 180;

type Offset = [right: number, down: number];

/** Positions of symbols on the canvas: at sea, complete, and clear of the controls at the edges. */
async function expectedSymbols(page: Page, latitude: number, longitude: number, zoom: number) {
  const canvas = page.locator(".maplibregl-canvas");
  const { width, height } = await canvas.evaluate(({ clientWidth, clientHeight }) => ({
    width: clientWidth,
    height: clientHeight,
  }));
  const view = mercatorView({ width, height, centre: { latitude, longitude }, zoom });
  const places = latticePlaces(view);
  const symbols: { x: number; y: number; latitude: number }[] = [];
  for (let index = 0; index < places.length; index += 2) {
    const [north = 0, east = 0] = [places[index], places[index + 1]];
    const at = { x: 0, y: 0 };
    view.project(north, east, at);
    const whole = at.x > 60 && at.x < width - 60 && at.y > 60 && at.y < height - 60;
    if (whole && farFromLand(north, east, 360 / (512 * 2 ** zoom))) symbols.push({ ...at, latitude: north });
  }
  return symbols;
}

/** Whether no coast, which is dark too, is near the ink of a symbol. */
function farFromLand(latitude: number, longitude: number, degrees: number): boolean {
  for (let down = -HALF - 4; down <= HALF + 4; down += 2) {
    for (let right = WEST - 4; right <= EAST + 4; right += 2) {
      const place = { latitude: latitude - down * degrees, longitude: longitude + right * degrees };
      if (coast.isLand(place)) return false;
    }
  }
  return true;
}

/** Box around a barb of an easterly wind without the neighbouring symbols, CSS pixels from its place. */
const [WEST, EAST, HALF] = [-12, 37, 18];

/** Pixels of ink around a place, relative to it. */
async function inkAround(page: Page, place: { x: number; y: number }): Promise<Offset[]> {
  const offsets: Offset[] = [];
  for (let down = -HALF; down <= HALF; down++) {
    for (let right = WEST; right <= EAST; right++) offsets.push([right, down]);
  }
  const pixels = await readPixels(
    page,
    offsets.map(([right, down]) => ({ x: Math.round(place.x) + right, y: Math.round(place.y) + down })),
  );
  return offsets.filter((_, index) => (pixels[index]?.[2] ?? 255) < MAX_BLUE);
}

const count = (ink: Offset[], where: (right: number, down: number) => boolean) =>
  ink.filter(([right, down]) => where(right, down)).length;

const at = (latitude: number, longitude: number, zoom: number) =>
  `e2e&c=${latitude},${longitude}&z=${zoom}&t=${STEPS[0]}`;

test("barbs point to where the wind comes from, feathers on the low's side in both hemispheres and on both sides of 180°", async () => {
  const page = map.page();
  await serveUniformField(page, "wind", { eastward_wind_10m: -10.3, northward_wind_10m: 0 });
  await map.show(`${at(0, 178, 3)}&o=barbs`);
  expect(await rendererOf(page)).toContain("SwiftShader");
  const symbols = await expectedSymbols(page, 0, 178, 3);
  const { width } = (await page.locator(".maplibregl-canvas").boundingBox())!;
  const antimeridian = width / 2 + (2 / 360) * 512 * 2 ** 3;
  for (const north of [true, false]) {
    for (const east of [true, false]) {
      const there = symbols.filter(
        (place) =>
          Math.abs(place.latitude) > 8 && place.latitude > 0 === north && place.x > antimeridian === east,
      );
      expect(there.length).toBeGreaterThan(1);
      for (const place of there.slice(0, 2)) {
        const ink = await inkAround(page, place);
        expect(count(ink, (right, down) => right > 4 && Math.abs(down) <= 2)).toBeGreaterThan(15);
        expect(count(ink, (right) => right < -4)).toBe(0);
        const [below, above] = [count(ink, (_, down) => down > 3), count(ink, (_, down) => down < -3)];
        // The shaft may be off by a pixel; feathers have many pixels.
        const [lowSide, highSide] = north ? [below, above] : [above, below];
        expect(lowSide).toBeGreaterThan(8);
        expect(highSide).toBeLessThan(3);
      }
    }
  }
});

test("current arrows have an open head in the direction of flow, wave arrows a filled head in the direction of travel", async () => {
  const page = map.page();
  await serveUniformField(page, "current", {
    surface_eastward_sea_water_velocity: 0.8,
    surface_northward_sea_water_velocity: 0,
  });
  await map.show(`${at(20, -35, 4)}&l=current&o=arrows`);
  const [place] = (await expectedSymbols(page, 20, -35, 4)).slice(20);
  const open = await inkAround(page, place!);
  const off = (ink: Offset[], side: 1 | -1) =>
    count(ink, (right, down) => side * right > 2 && Math.abs(down) > 2);
  expect(off(open, 1)).toBeGreaterThan(6);
  expect(off(open, -1)).toBe(0);

  await serveUniformField(page, "wave", {
    sea_surface_wave_significant_height: 3,
    sea_surface_wave_from_direction_x: -1,
    sea_surface_wave_from_direction_y: 0,
  });
  await map.show(`${at(20, -35, 4)}&l=wave&o=arrows`);
  const filled = await inkAround(page, place!);
  expect(off(filled, 1)).toBeGreaterThan(6);
  expect(off(filled, -1)).toBe(0);
  // A column through the head has two strokes of an open one, and only ink in a filled one.
  const column = (ink: Offset[]) => {
    const ends = new Map<number, number[]>();
    for (const [right, down] of ink) if (right > 2) ends.set(right, [...(ends.get(right) ?? []), down]);
    return [...ends.values()].some((downs) => {
      const span = Math.max(...downs) - Math.min(...downs) + 1;
      // Next to its tip an open head is filled too.
      return span >= 9 && downs.length === span;
    });
  };
  expect([column(open), column(filled)]).toEqual([false, true]);
});

test("particles move, and are a still picture with reduced motion", async () => {
  const page = map.page();
  await page.emulateMedia({ reducedMotion: null });
  await serveUniformField(page, "wind", { eastward_wind_10m: 10, northward_wind_10m: 0 });
  const trails = page.getByTestId("particles");
  await map.show(`${at(20, -35, 4)}&o=particles`);
  await expect(trails).toHaveAttribute("data-count", /^[1-9]\d\d+$/);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect(trails).toHaveCount(1);
  await legendButton(page).click();
  await expect(page.getByText("They stand still: your system asks for less motion")).toBeVisible();
});
