import { variable } from "#lib/catalog/variables.ts";
import { type Box, boxOfPlaces } from "#lib/geo/box.ts";
import { MAX_DRAWN_POINTS } from "./task-points.ts";
import type { TaskBody } from "./task-requests.ts";

/** Zoom at which the world is about as wide as a screen, and the closest zoom of a link. */
const WORLD_ZOOM = 1;
const MAX_ZOOM = 9;

/**
 * Link to the map at a task's result: its centre, first instant, layer and first point. The map reads the points of the task
 * by its id, and shows all of them.
 */
export function mapLink({ kind, body }: TaskBody, id: string): string {
  const view = new URLSearchParams();
  if (kind === "MetOcean") {
    const { points } = body;
    const [first] = points;
    // Of a long list some are enough.
    const every = Math.ceil(points.length / MAX_DRAWN_POINTS);
    const box = boxOfPlaces(points.filter((_, index) => index % every === 0));
    if (!first || !box) return "/";
    const layer = body.variables.find((name) => variable(name).layer !== false && !variable(name).static);
    const { middle, span } = centreOf(box);
    view.set("c", middle);
    // The map chooses the zoom for its own size; it does not draw longer lists.
    if (every === 1) view.set("task", id);
    else view.set("z", String(zoomFor(span)));
    if (layer) view.set("l", layer);
    view.set("t", first.timestamp);
    view.set("p", `${first.latitude},${first.longitude}`);
  } else {
    const [box] = body.bounding_boxes;
    if (!box) return "/";
    const [south = 0, north = 0] = box.latitude;
    const [west = 0, east = 0] = box.longitude;
    const { middle, span } = centreOf({ south, north, west, east });
    view.set("c", middle);
    view.set("z", String(zoomFor(span)));
    view.set("l", body.variable);
    view.set("t", typeof box.timestamp === "string" ? box.timestamp : (box.timestamp[0] ?? ""));
  }
  return `/?${view.toString().replaceAll("%2C", ",").replaceAll("%3A", ":")}`;
}

function zoomFor(degrees: number): number {
  return Math.max(WORLD_ZOOM, Math.min(MAX_ZOOM, Math.round(Math.log2(360 / Math.max(0.1, degrees)))));
}

/** Centre of a box, `latitude,longitude`, and the degrees that it spans. */
function centreOf({ south, north, west, east }: Box): { middle: string; span: number } {
  const width = east >= west ? east - west : east - west + 360;
  const longitude = west + width / 2;
  return {
    middle: `${(south + north) / 2},${longitude > 180 ? longitude - 360 : longitude}`,
    span: Math.max(north - south, width),
  };
}
