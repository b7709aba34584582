import type { Map as MapLibreMap } from "maplibre-gl";
import type { Place } from "#lib/geo/sphere.ts";
import type { DrawnApproach } from "./storm-shapes.ts";

/** Id of its layer. */
export const APPROACH_LABEL = "storm-approach-label";

/** Its widest line, em of 12 pixels. */
export const LABEL_EM = 14;
/** The room that it needs, CSS pixels. */
const LABEL = { width: 180, height: 70 };
/** The room of the chips along the upper edge of the map, CSS pixels. */
const CHIPS = 40;

type Anchor = `${"top" | "bottom"}${"" | "-left" | "-right"}` | "left" | "right";

interface Spot {
  x: number;
  y: number;
}

/** Gives the label of a closest approach its side. @param covered How much of the map lies below a panel, CSS pixels. */
export function placeApproachLabel(
  map: Pick<MapLibreMap, "getCenter" | "project" | "getLayoutProperty" | "setLayoutProperty">,
  { vessel, centre }: DrawnApproach,
  { clientWidth, clientHeight }: HTMLElement,
  { right, bottom }: { right: number; bottom: number },
): void {
  const near = map.getCenter().lng;
  const spotOf = ({ latitude, longitude }: Place) =>
    map.project([longitude + 360 * Math.round((near - longitude) / 360), latitude]);
  const room = { width: clientWidth - right, height: clientHeight - bottom };
  const anchor = approachAnchor(spotOf(vessel), spotOf(centre), room);
  if (map.getLayoutProperty(APPROACH_LABEL, "text-anchor") !== anchor)
    map.setLayoutProperty(APPROACH_LABEL, "text-anchor", anchor);
}

/**
 * Which side of its label the vessel of a closest approach has: the label stands away from the line to the storm, and where
 * the window ends within it. Pixels from the top left of the map.
 *
 * @param room What nothing covers of the map.
 */
export function approachAnchor(
  { x, y }: Spot,
  centre: Spot,
  room: { width: number; height: number },
): Anchor {
  const { width, height } = LABEL;
  const isBelow = y < CHIPS + height || (centre.y < y && y < room.height - height);
  const vertical = isBelow ? "top" : "bottom";
  if (isBelow !== centre.y > y) {
    const side = x < width / 2 ? "-left" : x > room.width - width / 2 ? "-right" : "";
    return `${vertical}${side}`;
  }
  // On the side of the line it gives way to that; where it cannot, it crosses it least at the height of the vessel.
  const [free, other] = centre.x > x ? (["right", "left"] as const) : (["left", "right"] as const);
  if (free === "right" ? x >= width : x <= room.width - width) return `${vertical}-${free}`;
  return y < CHIPS + height / 2 ? `${vertical}-${other}` : other;
}
