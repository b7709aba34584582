import type { ViewBox } from "@open-metocean/geo/box";
import { aroundGlobe, type Box, boxBetween, viewOfBox } from "@open-metocean/geo/box";
import type { Place } from "@open-metocean/geo/sphere";
import { useEffect } from "react";
import { sharedState } from "./shared-state.ts";

/**
 * The area of a form as the map shows it, and requests to the downloads panel; stored in neither link nor
 * device.
 */
export interface DownloadArea {
  /** A form that takes a box is open, so the map prepares for drawing. */
  isOpen: boolean;
  /**
   * The area of the form; undefined if there is none. `east` is greater than `west`, beyond 180 across the
   * antimeridian.
   */
  box: ViewBox | undefined;
  /** Its corners can be dragged. */
  isOwn: boolean;
  /** Dragging over the map, or two clicks, make a new box. */
  isDrawing: boolean;
  /** The first of two clicked corners. */
  corner: Place | undefined;
  /** The panel should make a file of the series at the sampled place, or at the saved ones. */
  wantsSeries: "point" | "places" | undefined;
  /** The panel should offer to save an area on the device. */
  wantsArea: boolean;
}

const none: DownloadArea = {
  isOpen: false,
  box: undefined,
  isOwn: false,
  isDrawing: false,
  corner: undefined,
  wantsSeries: undefined,
  wantsArea: false,
};
const area = sharedState(none);
/** Receivers of the open forms; the last one gets the drawn box. */
const takers: ((box: ViewBox) => void)[] = [];

export const useDownloadArea = area.use;
export const downloadArea = area.current;
export const showDownloadArea = area.change;

/** Starts drawing: dragging over the map, or two clicks, make a box for the form that takes it. */
export const drawBox = (): void => area.change({ isDrawing: true, corner: undefined });

/** Frames a box on the map. @param isOwn Whether its corners can be dragged. */
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

/**
 * @param take Called with each box that is drawn or dragged. @returns Function that ends this and removes the
 * area from the map.
 */
export function takeDrawnBoxes(take: (box: ViewBox) => void): () => void {
  takers.push(take);
  // A drawing that another form had begun does not apply to this one.
  showDownloadArea({ isOpen: true, isDrawing: false, corner: undefined });
  return () => {
    const isLast = takers.at(-1) === take;
    takers.splice(takers.lastIndexOf(take), 1);
    if (isLast) showDownloadArea({ ...none, isOpen: takers.length > 0 });
  };
}

/** Passes on a box that was drawn on the map, or whose corner was dragged. */
export function giveDrawnBox(box: ViewBox): void {
  showDownloadArea({ corner: undefined, isDrawing: false });
  takers.at(-1)?.(aroundGlobe(box));
}

/**
 * Handles a click while a box is drawn: its first corner, or the opposite one. @returns Whether the box is
 * complete.
 */
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
