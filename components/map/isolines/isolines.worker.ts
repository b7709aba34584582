import { fetchLand } from "#components/map/fetch-land.ts";
import { landEdges, landIndex, type OnLand } from "#components/map/symbols/land-index.ts";
import type { FramePair } from "#lib/field/sample.ts";
import { type DrawnIsolines, drawIsolines, type IsolineView } from "./drawn-isolines.ts";
import type { IsolineStyle } from "./isoline-style.ts";

/** Draws isolines beside the page, so that contouring takes no time from drawing. */

/** To the worker: what shall be drawn. */
export interface IsolineRequest {
  id: number;
  pair: FramePair;
  set: IsolineStyle;
  view: IsolineView;
}

/** From the worker. */
export interface IsolineReply {
  id: number;
  drawn: DrawnIsolines;
}

self.addEventListener("message", ({ data }: MessageEvent<IsolineRequest>) => {
  void draw(data);
});

let land: Promise<OnLand> | undefined;

async function draw({ id, pair, set, view }: IsolineRequest): Promise<void> {
  // Without the outline of the land the lines are drawn all the same, and their text may be cut by a coast.
  land ??= fetchLand().then((outline) => landIndex(landEdges(outline)));
  const onLand = await land.catch(() => {
    land = undefined;
    return () => false;
  });
  self.postMessage({ id, drawn: drawIsolines(pair, set, view, onLand) } satisfies IsolineReply);
}
