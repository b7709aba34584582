import type { GpxList } from "./gpx.ts";
import { type ListProblem, problemsOf, usableLists } from "./list-problem.ts";
import { type ListedPoint, wrapped, wrongAxis } from "./point-list.ts";
import { lengthKm } from "./route-times.ts";

type Position = readonly [longitude: number, latitude: number];

/** A line or a point of a file of maps. */
export interface Shape {
  kind: "line" | "point";
  /** Empty where the file gives none. */
  name: string;
  /** NaN where the file has no number. */
  positions: readonly Position[];
}

/** Longest name of a point, characters. */
const MAX_NAME = 100;

/**
 * Lines as routes, and all points together as waypoints. Lines of fewer than two points are left out.
 *
 * @throws PointListError where no line and no point has a position.
 */
export function shapesToLists(shapes: readonly Shape[]): GpxList[] {
  const lines = shapes.filter(({ kind, positions }) => kind === "line" && positions.length > 1);
  const marks = shapes.flatMap(({ kind, name, positions: [position] }) =>
    kind === "point" && position ? [{ position, name: name.slice(0, MAX_NAME) }] : [],
  );
  return usableLists([
    ...lines.map(({ name, positions }, index) => {
      const list = listOf(
        "route",
        name,
        index + 1,
        positions.map((position) => ({ position, name: "" })),
      );
      return { ...list, km: lengthKm(list.points) };
    }),
    listOf("waypoints", "", 1, marks),
  ]);
}

function listOf(
  kind: GpxList["kind"],
  name: string,
  number: number,
  places: readonly { position: Position; name: string }[],
): GpxList {
  const points: ListedPoint[] = [];
  const problems: ListProblem[] = [];
  for (const [index, { position, name: called }] of places.entries()) {
    const [longitude, latitude] = position;
    const axis = wrongAxis(latitude, longitude);
    if (axis)
      problems.push({ code: "gpxAngle", axis, kind, name: name || undefined, number, point: index + 1 });
    else points.push({ latitude, longitude: wrapped(longitude), ...(called && { name: called }) });
  }
  const unread = problemsOf(problems);
  return { kind, name, points, km: 0, timesLeftOut: false, ...(unread && { unread }) };
}
