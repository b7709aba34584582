import path from "node:path";
import type { Grid } from "#lib/field/grid.ts";
import { parseInstant } from "#lib/time.ts";
import { beginRun } from "#server/archive/writer.ts";

/** Weather clock of the browser tests. */
export const NOW = "2026-01-01T00:00:00Z";

/** Valid times of the archive that the tests draw. */
export const STEPS = ["2026-01-01T00:00:00Z", "2026-01-01T03:00:00Z", "2026-01-01T06:00:00Z"] as const;

/** A place without wind: the field has a hole there. */
export const HOLE = { latitude: -40, longitude: -130, radius: 8 } as const;

const STEP = 0.5;
const grid: Grid = {
  latitude: { start: -90, step: STEP, count: 361 },
  longitude: { start: -180, step: STEP, count: 720 },
};

/**
 * Writes an archive of a made-up wind into a data folder: steep enough that a shift of one cell shows, without a seam
 * at the antimeridian, with a hole in the South Pacific.
 */
export async function makeWorld(dataDir: string): Promise<void> {
  const times = STEPS.map(parseInstant);
  const run = await beginRun(path.join(dataDir, "archive"), {
    dataset: "Forecast",
    source: "gfs",
    model: "Test wind 0.5°",
    referenceTime: parseInstant(NOW),
    grid,
    times,
  });
  const write = (field: "eastward_wind_10m" | "northward_wind_10m", wind: Wind) =>
    run.writeField(field, {}, async (step) =>
      onGrid((latitude, longitude) => wind(latitude, longitude, step)),
    );
  await write(
    "eastward_wind_10m",
    (latitude, longitude, step) => 5 + 7 * Math.cos(17 * latitude + step) * Math.cos(24 * longitude),
  );
  await write(
    "northward_wind_10m",
    (latitude, longitude, step) => 3 + 6 * Math.sin(30 * longitude + 2 * step) * Math.cos(latitude),
  );
  await run.publish();
}

/** m s-1 at a place in radians. */
type Wind = (latitude: number, longitude: number, step: number) => number;

function onGrid(wind: (latitude: number, longitude: number) => number): Float32Array {
  const { latitude: rows, longitude: columns } = grid;
  const values = new Float32Array(rows.count * columns.count);
  const radians = Math.PI / 180;
  for (let row = 0, node = 0; row < rows.count; row++) {
    const latitude = rows.start + row * rows.step;
    for (let column = 0; column < columns.count; column++, node++) {
      const longitude = columns.start + column * columns.step;
      const away = Math.hypot(latitude - HOLE.latitude, longitude - HOLE.longitude);
      values[node] = away < HOLE.radius ? Number.NaN : wind(latitude * radians, longitude * radians);
    }
  }
  return values;
}
