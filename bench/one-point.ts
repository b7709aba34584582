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

/** Writes a smooth wind on a 1° globe. */
export async function writeWind(folder: string): Promise<void> {
  const grid = {
    latitude: { start: -90, step: 1, count: 181 },
    longitude: { start: -180, step: 1, count: 360 },
  };
  const run = await beginRun(folder, {
    dataset: "Forecast",
    source: "gfs",
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
