import { decodeFrame, encodeFrame } from "#lib/field/frame.ts";
import { ask, expect, openMap, test } from "./map.ts";
import { type Pixel, probedValue, project, QUANTUM, randomPixels, readPixels, rendererOf } from "./probe.ts";
import { HOLE, STEPS } from "./world.ts";

type Page = import("@playwright/test").Page;

const scenes = [
  { name: "an ocean", latitude: 35, longitude: -45, zoom: 2.5, time: STEPS[0] },
  { name: "both sides of the antimeridian", latitude: 5, longitude: 179.5, zoom: 3, time: STEPS[1] },
  { name: "a close view", latitude: 46, longitude: -8, zoom: 6, time: STEPS[0] },
  { name: "a coast", latitude: 42.5, longitude: 15, zoom: 5.3, time: STEPS[0] },
  { name: "an instant between steps", latitude: -20, longitude: -20, zoom: 3, time: "2026-01-01T04:15:00Z" },
] as const;

const PIXELS = 400;

/** How many of the pixels that show the field stand for the API's number, and how many show it at all. */
async function compare(pixels: readonly Pixel[], time: string) {
  const answers = await ask(pixels, time);
  let shown = 0;
  let right = 0;
  let painted = 0;
  pixels.forEach((pixel, index) => {
    const value = probedValue(pixel);
    const answer = answers[index]?.Winds_10m_Intensity;
    if (value === undefined) return;
    shown++;
    if (typeof answer !== "number") painted++;
    else if (Math.abs(value - answer) <= QUANTUM) right++;
  });
  return { shown, share: right / shown, paintedWithoutValue: painted };
}

async function probe(page: Page, scene: (typeof scenes)[number]) {
  await openMap(page, `e2e&o=&c=${scene.latitude},${scene.longitude}&z=${scene.zoom}&t=${scene.time}`);
  return randomPixels(page, PIXELS, 20_260_101, scene);
}

for (const scene of scenes) {
  test(`the colours of ${scene.name} are the API's numbers`, async ({ page }) => {
    const pixels = await probe(page, scene);
    expect(await rendererOf(page)).toContain("SwiftShader");
    const { shown, share, paintedWithoutValue } = await compare(pixels, scene.time);
    expect(shown).toBeGreaterThan(PIXELS / 4);
    expect(share).toBeGreaterThanOrEqual(0.98);
    expect(paintedWithoutValue).toBe(0);
  });
}

test("a frame shifted by one cell would be noticed", async ({ page }) => {
  await page.route("**/2DMetOcean/*frames/**", async (route) => {
    const reply = await route.fetch();
    const frame = decodeFrame(await reply.body());
    const { grid, planes, values, time, perNode } = frame;
    const width = grid.longitude.count;
    const shifted = planes.map((_, plane) =>
      Int16Array.from({ length: values.length / perNode }, (_, node) => {
        const column = (node + 1) % width === 0 ? node + 1 - width : node + 1;
        return values[column * perNode + plane]!;
      }),
    );
    await route.fulfill({ body: Buffer.from(encodeFrame(grid, time, planes, shifted)) });
  });
  const scene = scenes[0];
  const { shown, share } = await compare(await probe(page, scene), scene.time);
  expect(shown).toBeGreaterThan(PIXELS / 4);
  expect(share).toBeLessThan(0.9);
});

test("where the API has no value nothing is painted, and land is land", async ({ page }) => {
  const scene = { latitude: HOLE.latitude, longitude: HOLE.longitude, zoom: 4 };
  await openMap(page, `e2e&o=&c=${scene.latitude},${scene.longitude}&z=${scene.zoom}&t=${STEPS[0]}`);
  const pixels = await randomPixels(page, PIXELS, 7, scene);
  const answers = await ask(pixels, STEPS[0]);
  const absent = pixels.filter((_, index) => answers[index]?.Winds_10m_Intensity === null);
  expect(absent.length).toBeGreaterThan(50);
  expect(absent.filter((pixel) => probedValue(pixel) !== undefined)).toEqual([]);
  const present = pixels.filter((_, index) => answers[index]?.Winds_10m_Intensity !== null);
  // The graticule crosses some.
  expect(present.filter((pixel) => probedValue(pixel) === undefined).length / present.length).toBeLessThan(
    0.03,
  );

  const europe = { latitude: 48, longitude: 10, zoom: 4 };
  await openMap(page, `e2e&o=&c=${europe.latitude},${europe.longitude}&z=${europe.zoom}&t=${STEPS[0]}`);
  const canvas = (await page.locator(".maplibregl-canvas").boundingBox())!;
  const places = [
    [48.1, 8.3],
    [51.3, 12.2],
    [46.2, 3.1],
    [52.7, 19.4],
  ].map(([latitude = 0, longitude = 0]) => {
    const { x, y } = project(latitude, longitude, europe, canvas);
    return { x: Math.round(x), y: Math.round(y) };
  });
  expect(await readPixels(page, places)).toEqual(places.map(() => [220, 214, 202]));
});
