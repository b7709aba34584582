import path from "node:path";
import type { Grid } from "@open-metocean/geo/grid";
import type { FieldName } from "#lib/catalog/fields.ts";
import { parseInstant } from "#lib/time.ts";
import { beginRun, type NewRun } from "#server/archive/writer.ts";

/** Weather clock of the browser tests. */
export const NOW = "2026-01-01T00:00:00Z";

/** Valid times of the archive that the tests draw. */
export const STEPS = ["2026-01-01T00:00:00Z", "2026-01-01T03:00:00Z", "2026-01-01T06:00:00Z"] as const;

/** A place where the wind has no values. */
export const HOLE = { latitude: -40, longitude: -130, radius: 8 } as const;

const STEP = 0.5;
const globe: Grid = {
  latitude: { start: -90, step: STEP, count: 361 },
  longitude: { start: -180, step: STEP, count: 720 },
};

/** A region across the antimeridian, of odd size at every level. */
const window: Grid = {
  latitude: { start: -30, step: STEP, count: 121 },
  longitude: { start: 145, step: STEP, count: 141 },
};

/**
 * Writes an archive into a data folder: a synthetic wind, steep enough to show a shift of one cell, continuous across
 * the antimeridian, with a hole in the South Pacific; gusts of a regional model; and a depth.
 */
export async function writeTestArchive(dataDir: string): Promise<void> {
  await writeRun(dataDir, "gfs", "Test wind 0.5°", globe, {
    eastward_wind_10m: (latitude, longitude, step) =>
      5 + 7 * Math.cos(17 * latitude + step) * Math.cos(24 * longitude),
    northward_wind_10m: (latitude, longitude, step) =>
      3 + 6 * Math.sin(30 * longitude + 2 * step) * Math.cos(latitude),
  });
  await writeRun(dataDir, "cmems", "Test gusts 0.5°", window, {
    wind_speed_of_gust: (latitude, longitude, step) =>
      18 + 14 * Math.cos(19 * latitude + step) * Math.cos(21 * longitude),
  });
  await writeRun(
    dataDir,
    "etopo",
    "Test depth 0.5°",
    globe,
    {
      sea_floor_depth_below_sea_surface: (latitude, longitude) =>
        3000 + 2900 * Math.cos(13 * latitude) * Math.cos(15 * longitude),
    },
    { dataset: "Static", times: [0] },
  );
}

/** Returns the value at a place in radians. */
type FieldFunction = (latitude: number, longitude: number, step: number) => number;

async function writeRun(
  dataDir: string,
  source: string,
  model: string,
  grid: Grid,
  fields: Partial<Record<FieldName, FieldFunction>>,
  rest: Pick<NewRun, "dataset" | "times"> = { dataset: "Forecast", times: STEPS.map(parseInstant) },
): Promise<void> {
  const run = await beginRun(path.join(dataDir, "archive"), {
    ...rest,
    source,
    model,
    referenceTime: parseInstant(NOW),
    grid,
  });
  for (const [field, valueAt] of Object.entries(fields)) {
    await run.writeField(field as FieldName, {}, async (step) =>
      onGrid(grid, (latitude, longitude) => valueAt(latitude, longitude, step)),
    );
  }
  await run.publish();
}

function onGrid(
  { latitude: rows, longitude: columns }: Grid,
  valueAt: (latitude: number, longitude: number) => number,
): Float32Array {
  const values = new Float32Array(rows.count * columns.count);
  const radians = Math.PI / 180;
  for (let row = 0, node = 0; row < rows.count; row++) {
    const latitude = rows.start + row * rows.step;
    for (let column = 0; column < columns.count; column++, node++) {
      const longitude = columns.start + column * columns.step;
      const away = Math.hypot(latitude - HOLE.latitude, longitude - HOLE.longitude);
      values[node] = away < HOLE.radius ? Number.NaN : valueAt(latitude * radians, longitude * radians);
    }
  }
  return values;
}
