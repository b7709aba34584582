import type { Place } from "@open-metocean/geo/sphere";
import type { WorkabilityRequest } from "#lib/contract/workability.ts";

export type WorkArea = WorkabilityRequest["area"];

/** Rows and columns of the places in a box, from the south and from the west, degrees. */
function gridOf(area: Extract<WorkArea, { type: "box" }>) {
  const [south, north] = area.latitude as [number, number];
  const [west, east] = area.longitude as [number, number];
  const width = west > east ? east + 360 - west : east - west;
  const along = (from: number, length: number) => {
    const steps = Math.ceil(length / area.spacing_deg - 1e-9);
    return { from, length, steps, count: steps + 1 };
  };
  const columns = along(west, width);
  // Around the whole globe the last meridian equals the first and is left out.
  return {
    rows: along(south, north - south),
    columns: width === 360 ? { ...columns, count: columns.steps } : columns,
  };
}

/** Number of places, computed without creating them, because a box may have millions. */
export function placeCount(area: WorkArea): number {
  if (area.type === "point") return 1;
  const { rows, columns } = gridOf(area);
  return rows.count * columns.count;
}

/** The sampled places: the point itself, or evenly spaced places from edge to edge of the box. */
export function workPlaces(area: WorkArea): Place[] {
  if (area.type === "point") return [{ latitude: area.latitude, longitude: area.longitude }];
  const { rows, columns } = gridOf(area);
  const along = ({ from, length, steps, count }: typeof rows) =>
    Array.from({ length: count }, (_, at) =>
      Number((from + (steps === 0 ? 0 : (at / steps) * length)).toFixed(6)),
    );
  return along(rows).flatMap((latitude) =>
    along(columns).map((longitude) => ({
      latitude,
      longitude: longitude >= 180 ? longitude - 360 : longitude,
    })),
  );
}
