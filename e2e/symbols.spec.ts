import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { mercatorView } from "#components/map/map-view.ts";
import { landEdges, landIndex } from "#components/map/symbols/land-index.ts";
import { latticePlaces } from "#components/map/symbols/lattice.ts";
import { expect, openMap, test } from "./map.ts";
import { mapIsSettled, readPixels, rendererOf } from "./probe.ts";
import { serveUniformField } from "./uniform-field.ts";
import { STEPS } from "./test-archive.ts";

const onLand = landIndex(landEdges(JSON.parse(readFileSync("public/basemap/land-50m.json", "utf8"))));

/** Ink has little blue, unlike the colours of tests, halos and land; lines are thin, so that most of it is mixed. */
const BLUEST = 180;

type Offset = [right: number, down: number];

/** Where symbols must stand on the canvas: at sea, whole, clear of what lies over the map's edges. */
async function standing(page: Page, latitude: number, longitude: number, zoom: number) {
  const canvas = page.locator(".maplibregl-canvas");
  const { width, height } = await canvas.evaluate(({ clientWidth, clientHeight }) => ({
    width: clientWidth,
    height: clientHeight,
  }));
  const view = mercatorView({ width, height, centre: { latitude, longitude }, zoom });
  const places = latticePlaces(view);
  const stands: { x: number; y: number; latitude: number }[] = [];
  for (let index = 0; index < places.length; index += 2) {
    const [north = 0, east = 0] = [places[index], places[index + 1]];
    const at = { x: 0, y: 0 };
    view.project(north, east, at);
    const whole = at.x > 60 && at.x < width - 60 && at.y > 60 && at.y < height - 60;
    if (whole && farFromLand(north, east, 360 / (512 * 2 ** zoom))) stands.push({ ...at, latitude: north });
  }
  return stands;
}

/** Whether no coast is drawn where the ink of a symbol is looked for: coasts are dark too. */
function farFromLand(latitude: number, longitude: number, degrees: number): boolean {
  for (let down = -HALF - 4; down <= HALF + 4; down += 2) {
    for (let right = WEST - 4; right <= EAST + 4; right += 2) {
      if (onLand(latitude - down * degrees, longitude + right * degrees)) return false;
    }
  }
  return true;
}

/** A whole barb whose wind is from the east, and nothing of those at the next places, CSS pixels from its own. */
const [WEST, EAST, HALF] = [-12, 37, 18];

/** Pixels of ink round a place, relative to it. */
async function inkRound(page: Page, place: { x: number; y: number }): Promise<Offset[]> {
  const offsets: Offset[] = [];
  for (let down = -HALF; down <= HALF; down++) {
    for (let right = WEST; right <= EAST; right++) offsets.push([right, down]);
  }
  const pixels = await readPixels(
    page,
    offsets.map(([right, down]) => ({ x: Math.round(place.x) + right, y: Math.round(place.y) + down })),
  );
  return offsets.filter((_, index) => (pixels[index]?.[2] ?? 255) < BLUEST);
}

const count = (ink: Offset[], where: (right: number, down: number) => boolean) =>
  ink.filter(([right, down]) => where(right, down)).length;

const at = (latitude: number, longitude: number, zoom: number) =>
  `e2e&c=${latitude},${longitude}&z=${zoom}&t=${STEPS[0]}`;

test("barbs point to where the wind comes from, feathers on the low's side in both hemispheres and on both sides of 180°", async ({
  page,
}) => {
  await serveUniformField(page, "wind", { eastward_wind_10m: -10.3, northward_wind_10m: 0 });
  await openMap(page, `${at(0, 178, 3)}&o=barbs`);
  expect(await rendererOf(page)).toContain("SwiftShader");
  const stands = await standing(page, 0, 178, 3);
  const { width } = (await page.locator(".maplibregl-canvas").boundingBox())!;
  const antimeridian = width / 2 + (2 / 360) * 512 * 2 ** 3;
  for (const north of [true, false]) {
    for (const east of [true, false]) {
      const there = stands.filter(
        (place) =>
          Math.abs(place.latitude) > 8 && place.latitude > 0 === north && place.x > antimeridian === east,
      );
      expect(there.length).toBeGreaterThan(1);
      for (const place of there.slice(0, 2)) {
        const ink = await inkRound(page, place);
        expect(count(ink, (right, down) => right > 4 && Math.abs(down) <= 2)).toBeGreaterThan(15);
        expect(count(ink, (right) => right < -4)).toBe(0);
        const [below, above] = [count(ink, (_, down) => down > 3), count(ink, (_, down) => down < -3)];
        // The shaft's own edge may stray by a pixel; feathers are many.
        const [lowSide, highSide] = north ? [below, above] : [above, below];
        expect(lowSide).toBeGreaterThan(8);
        expect(highSide).toBeLessThan(3);
      }
    }
  }
});

test("a current's arrow has its open head where the current goes to, a wave's its filled head where waves travel", async ({
  page,
}) => {
  await serveUniformField(page, "current", {
    surface_eastward_sea_water_velocity: 0.8,
    surface_northward_sea_water_velocity: 0,
  });
  await openMap(page, `${at(20, -35, 4)}&l=current&o=arrows`);
  const [place] = (await standing(page, 20, -35, 4)).slice(20);
  const open = await inkRound(page, place!);
  const off = (ink: Offset[], side: 1 | -1) =>
    count(ink, (right, down) => side * right > 2 && Math.abs(down) > 2);
  expect(off(open, 1)).toBeGreaterThan(6);
  expect(off(open, -1)).toBe(0);

  await page.unrouteAll({ behavior: "wait" });
  await serveUniformField(page, "wave", {
    sea_surface_wave_significant_height: 3,
    sea_surface_wave_from_direction_x: -1,
    sea_surface_wave_from_direction_y: 0,
  });
  await openMap(page, `${at(20, -35, 4)}&l=wave&o=arrows`);
  const filled = await inkRound(page, place!);
  expect(off(filled, 1)).toBeGreaterThan(6);
  expect(off(filled, -1)).toBe(0);
  // A column through the head: of an open one two strokes, of a filled one all of it.
  const column = (ink: Offset[]) => {
    const ends = new Map<number, number[]>();
    for (const [right, down] of ink) if (right > 2) ends.set(right, [...(ends.get(right) ?? []), down]);
    return [...ends.values()].some((downs) => {
      const span = Math.max(...downs) - Math.min(...downs) + 1;
      return span >= 7 && downs.length === span;
    });
  };
  expect([column(open), column(filled)]).toEqual([false, true]);
});

test("particles are the same each time, float with the flow, and are absent for who asked for less motion", async ({
  page,
}) => {
  await serveUniformField(page, "wind", { eastward_wind_10m: 10, northward_wind_10m: 0 });
  const query = `${at(20, -35, 4)}&o=particles`;
  const trails = page.getByTestId("particles");
  const picture = () => trails.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  await openMap(page, query);
  await expect(trails).toHaveAttribute("data-count", /^[1-9]\d\d+$/);
  const first = await picture();
  expect(first.length).toBeGreaterThan(20_000);
  await page.reload();
  await mapIsSettled(page);
  await expect(trails).toHaveAttribute("data-count", /^[1-9]\d\d+$/);
  expect(await picture()).toBe(first);

  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect(trails).toHaveCount(0);
  await page.getByText("What the symbols mean").click();
  await expect(page.getByText("your system asks for less motion")).toBeVisible();
  await page.reload();
  await mapIsSettled(page);
  await expect(trails).toHaveCount(0);
});
