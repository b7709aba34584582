import type { ListedTask, TaskKind } from "#lib/contract/task.ts";

/** Points, or values of a map, per second: assumed until a task has shown how fast this server is. */
const DEFAULT_SPEED: Record<TaskKind, number> = { MetOcean: 20_000, "2DMetOcean": 3_000_000 };

/** Bytes of JSON for a point without fields, one field of a point, one value of a map. */
const POINT_BYTES = 95;
const FIELD_BYTES = 32;
const VALUE_BYTES = 5;

/** Grid step of the models that serve boxes, degrees. */
const GRID_DEGREES = 0.25;

/** Estimated rows × columns × steps × fields of a box. @param hours 0 for one instant. */
export function boxValues(
  [south, north]: readonly [number, number],
  [west, east]: readonly [number, number],
  hours: number,
  fields: number,
): number {
  const width = east >= west ? east - west : east - west + 360;
  const rows = Math.floor((north - south) / GRID_DEGREES) + 1;
  const columns = Math.min(360 / GRID_DEGREES, Math.floor(width / GRID_DEGREES) + 1);
  return rows * columns * (Math.floor(hours) + 1) * fields;
}

export function pointBytes(points: number, fields: number): number {
  return points * (POINT_BYTES + fields * FIELD_BYTES);
}

export function boxBytes(values: number): number {
  return values * VALUE_BYTES;
}

/** Estimated duration of a task, by the median speed of those that are done. */
export function runSeconds(kind: TaskKind, size: number, done: readonly ListedTask[]): number {
  const speeds = done
    .filter((task) => task.kind === kind && task.status === "SUCCESS" && task.started_at && task.finished_at)
    .map(
      (task) =>
        task.size / Math.max(0.2, (Date.parse(task.finished_at!) - Date.parse(task.started_at!)) / 1000),
    )
    .sort((one, other) => one - other);
  return size / (speeds[speeds.length >> 1] ?? DEFAULT_SPEED[kind]);
}

/** `a few seconds`, `about 40 s`, `about 3 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 5) return "a few seconds";
  if (seconds < 90) return `about ${5 * Math.round(seconds / 5)} s`;
  return seconds < 5400 ? `about ${Math.round(seconds / 60)} min` : `about ${Math.round(seconds / 3600)} h`;
}
