import type { Place } from "@open-metocean/geo/sphere";
import type { Map as MapLibreMap } from "maplibre-gl";
import type { DrawnApproach } from "./storm-shapes.ts";

/** Id of the label's layer. */
export const APPROACH_LABEL = "storm-approach-label";

/** Its longest line, em of 12 pixels. */
export const LABEL_EM = 14;
/** Space that the label needs, CSS pixels. The map balances its lines, and may make them longer than `LABEL_EM`. */
const LABEL = { width: 210, height: 70 };
/** Space of the chips along the upper edge of the map, CSS pixels. */
const CHIPS = 40;

type Anchor = `${"top" | "bottom"}${"" | "-left" | "-right"}` | "left" | "right";

interface Spot {
  x: number;
  y: number;
}

/** Sets the side of a closest approach's label. @param covered Part of the map below a panel, CSS pixels. */
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
 * On which side of its label the vessel of a closest approach lies. The label lies away from the line to the
 * storm, and within the window. Pixels from the top left of the map.
 *
 * @param room The uncovered part of the map.
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
  // A label beside the line is placed on the side away from it. If there is no room, it crosses the line, and hides
  // least of it at the height of the vessel.
  const [free, other] = centre.x > x ? (["right", "left"] as const) : (["left", "right"] as const);
  if (free === "right" ? x >= width : x <= room.width - width) return `${vertical}-${free}`;
  return y < CHIPS + height / 2 ? `${vertical}-${other}` : other;
}
