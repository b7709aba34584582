import { formatInstant } from "#lib/time.ts";
import { beginRun } from "#server/archive/writer.ts";
import { MEASURED_KEY } from "./measured-server.ts";

/** Weather clock of the measured servers. */
export const POINTS_START = 1_767_225_600;
const STEPS = 9;
const STEP_S = 10_800;

export const pointHeaders = { "content-type": "application/json", "x-api-key": MEASURED_KEY };

/** Each body has other places and times, so that no single answer is measured. */
export const pointBodies = Array.from({ length: 64 }, (_, index) =>
  JSON.stringify({
    points: [
      {
        latitude: ((index * 37) % 120) - 60 + 0.1,
        longitude: ((index * 61) % 340) - 170 + 0.1,
        timestamp: formatInstant(POINTS_START + ((index * 1700) % ((STEPS - 1) * STEP_S))),
      },
    ],
    variables: ["wind"],
  }),
);

/**
 * The panel's request for the hours of its chart, at one place and from some models. All hours lie within the run, as those
 * of a forecast do.
 *
 * @param hours Number of times; one of a single request.
 */
export const modelBody = (models: readonly string[], hours: number): string =>
  JSON.stringify({
    points: Array.from({ length: hours }, (_, hour) => ({
      latitude: 48.2,
      longitude: -18.1,
      timestamp: formatInstant(POINTS_START + Math.floor((hour / hours) * (STEPS - 1) * STEP_S)),
    })),
    variables: ["wind"],
    models,
    include_meta: hours > 1,
  });

/** Writes a smooth wind on a 1° globe. @param source Name of its model. */
export async function writeWind(folder: string, source = "gfs"): Promise<void> {
  const grid = {
    latitude: { start: -90, step: 1, count: 181 },
    longitude: { start: -180, step: 1, count: 360 },
  };
  const run = await beginRun(folder, {
    dataset: "Forecast",
    source,
    model: "benchmark 1°",
    referenceTime: POINTS_START,
    grid,
    times: Array.from({ length: STEPS }, (_, step) => POINTS_START + step * STEP_S),
  });
  for (const [field, phase] of [
    ["eastward_wind_10m", 0],
    ["northward_wind_10m", 1],
  ] as const) {
    await run.writeField(field, {}, async (step) =>
      Float32Array.from({ length: 181 * 360 }, (_, index) => 10 * Math.sin(index / 500 + phase + step)),
    );
  }
  await run.publish();
}
