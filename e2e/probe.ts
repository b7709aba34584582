import type { Page } from "@playwright/test";
import { colourScales } from "#lib/catalog/colours.ts";

/** A pixel of the map, and where on earth its middle is. */
export interface Pixel {
  x: number;
  y: number;
  latitude: number;
  longitude: number;
  rgb: [red: number, green: number, blue: number];
}

const [low, high] = colourScales.wind.range;

/** Step of values that one entry of the probe ramp stands for, m s-1. */
export const QUANTUM = (high - low) / 255;

/** Waits until the finest field is drawn and nothing more is loading. */
export async function mapIsSettled(page: Page): Promise<void> {
  await page.waitForSelector('[data-settled="true"]');
  await page.waitForSelector('[data-testid="map"][data-idle="true"]');
  // The field is drawn by deck.gl in a frame of its own after MapLibre fell idle.
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
  await page.waitForSelector('[data-testid="map"][data-idle="true"]');
}

/** Name of the renderer that draws the map. */
export function rendererOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const gl = document.querySelector<HTMLCanvasElement>(".maplibregl-canvas")?.getContext("webgl2");
    const debug = gl?.getExtension("WEBGL_debug_renderer_info");
    return String(debug && gl?.getParameter(debug.UNMASKED_RENDERER_WEBGL));
  });
}

/**
 * Reads random pixels of the map.
 *
 * @param seed Same seed, same pixels.
 * @param centre Latitude and longitude of the middle of the map, and its zoom, as the URL has them.
 */
export async function randomPixels(
  page: Page,
  count: number,
  seed: number,
  centre: { latitude: number; longitude: number; zoom: number },
): Promise<Pixel[]> {
  const { width, height } = await page.locator(".maplibregl-canvas").evaluate((canvas) => ({
    width: (canvas as HTMLCanvasElement).width,
    height: (canvas as HTMLCanvasElement).height,
  }));
  const random = generator(seed);
  const places = Array.from({ length: count }, () => ({
    x: Math.floor(random() * width),
    y: Math.floor(random() * height),
  }));
  const colours = await readPixels(page, places);
  return places.map(({ x, y }, index) => ({
    x,
    y,
    ...unproject(x + 0.5 - width / 2, y + 0.5 - height / 2, centre),
    rgb: colours[index]!,
  }));
}

/** Where a place is on the canvas, in pixels from its top left. */
export function project(
  latitude: number,
  longitude: number,
  centre: { latitude: number; longitude: number; zoom: number },
  size: { width: number; height: number },
): { x: number; y: number } {
  const world = 512 * 2 ** centre.zoom;
  return {
    x: size.width / 2 + ((longitude - centre.longitude) / 360) * world,
    y: size.height / 2 - ((northing(latitude) - northing(centre.latitude)) / (2 * Math.PI)) * world,
  };
}

/** Value that a pixel of the probe ramp stands for; undefined where something else was drawn. */
export function probedValue({ rgb: [red, green, blue] }: Pixel): number | undefined {
  return green === 0 && blue === 255 ? low + red * QUANTUM : undefined;
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

/** Spherical Mercator, as the map draws it. */
function unproject(
  right: number,
  down: number,
  { latitude, longitude, zoom }: { latitude: number; longitude: number; zoom: number },
): { latitude: number; longitude: number } {
  const world = 512 * 2 ** zoom;
  const north = northing(latitude) - (down / world) * 2 * Math.PI;
  const east = longitude + (right / world) * 360;
  return {
    latitude: (Math.atan(Math.sinh(north)) * 180) / Math.PI,
    longitude: ((((east + 180) % 360) + 360) % 360) - 180,
  };
}

function northing(latitude: number): number {
  return Math.asinh(Math.tan((latitude * Math.PI) / 180));
}

/** mulberry32: small, and the same everywhere. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
