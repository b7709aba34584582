import type { Camera } from "#components/map/map-view.ts";
import { RADIANS } from "#lib/geo/sphere.ts";
import type { Words } from "#lib/words/en.ts";

/** Longest bar, pixels. */
const MAX_WIDTH = 100;

/** Radius of the earth as MapLibre has it, and a nautical mile; metres. */
const [RADIUS, MILE] = [6371008.8, 1852];

/** The scale along the middle parallel: a round number of nautical miles, and the pixels that it takes. */
export function scaleBar({ zoom, centre }: Camera, { catalog }: Words) {
  const perPixel = (2 * Math.PI * RADIUS * Math.cos(centre.latitude * RADIANS)) / (512 * 2 ** zoom);
  const most = (MAX_WIDTH * perPixel) / MILE;
  const magnitude = 10 ** (String(Math.floor(most)).length - 1);
  const round = [10, 5, 3, 2, 1].find((step) => most / magnitude >= step) ?? 1;
  const miles = magnitude * round;
  return { text: `${miles} ${catalog.nauticalMile}`, width: (MAX_WIDTH * miles) / most };
}
