import { COARSE_ZOOM } from "#components/map/coarse-view.ts";
import type { Overlay } from "#components/view-state/overlays.ts";
import type { View } from "#components/view-state/view-url.ts";

/** What of the view decides whether a picture can stand for the map. */
export type PicturedView = Pick<View, "z" | "l" | "o" | "proj" | "cmp" | "storm" | "film" | "task" | "tab">;

/** What this device adds to a view. */
export interface DeviceView {
  /** A ship or the plan of a passage is on the map. */
  hasShip: boolean;
  hasPlan: boolean;
}

/** Whether a picture has an overlay: particles move, and lines of another field cost that field. */
const hasOverlay: Readonly<Record<Overlay, boolean>> = {
  barbs: true,
  arrows: true,
  isolines: true,
  isobars: false,
  heights: false,
  particles: false,
  names: true,
  storms: true,
  boxes: true,
  graticule: true,
};

/**
 * Whether the first view is a picture, and the map comes with the first use of the page: on the flat map, where coarse
 * frames and the small coast are enough, with one field, and without what is changed on the map or followed closely. In any
 * other view the map is loaded at once.
 */
export function isPictured(view: PicturedView, { hasShip, hasPlan }: DeviceView): boolean {
  const { z, o, proj, cmp, storm, film, task, tab } = view;
  return (
    proj === "mercator" &&
    z <= COARSE_ZOOM &&
    o.every((name) => hasOverlay[name]) &&
    cmp === null &&
    storm === null &&
    film === null &&
    task === null &&
    tab !== "passage" &&
    tab !== "download" &&
    !hasShip &&
    !hasPlan
  );
}
