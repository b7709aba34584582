import type { Page } from "@playwright/test";
import { seeded } from "#test/seeded.ts";

/** A pixel of the map, and the place at its centre. */
export interface Pixel {
  x: number;
  y: number;
  latitude: number;
  longitude: number;
  rgb: [red: number, green: number, blue: number];
}

/** Centre and zoom of the map, as in the URL. */
export interface Camera {
  latitude: number;
  longitude: number;
  zoom: number;
  globe?: boolean;
}

/**
 * Uses the page, because before that only coarse frames are read, and waits until the finest field is drawn and nothing
 * is loading.
 */
export async function mapIsSettled(page: Page): Promise<void> {
  await viewIsDrawn(page);
  // This key has no effect of its own.
  await page.keyboard.press("Shift");
  await twoFrames(page);
  await viewIsDrawn(page);
}

/** Waits until everything is drawn that the page shows without being used. */
export async function viewIsDrawn(page: Page): Promise<void> {
  // Software rendering on a busy machine is slow to open a page.
  const idle = () => page.waitForSelector('[data-testid="map"][data-idle="true"]', { timeout: 90_000 });
  await page.waitForSelector('[data-settled="true"]', { timeout: 90_000 });
  // The page reports the last field before the map has it.
  await twoFrames(page);
  await idle();
  // deck.gl draws the field in a frame of its own after MapLibre is idle.
  await twoFrames(page);
  await idle();
}

/** Waits until a change is on the screen. */
export const twoFrames = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );

/** Name of the map's renderer. */
export function rendererOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const gl = document.querySelector<HTMLCanvasElement>(".maplibregl-canvas")?.getContext("webgl2");
    const debug = gl?.getExtension("WEBGL_debug_renderer_info");
    return String(debug && gl?.getParameter(debug.UNMASKED_RENDERER_WEBGL));
  });
}

/**
 * Reads random pixels of the map; on the globe only pixels that lie on it.
 *
 * @param seed The same seed gives the same pixels.
 */
export async function randomPixels(
  page: Page,
  count: number,
  seed: number,
  camera: Camera,
): Promise<Pixel[]> {
  const { width, height, perCssPixel } = await page.locator(".maplibregl-canvas").evaluate((element) => {
    const { width, height, clientWidth } = element as HTMLCanvasElement;
    return { width, height, perCssPixel: width / clientWidth };
  });
  const random = seeded(seed);
  const unproject = camera.globe ? unprojectGlobe : unprojectMercator;
  const places: Omit<Pixel, "rgb">[] = [];
  while (places.length < count) {
    const x = Math.floor(random() * width);
    const y = Math.floor(random() * height);
    const [right, down] = [x + 0.5 - width / 2, y + 0.5 - height / 2].map((it) => it / perCssPixel);
    const place = unproject(right!, down!, camera, height / perCssPixel);
    if (place) places.push({ x, y, ...place });
  }
  const colours = await readPixels(page, places);
  return places.map((place, index) => ({ ...place, rgb: colours[index]! }));
}

/** Position of a place on the canvas, pixels from its top left. */
export function project(
  latitude: number,
  longitude: number,
  centre: Camera,
  size: { width: number; height: number },
): { x: number; y: number } {
  const world = 512 * 2 ** centre.zoom;
  return {
    x: size.width / 2 + ((longitude - centre.longitude) / 360) * world,
    y: size.height / 2 - ((northing(latitude) - northing(centre.latitude)) / (2 * Math.PI)) * world,
  };
}

/**
 * Value that a pixel of the probe ramp encodes; undefined where something else was drawn.
 *
 * @param range Values at the ends of the ramp.
 */
export function probedValue(
  { rgb: [red, green, blue] }: Pixel,
  [low, high]: readonly [number, number],
): number | undefined {
  return green === 0 && blue === 255 ? low + (red * (high - low)) / 255 : undefined;
}

export async function readPixels(
  page: Page,
  places: { x: number; y: number }[],
): Promise<[number, number, number][]> {
  return page.evaluate((wanted) => {
    const canvas = document.querySelector<HTMLCanvasElement>(".maplibregl-canvas");
    const gl = canvas?.getContext("webgl2");
    if (!canvas || !gl) throw new Error("The map has no WebGL 2 canvas");
    const all = new Uint8Array(4 * canvas.width * canvas.height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, all);
    return wanted.map(({ x, y }) => {
      const at = 4 * ((canvas.height - 1 - y) * canvas.width + x);
      return [all[at] ?? 0, all[at + 1] ?? 0, all[at + 2] ?? 0] as [number, number, number];
    });
  }, places);
}

/** Spherical Mercator, as the map draws it. @param right Pixels from the middle, like `down`. */
function unprojectMercator(right: number, down: number, { latitude, longitude, zoom }: Camera) {
  const world = 512 * 2 ** zoom;
  const north = northing(latitude) - (down / world) * 2 * Math.PI;
  const east = longitude + (right / world) * 360;
  return {
    latitude: (Math.atan(Math.sinh(north)) * 180) / Math.PI,
    longitude: ((((east + 180) % 360) + 360) % 360) - 180,
  };
}

/** Vertical field of view of the camera over the globe, radians. */
const FIELD_OF_VIEW = 2 * Math.atan(1 / 3);

/** Cosine of the slant beyond which a pixel spans too much of the globe to represent a place. */
const SLANT = 0.25;

/**
 * Intersects a ray from the camera above the middle of the map with the globe. In the middle the scale equals that of
 * the Mercator map.
 *
 * @returns undefined off the globe, and at its limb.
 */
function unprojectGlobe(
  right: number,
  down: number,
  { latitude, longitude, zoom }: Camera,
  viewHeight: number,
) {
  const radians = Math.PI / 180;
  const radius = (512 * 2 ** zoom) / (2 * Math.PI * Math.cos(latitude * radians));
  const focus = viewHeight / 2 / Math.tan(FIELD_OF_VIEW / 2);
  const eye = radius + focus;
  // The ray is (0, 0, eye) + t · (right, −down, −focus), with x east, y north and z up at the middle of the map.
  const across = right * right + down * down;
  const a = across + focus * focus;
  const b = -eye * focus;
  const discriminant = b * b - a * (eye * eye - radius * radius);
  if (discriminant < 0) return undefined;
  const t = (-b - Math.sqrt(discriminant)) / a;
  const [x, y, z] = [(t * right) / radius, (-t * down) / radius, (eye - t * focus) / radius];
  const slant = (-x * right + y * down + z * focus) / Math.sqrt(a);
  if (slant < SLANT) return undefined;
  const up = z * Math.cos(latitude * radians) - y * Math.sin(latitude * radians);
  const east = longitude + Math.atan2(x, up) / radians;
  return {
    latitude: Math.asin(y * Math.cos(latitude * radians) + z * Math.sin(latitude * radians)) / radians,
    longitude: ((((east + 180) % 360) + 360) % 360) - 180,
  };
}

function northing(latitude: number): number {
  return Math.asinh(Math.tan((latitude * Math.PI) / 180));
}
