import { fetchLand, type LandScale } from "#components/map/fetch-land.ts";
import { landEdges, landIndex, type OnLand } from "#components/map/symbols/land-index.ts";
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

const outlines = new Map<LandScale, Promise<OnLand>>();

/** The land that labels avoid; the coarse outline while the whole Earth is contoured. */
function landOf(scale: LandScale): Promise<OnLand> {
  const land = outlines.get(scale) ?? fetchLand(scale).then((outline) => landIndex(landEdges(outline)));
  outlines.set(scale, land);
  // Without the outline of the land the lines are drawn too, but a coast may cut through their labels.
  return land.catch(() => {
    outlines.delete(scale);
    return () => false;
  });
}

async function draw({ pair, set, view }: IsolineRequest): Promise<DrawnIsolines> {
  const onLand = await landOf(view.box ? "50m" : "110m");
  return drawIsolines(pair, set, view, onLand);
}
