import { themes } from "#components/view-state/map-colours.ts";
import { colourScales } from "#lib/catalog/colours.ts";
import { type PaintedName, paintedScale } from "#lib/catalog/painted.ts";
import { decodeFrame, encodeFrame } from "#lib/field/frame.ts";
import { expect, postPoints, sharedMap, test } from "./map.ts";
import {
  type Camera,
  mapIsSettled,
  probedValue,
  project,
  randomPixels,
  readPixels,
  rendererOf,
} from "./probe.ts";
import { HOLE, STEPS } from "./test-archive.ts";
import { serveUniformField } from "./uniform-field.ts";

type Page = import("@playwright/test").Page;
type Conditions = Record<string, number | null>;

// A small map is faster to draw in software.
const probed = sharedMap({ width: 640, height: 480 }, false);

/** A quantity of the API that pixels are compared with. */
interface Quantity {
  variable: "wind" | "gust";
  range: readonly [number, number];
  /** Value in the API's conditions; null where it has none. */
  answered(conditions: Conditions): number | null | undefined;
}

const windSpeed: Quantity = {
  variable: "wind",
  range: colourScales.wind.range,
  answered: ({ Winds_10m_Intensity }) => Winds_10m_Intensity,
};
const gust: Quantity = {
  variable: "gust",
  range: colourScales.gust.range,
  answered: ({ Gust_10m }) => Gust_10m,
};
interface Scene extends Camera {
  quantity: Quantity;
  time: string;
}

const ocean: Scene = { quantity: windSpeed, latitude: 35, longitude: -45, zoom: 2.5, time: STEPS[0] };
const scenes: Record<string, Scene> = {
  // First, because Mercator's map has no such centre from which the globe could come.
  "the globe's pole": { ...ocean, latitude: 75, longitude: 175, zoom: 1, globe: true },
  "both sides of the antimeridian": { ...ocean, latitude: 5, longitude: 179.5, zoom: 3, time: STEPS[1] },
  "an instant between steps": {
    ...ocean,
    latitude: -20,
    longitude: -20,
    zoom: 3,
    time: "2026-01-01T04:15:00Z",
  },
  "a window of odd width across the antimeridian": {
    ...ocean,
    quantity: gust,
    latitude: 0,
    longitude: -178,
    zoom: 2.2,
  },
  "the globe close by": { ...ocean, latitude: -35, longitude: 178, zoom: 5, globe: true },
};

const PIXELS = 400;

/** Number of pixels that show the field, and the share of them that encode the API's value. */
async function compare({ quantity, ...scene }: Scene) {
  const { latitude, longitude, zoom, globe, time } = scene;
  const { variable } = quantity;
  const projection = globe ? "&proj=globe" : "";
  await probed.show(`e2e&o=&l=${variable}&c=${latitude},${longitude}&z=${zoom}&t=${time}${projection}`);
  return compareDrawn({ quantity, ...scene });
}

async function compareDrawn({ quantity, time, ...camera }: Scene) {
  const { variable, range, answered } = quantity;
  const pixels = await randomPixels(probed.page(), PIXELS, 20_260_101, camera);
  const answers = await postPoints(pixels, time, [variable]);
  const quantum = (range[1] - range[0]) / 255;
  let [shown, right, paintedWithoutValue] = [0, 0, 0];
  for (const [index, pixel] of pixels.entries()) {
    const value = probedValue(pixel, range);
    const answer = answered(answers[index]!);
    if (value === undefined) continue;
    shown++;
    if (typeof answer !== "number") paintedWithoutValue++;
    else if (Math.abs(value - answer) <= quantum) right++;
  }
  return { shown, share: right / shown, paintedWithoutValue };
}

/** Expects that pixels encode the API's values. */
function expectAsApi({ shown, share, paintedWithoutValue }: Awaited<ReturnType<typeof compareDrawn>>): void {
  expect(shown).toBeGreaterThan(PIXELS / 4);
  expect(share).toBeGreaterThanOrEqual(0.98);
  expect(paintedWithoutValue).toBe(0);
}

