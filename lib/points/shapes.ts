import type { GpxList } from "./gpx.ts";
import { type ListProblem, PointListError } from "./list-problem.ts";
import { type ListedPoint, wrapped, wrongAxis } from "./point-list.ts";
import { lengthKm } from "./route-times.ts";

/** A line or a point of a file of maps. */
export interface Shape {
  kind: "line" | "point";
  /** Empty where the file gives none. */
  name: string;
  positions: readonly (readonly [longitude: number, latitude: number])[];
}

/** Longest name of a point, characters. */
const MAX_NAME = 100;

/**
 * Lines as routes, and all points together as waypoints. Lines of fewer than two points are left out.
 *
 * @throws PointListError for an invalid position, or where there is neither.
 */
export function shapesToLists(shapes: readonly Shape[]): GpxList[] {
  const problems: ListProblem[] = [];
  const lines = shapes.filter(({ kind, positions }) => kind === "line" && positions.length > 1);
  const lists = lines.map((line, index): GpxList => {
    const points = line.positions.flatMap(([longitude, latitude], at) => {
      const axis = wrongAxis(latitude, longitude);
      if (axis) problems.push(wrong("route", line.name, index + 1, at + 1, axis));
      return axis ? [] : [{ latitude, longitude: wrapped(longitude) }];
    });
    return { kind: "route", name: line.name, points, km: lengthKm(points), timesLeftOut: false };
  });
  const marks = shapes.filter(({ kind, positions }) => kind === "point" && positions.length > 0);
  const points = marks.flatMap(
    ({ name, positions: [[longitude, latitude] = [Number.NaN, Number.NaN]] }, at) => {
      const axis = wrongAxis(latitude, longitude);
      if (axis) problems.push(wrong("waypoints", "", 1, at + 1, axis));
      const point: ListedPoint = {
        latitude,
        longitude: wrapped(longitude),
        ...(name && { name: name.slice(0, MAX_NAME) }),
      };
      return axis ? [] : [point];
    },
  );
  if (problems.length > 0) throw new PointListError(problems);
  if (points.length > 0) lists.push({ kind: "waypoints", name: "", points, km: 0, timesLeftOut: false });
  if (lists.length === 0) throw new PointListError([{ code: "noLists" }]);
  return lists;
}

function wrong(
  kind: GpxList["kind"],
  name: string,
  number: number,
  point: number,
  axis: "latitude" | "longitude",
): ListProblem {
  return { code: "gpxAngle", axis, kind, name, number, point };
}
