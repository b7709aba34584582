import { useEffect } from "react";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { aroundGlobe, type Box, boxBetween, viewOfBox } from "#lib/geo/box.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { sharedState } from "./device-setting.ts";

/** What the map shows of the area of a form, and what is asked of the panel of downloads: part of neither link nor device. */
export interface DownloadArea {
  /** A form is open that takes a box: the map gets ready to draw. */
  isOpen: boolean;
  /** The area of the form; undefined while there is none. `east` is above `west`, beyond 180 across the antimeridian. */
  box: ViewBox | undefined;
  /** Its corners can be dragged. */
  isOwn: boolean;
  /** A drag over the map, or two clicks, make a new box. */
  isDrawing: boolean;
  /** The first of two clicks. */
  corner: Place | undefined;
  /** The panel is to make a file of the series at the sampled place, or at the saved ones. */
  wantsSeries: "point" | "places" | undefined;
}

const none: DownloadArea = {
  isOpen: false,
  box: undefined,
  isOwn: false,
  isDrawing: false,
  corner: undefined,
  wantsSeries: undefined,
};
const area = sharedState(none);
/** Of the open forms: the last takes the box that was drawn. */
const takers: ((box: ViewBox) => void)[] = [];

export const useDownloadArea = area.use;
export const showDownloadArea = area.change;

/** A drag over the map, or two clicks, make a box for the form that takes it. */
export const drawBox = (): void => area.change({ isDrawing: true, corner: undefined });

/** Frames a box on the map. @param isOwn Its corners can be dragged. */
export function useFramedBox(box: Box | undefined, isOwn: boolean): void {
  const { south, north, west, east } = box ?? {};
  useEffect(() => {
    const isBox = south !== undefined && north !== undefined && west !== undefined && east !== undefined;
    area.change({
      box: isBox ? viewOfBox({ south, north, west, east }) : undefined,
      isOwn: isBox && isOwn,
    });
  }, [south, north, west, east, isOwn]);
}

/** @param take Called with each box that is drawn or dragged. @returns Ends that, and takes the area off the map. */
export function takeDrawnBoxes(take: (box: ViewBox) => void): () => void {
  takers.push(take);
  // What another form had begun to draw is not for this one.
  showDownloadArea({ isOpen: true, isDrawing: false, corner: undefined });
  return () => {
    const isLast = takers.at(-1) === take;
    takers.splice(takers.lastIndexOf(take), 1);
    if (isLast) showDownloadArea({ ...none, isOpen: takers.length > 0 });
  };
}

/** A box was drawn on the map, or a corner dragged. */
export function giveDrawnBox(box: ViewBox): void {
  showDownloadArea({ corner: undefined, isDrawing: false });
  takers.at(-1)?.(aroundGlobe(box));
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