for (const [name, scene] of Object.entries(scenes)) {
  test(`the colours of ${name} encode the API's values`, async () => {
    expectAsApi(await compare(scene));
    expect(await rendererOf(probed.page())).toContain("SwiftShader");
  });
}

test("the colours of an ocean survive a lost graphics context, and a resize before the last size was drawn", async () => {
  expectAsApi(await compare(ocean));
  const page = probed.page();
  const canvas = await page.locator(".maplibregl-canvas").elementHandle();
  await canvas!.evaluate(async (it) => {
    const extension = (it as HTMLCanvasElement).getContext("webgl2")!.getExtension("WEBGL_lose_context")!;
    const lost = new Promise((done) => it.addEventListener("webglcontextlost", done));
    extension.loseContext();
    await lost;
    // Browsers refuse to restore the context within the event of the loss, and some for a while after it.
    const restored = new Promise((done) => it.addEventListener("webglcontextrestored", done));
    const retry = setInterval(() => extension.restoreContext(), 50);
    await restored;
    clearInterval(retry);
  });
  await canvas!.waitForElementState("hidden");
  await mapIsSettled(page);
  expectAsApi(await compareDrawn(ocean));

  await page.getByTestId("map").evaluate(async (map) => {
    const canvas = map.querySelector(".maplibregl-canvas")!;
    // Frames come late, as with software rendering.
    const { requestAnimationFrame: inNextFrame } = window;
    const late: FrameRequestCallback[] = [];
    window.requestAnimationFrame = (callback) => late.push(callback);
    for (const bottom of ["60px", ""]) {
      const before = canvas.clientHeight;
      await new Promise<void>((done) => {
        new ResizeObserver((_, observer) => {
          if (canvas.clientHeight === before) return;
          observer.disconnect();
          done();
        }).observe(canvas);
        (map as HTMLElement).style.bottom = bottom;
      });
    }
    window.requestAnimationFrame = inNextFrame;
    for (const callback of late) inNextFrame(callback);
  });
  await mapIsSettled(page);
  expectAsApi(await compareDrawn(ocean));
});

test("the comparison detects a frame shifted by one cell", async () => {
  const page = probed.page();
  // The page keeps frames, so it is loaded again for those, and once more for the true ones.
  await page.goto("about:blank");
  await page.route("**/2DMetOcean/*frames/**", async (route) => {
    const reply = await route.fetch();
    const { grid, time, bands, values, perNode } = decodeFrame(await reply.body());
    const columns = grid.longitude.count;
    const shifted = bands.map((_, band) =>
      Int16Array.from({ length: grid.latitude.count * columns }, (_, node) => {
        const [row, column] = [Math.floor(node / columns), node % columns];
        return values[(row * columns + ((column + 1) % columns)) * perNode + band]!;
      }),
    );
    await route.fulfill({ body: Buffer.from(encodeFrame(grid, time, bands, shifted)) });
  });
  const { shown, share } = await compare(ocean);
  await page.goto("about:blank");
  expect(shown).toBeGreaterThan(PIXELS / 4);
  expect(share).toBeLessThan(0.9);
});

test("nothing is painted where the API has no value, and land has its own colour", async () => {
  const { range } = windSpeed;
  const scene = { latitude: HOLE.latitude, longitude: HOLE.longitude, zoom: 4 };
  const page = probed.page();
  await probed.show(`e2e&o=&c=${scene.latitude},${scene.longitude}&z=${scene.zoom}&t=${STEPS[0]}`);
  const pixels = await randomPixels(probed.page(), PIXELS, 7, scene);
  const answers = await postPoints(pixels, STEPS[0]);
  const absent = pixels.filter((_, index) => answers[index]?.Winds_10m_Intensity === null);
  expect(absent.length).toBeGreaterThan(50);
  expect(absent.filter((pixel) => probedValue(pixel, range) !== undefined)).toEqual([]);
  const present = pixels.filter((_, index) => answers[index]?.Winds_10m_Intensity !== null);
  const unpainted = present.filter((pixel) => probedValue(pixel, range) === undefined);
  // The graticule covers some pixels.
  expect(unpainted.length / present.length).toBeLessThan(0.03);

  const europe = { latitude: 48, longitude: 10, zoom: 4 };
  await probed.show(`e2e&o=&l=bathy&c=${europe.latitude},${europe.longitude}&z=${europe.zoom}&t=${STEPS[0]}`);
  const canvas = (await page.locator(".maplibregl-canvas").boundingBox())!;
  const places = [
    [48.1, 8.3],
    [49.3, 11.2],
    [47, 5],
    [49.9, 15],
  ].map(([latitude = 0, longitude = 0]) => {
    const { x, y } = project(latitude, longitude, europe, canvas);
    return { x: Math.round(x), y: Math.round(y) };
  });
  expect(await readPixels(page, places)).toEqual(places.map(() => [239, 231, 216]));
});

