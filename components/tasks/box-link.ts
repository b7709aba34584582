import type { VariableName } from "#lib/catalog/variables.ts";
import { map2dVariables, variable } from "#lib/catalog/variables.ts";
import type { Map2dVariable } from "#lib/contract/map2d.ts";
import { normaliseLongitude } from "#lib/field/grid.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { boxBytes, boxValues } from "./estimate.ts";
import type { TaskBody } from "./task-requests.ts";

/** Name of the box in a link; read by the browser alone, so that the server's pages do not differ by it. */
const BOX = "box";

/** What the map shows, for a task. Longitudes may continue past ±180. */
export interface TaskView {
  south: number;
  north: number;
  west: number;
  east: number;
  /** Unix seconds. */
  time: number;
}

/** The variable of a layer where a box of it can be asked for. */
export function boxVariable(layer: VariableName | undefined): Map2dVariable | undefined {
  return map2dVariables.find((name) => name === layer);
}

/** Sides of the box of a view, in tenths of a degree: outward, so that nothing in view is left out. */
function sidesOf(view: TaskView): [south: number, north: number, west: number, east: number] {
  const out = (degrees: number, round: (value: number) => number) => round(degrees * 10) / 10 + 0;
  const south = Math.max(-90, out(view.south, Math.floor));
  const north = Math.min(90, out(view.north, Math.ceil));
  if (view.east - view.west >= 359.8) return [south, north, -180, 180];
  const [west, east] = [out(view.west, Math.floor), out(view.east, Math.ceil)];
  const within = (degrees: number) => Number(normaliseLongitude(degrees).toFixed(1));
  return [south, north, within(west), within(east)];
}

/** Estimated values and bytes of JSON of a box of the view, at its time. */
export function boxEstimate(name: Map2dVariable, view: TaskView): { values: number; bytes: number } {
  const [south, north, west, east] = sidesOf(view);
  const values = boxValues([south, north], [west, east], 0, variable(name).outputs.length);
  return { values, bytes: boxBytes(values) };
}

/** Link to the form for a box task, filled in with a view. The key is not part of it. */
export function boxLink(name: Map2dVariable, view: TaskView): string {
  const query = new URLSearchParams({
    [BOX]: sidesOf(view).join(","),
    l: name,
    t: formatInstant(view.time),
  });
  return `/tasks?${query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":")}`;
}

/** The task that such a link fills in; undefined for any other query. */
export function boxOfLink(search: string): TaskBody | undefined {
  const query = new URLSearchParams(search);
  const sides = query.get(BOX)?.split(",").map(Number);
  const name = boxVariable((query.get("l") ?? undefined) as VariableName | undefined);
  const time = parseInstant(query.get("t") ?? "");
  if (sides?.length !== 4 || !sides.every(Number.isFinite) || !name || Number.isNaN(time)) return undefined;
  const [south = 0, north = 0, west = 0, east = 0] = sides;
  if (Math.abs(south) > 90 || Math.abs(north) > 90 || south > north) return undefined;
  if (Math.abs(west) > 180 || Math.abs(east) > 180) return undefined;
  return {
    kind: "2DMetOcean",
    body: {
      variable: name,
      bounding_boxes: [{ latitude: [south, north], longitude: [west, east], timestamp: formatInstant(time) }],
    },
  };
}
