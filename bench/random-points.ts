import type { PointColumns } from "#server/archive/reader.ts";
import { seeded } from "#test/seeded.ts";

/** The same points at each call, all over the world. @param from, to Bounds of their times, Unix seconds. */
export function randomPoints(count: number, from: number, to: number): PointColumns {
  const random = seeded(1);
  const column = (low: number, high: number) =>
    Float64Array.from({ length: count }, () => low + (high - low) * random());
  return { count, latitude: column(-90, 90), longitude: column(-180, 180), time: column(from, to) };
}
