import { variable } from "#lib/catalog/variables.ts";
import type { TaskBody } from "./task-requests.ts";

/** Zoom at which the world is about as wide as a screen, and the closest zoom of a link. */
const WORLD_ZOOM = 1;
const MAX_ZOOM = 9;

/** Link to the map at a task's result: its centre, first instant, layer and first point. */
export function mapLink({ kind, body }: TaskBody): string {
  const view = new URLSearchParams();
  if (kind === "MetOcean") {
    const [first] = body.points;
    if (!first) return "/";
    const layer = body.variables.find((name) => variable(name).layer !== false && !variable(name).static);
    const { latitude, longitude } = body.points[body.points.length >> 1] ?? first;
    const spans = spanOf(
      body.points.map((point) => point.latitude),
      body.points.map((point) => point.longitude),
    );
    view.set("c", `${latitude},${longitude}`);
    view.set("z", String(zoomFor(spans)));
    if (layer) view.set("l", layer);
    view.set("t", first.timestamp);
    view.set("p", `${first.latitude},${first.longitude}`);
  } else {
    const [box] = body.bounding_boxes;
    if (!box) return "/";
    const [south = 0, north = 0] = box.latitude;
    const [west = 0, east = 0] = box.longitude;
    const width = east >= west ? east - west : east - west + 360;
    const middle = west + width / 2;
    view.set("c", `${(south + north) / 2},${middle > 180 ? middle - 360 : middle}`);
    view.set("z", String(zoomFor(Math.max(north - south, width))));
    view.set("l", body.variable);
    view.set("t", typeof box.timestamp === "string" ? box.timestamp : (box.timestamp[0] ?? ""));
  }
  return `/?${view.toString().replaceAll("%2C", ",").replaceAll("%3A", ":")}`;
}

function zoomFor(degrees: number): number {
  return Math.max(WORLD_ZOOM, Math.min(MAX_ZOOM, Math.round(Math.log2(360 / Math.max(0.1, degrees)))));
}

/** Degrees that points span, the shorter way around. */
function spanOf(latitudes: readonly number[], longitudes: readonly number[]): number {
  const sorted = longitudes.map((degrees) => (degrees + 360) % 360).sort((one, other) => one - other);
  let gap = (sorted[0] ?? 0) + 360 - (sorted.at(-1) ?? 0);
  for (let index = 1; index < sorted.length; index++)
    gap = Math.max(gap, sorted[index]! - sorted[index - 1]!);
  let [south, north] = [90, -90];
  for (const latitude of latitudes) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return Math.max(360 - gap, north - south);
}
