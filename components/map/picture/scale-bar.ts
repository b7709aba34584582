import { type Camera, worldOf } from "#components/map/map-view.ts";
import { MILE_KM, RADIANS } from "#lib/geo/sphere.ts";
import type { Words } from "#lib/words/en.ts";

/** Longest bar, pixels. */
const MAX_WIDTH = 100;

/** Radius of the earth as MapLibre has it, km. */
const RADIUS = 6371.0088;

/** The scale along the middle parallel: a round number of nautical miles, and the pixels that it takes. */
export function scaleBar(camera: Camera, { catalog }: Words) {
  const perPixel = (2 * Math.PI * RADIUS * Math.cos(camera.centre.latitude * RADIANS)) / worldOf(camera);
  const most = (MAX_WIDTH * perPixel) / MILE_KM;
  const magnitude = 10 ** (String(Math.floor(most)).length - 1);
  const round = [10, 5, 3, 2, 1].find((step) => most / magnitude >= step) ?? 1;
  const miles = magnitude * round;
  return { text: `${miles} ${catalog.nauticalMile}`, width: (MAX_WIDTH * miles) / most };
}
