import { landIn, type OnLand, tileZoom } from "#components/map/land/land-tiles.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import { type DrawnIsolines, drawIsolines, type IsolineView } from "./drawn-isolines.ts";
import type { IsolineStyle } from "./isoline-style.ts";

/** Contours fields off the main thread. */

/** Message to the worker. */
export interface IsolineRequest {
  id: number;
  pair: FramePair;
  set: IsolineStyle;
  view: IsolineView;
}

/** Message from the worker. */
export interface IsolineReply {
  id: number;
  /** The lines, or the reason why there are none. */
  drawn: DrawnIsolines | Error;
}

self.addEventListener("message", async ({ data }: MessageEvent<IsolineRequest>) => {
  // The failure is posted too, because the map waits for an answer.
  const drawn = await draw(data).catch((error: unknown) => new Error(String(error)));
  self.postMessage({ id: data.id, drawn } satisfies IsolineReply);
});

/** The whole earth, and the zoom of the tiles that suffice for it: labels keep a distance from land. */
const [EARTH, EARTH_ZOOM] = [{ south: -90, north: 90, west: -180, east: 179.999 }, 1];

/** The land that labels avoid, by tiles of half the map's scale. */
function landOf({ box, pixelsPerDegree }: IsolineView): Promise<OnLand> {
  const land = box
    ? landIn(box, tileZoom(Math.log2((pixelsPerDegree * 360) / 512) - 1))
    : landIn(EARTH, EARTH_ZOOM);
  // Without the land the lines are drawn too, but a coast may cut through their labels.
  return land.catch(() => () => false);
}

async function draw({ pair, set, view }: IsolineRequest): Promise<DrawnIsolines> {
  return drawIsolines(pair, set, view, await landOf(view));
}