/** Layers of one colour each: the value, and what their frames hold. */
const plain: Record<string, readonly [value: number, bands: Record<string, number>]> = {
  wind: [9, { eastward_wind_10m: 9, northward_wind_10m: 0 }],
  wave: [
    3.2,
    {
      sea_surface_wave_significant_height: 3.2,
      sea_surface_wave_from_direction_x: -1,
      sea_surface_wave_from_direction_y: 0,
    },
  ],
  current: [0.6, { surface_eastward_sea_water_velocity: 0, surface_northward_sea_water_velocity: 0.6 }],
  sst: [17, { sea_surface_temperature: 17 }],
  wind_speed_over_34kn: [30, { wind_speed_over_34kn: 30 }],
};

test.describe("colours as readers see them", () => {
  const map = sharedMap({ width: 640, height: 480 }, false);

  for (const theme of themes) {
    test(`the legend has the colours of the map in the theme ${theme}`, async () => {
      const page = map.page();
      for (const [name, [value, bands]] of Object.entries(plain)) {
        await serveUniformField(page, name, bands);
        await map.show(`o=&l=${name}&c=35,-45&z=4&t=${STEPS[0]}&th=${theme}`);
        const bar = (await page.locator(".legend .colour-strip > i").boundingBox())!;
        const canvas = (await page.locator(".maplibregl-canvas").boundingBox())!;
        const [low, high] = paintedScale(name as PaintedName).range;
        const at = (share: number) => ({ x: bar.x + share * bar.width, y: bar.y + bar.height / 2 });
        const share = (value - low) / (high - low);
        const row = Array.from({ length: 41 }, (_, step) => 0.3 + step * 0.005);
        const sea = row.map((along) => ({
          x: canvas.x + canvas.width * along,
          y: canvas.y + canvas.height * 0.3,
        }));
        const [inLegend, beside, ...onSea] = await colours(page, [at(share), at(share + 0.15), ...sea]);
        const onMap = medianColour(onSea);
        // The bar blends between some of the colours.
        expect(contrast(onMap, inLegend!), name).toBeLessThan(8);
        expect(contrast(onMap, beside!), name).toBeGreaterThan(8);
      }
    });
  }
});

/** The median of each channel. Trails of particles and symbols cover some places of a uniform field. */
function medianColour(colours: readonly (readonly number[])[]): number[] {
  const middle = Math.floor(colours.length / 2);
  return [0, 1, 2].map((channel) => colours.map((bytes) => bytes[channel]!).sort((a, b) => a - b)[middle]!);
}

/** Largest difference of a channel. */
const contrast = (one: readonly number[], other: readonly number[]) =>
  Math.max(...one.map((byte, channel) => Math.abs(byte - other[channel]!)));

/** Colours of the screen at places in CSS pixels. */
async function colours(page: Page, places: readonly { x: number; y: number }[]): Promise<number[][]> {
  const shot = (await page.screenshot()).toString("base64");
  return page.evaluate(
    async ([picture, wanted]) => {
      const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
      pen.drawImage(bitmap, 0, 0);
      return wanted.map(({ x, y }) => [
        ...pen.getImageData(Math.floor(x), Math.floor(y), 1, 1).data.slice(0, 3),
      ]);
    },
    [shot, places] as const,
  );
}
