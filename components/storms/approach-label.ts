import type { Place } from "@open-metocean/geo/sphere";
import type { ExpressionSpecification, Map as MapLibreMap } from "maplibre-gl";
import { roughWidth } from "#components/ui/chart.ts";
import type { DrawnApproach } from "./storm-shapes.ts";

/** Id of the label's layer. */
export const APPROACH_LABEL = "storm-approach-label";

/** Its font size, CSS pixels. */
const TEXT_SIZE = 12;
/** Its longest line, em. */
export const LABEL_EM = 14;
/** Distance of the label from its vessel, em. */
export const LABEL_GAP_EM = 0.8;

/** Room that the long label needs, CSS pixels. The map balances its lines, and may make them longer than `LABEL_EM`. */
const LONG = { width: 210, height: 70 };
/** Height of the short label, which is one line, CSS pixels. */
const SHORT_HEIGHT = 18;
/** A map of less room than this has the short label only, CSS pixels. */
const SMALL = { width: 500, height: 330 };
/** Height of the chips along the upper edge of the map, CSS pixels. */
const CHIPS = 30;
/** Length of lines below the label that still counts as none, CSS pixels. */
const GRAZED = 6;

/** The sides of the label on which the vessel may lie, preferred ones first. */
const anchors = [
  "bottom",
  "top",
  "right",
  "left",
  "bottom-left",
  "bottom-right",
  "top-left",
  "top-right",
] as const;

type Anchor = (typeof anchors)[number];

interface Spot {
  x: number;
  y: number;
}

interface Size {
  width: number;
  height: number;
}

/** A closest approach as drawn, CSS pixels from the top left of the map. */
interface Drawing {
  vessel: Spot;
  centre: Spot;
  /** The forecast track of the storm. */
  track: readonly Spot[];
}

/** Sets the text of a closest approach's label and its side. @param covered Part of the map below a panel, CSS pixels. */
export function placeApproachLabel(
  map: Pick<MapLibreMap, "getCenter" | "project" | "setLayoutProperty">,
  { vessel, centre, track, short }: DrawnApproach,
  { clientWidth, clientHeight }: HTMLElement,
  { right, bottom }: { right: number; bottom: number },
): void {
  const near = map.getCenter().lng;
  const spotOf = ({ latitude, longitude }: Place) =>
    map.project([longitude + 360 * Math.round((near - longitude) / 360), latitude]);
  const drawing = { vessel: spotOf(vessel), centre: spotOf(centre), track: track.map(spotOf) };
  const room = { width: clientWidth - right, height: clientHeight - bottom };
  const { anchor, label } = labelPlace(drawing, room, TEXT_SIZE * roughWidth(short));
  // The map does nothing where a property has this value already.
  map.setLayoutProperty(APPROACH_LABEL, "text-anchor", anchor);
  map.setLayoutProperty(APPROACH_LABEL, "text-field", labelText(label));
}

/** Expression for the text of the label. @param label Name of a property of the vessel's shape. */
export const labelText = (label: "label" | "short"): ExpressionSpecification => [
  "coalesce",
  ["get", label],
  "",
];

/**
 * Which label a closest approach has, and on which side of it its vessel lies. The label lies within the room, and
 * covers as little as possible of the line to the storm and of the storm's track. The short one is taken where there
 * is little room, or where the long one would cover a line.
 *
 * @param room The uncovered part of the map, CSS pixels.
 * @param width Width of the short label, CSS pixels.
 */
export function labelPlace(
  drawing: Drawing,
  room: Size,
  width: number,
): { anchor: Anchor; label: "label" | "short" } {
  const isSmall = room.width < SMALL.width || room.height < SMALL.height;
  const long = isSmall ? undefined : bestAnchor(drawing, LONG, room);
  if (long && long.covered <= GRAZED) return { anchor: long.anchor, label: "label" };
  const short = bestAnchor(drawing, { width, height: SHORT_HEIGHT }, room);
  if (long && (!short || long.covered <= short.covered)) return { anchor: long.anchor, label: "label" };
  return { anchor: short?.anchor ?? "bottom", label: "short" };
}

/** The side with the least length of covered lines; undefined if the label has room on no side. */
function bestAnchor({ vessel, centre, track }: Drawing, size: Size, room: Size) {
  const lines = [
    [vessel, centre] as const,
    ...track.slice(1).map((to, index) => [track[index]!, to] as const),
  ];
  let best: { anchor: Anchor; covered: number } | undefined;
  for (const anchor of anchors) {
    const box = boxOf(vessel, anchor, size);
    if (box.left < 0 || box.right > room.width || box.top < CHIPS || box.bottom > room.height) continue;
    const covered = lines.reduce((sum, [from, to]) => sum + lengthWithin(box, from, to), 0);
    if (covered < (best?.covered ?? Number.POSITIVE_INFINITY) - 1) best = { anchor, covered };
  }
  return best;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function boxOf({ x, y }: Spot, anchor: Anchor, { width, height }: Size): Box {
  const gap = LABEL_GAP_EM * TEXT_SIZE * (anchor.includes("-") ? Math.SQRT1_2 : 1);
  const left = anchor.endsWith("left") ? x + gap : anchor.endsWith("right") ? x - gap - width : x - width / 2;
  const top = anchor.startsWith("top")
    ? y + gap
    : anchor.startsWith("bottom")
      ? y - gap - height
      : y - height / 2;
  return { left, right: left + width, top, bottom: top + height };
}

/** Length of the part of a straight line that lies within a box. */
function lengthWithin({ left, right, top, bottom }: Box, from: Spot, to: Spot): number {
  const [x, y] = [to.x - from.x, to.y - from.y];
  let [enters, leaves] = [0, 1];
  for (const [start, way, low, high] of [
    [from.x, x, left, right],
    [from.y, y, top, bottom],
  ] as const) {
    if (way === 0) {
      if (start < low || start > high) return 0;
      continue;
    }
    const [one, other] = [(low - start) / way, (high - start) / way];
    enters = Math.max(enters, Math.min(one, other));
    leaves = Math.min(leaves, Math.max(one, other));
  }
  return Math.max(0, leaves - enters) * Math.hypot(x, y);
}
