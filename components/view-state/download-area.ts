import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { aroundGlobe, boxBetween } from "#lib/geo/box.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { sharedState } from "./device-setting.ts";

/** What the map shows of a download: it is part of neither link nor device. */
export interface DownloadArea {
  /** The panel of downloads is open: the map gets ready to draw. */
  isOpen: boolean;
  /** The area of the file; undefined while no download is prepared. `east` is above `west`, beyond 180 across the antimeridian. */
  box: ViewBox | undefined;
  /** Its corners can be dragged. */
  isOwn: boolean;
  /** A drag over the map, or two clicks, make a new box. */
  isDrawing: boolean;
  /** The first of two clicks. */
  corner: Place | undefined;
  /** The panel is to make a file of the series at the sampled place. */
  wantsSeries: boolean;
}

const none: DownloadArea = {
  isOpen: false,
  box: undefined,
  isOwn: false,
  isDrawing: false,
  corner: undefined,
  wantsSeries: false,
};
const area = sharedState(none);
/** Of the open panel: takes the box that was drawn. */
let taker: ((box: ViewBox) => void) | undefined;

export const useDownloadArea = area.use;
export const showDownloadArea = area.change;

/** @param take Called with each box that is drawn or dragged. @returns Ends that, and takes the area off the map. */
export function takeDrawnBoxes(take: (box: ViewBox) => void): () => void {
  taker = take;
  showDownloadArea({ isOpen: true });
  return () => {
    if (taker !== take) return;
    taker = undefined;
    showDownloadArea(none);
  };
}

/** A box was drawn on the map, or a corner dragged. */
export function giveDrawnBox(box: ViewBox): void {
  showDownloadArea({ corner: undefined, isDrawing: false });
  taker?.(aroundGlobe(box));
}

/** A click while a box is drawn: its first corner, or the one opposite. @returns Whether the box is complete. */
export function giveCorner(place: Place): boolean {
  const { corner } = area.current();
  const box = corner && boxBetween(corner, place);
  if (!box || box.north === box.south || box.east === box.west) {
    showDownloadArea({ corner: place });
    return false;
  }
  giveDrawnBox(box);
  return true;
}
