import type { Grid } from "@open-metocean/geo/grid";
import { expect } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { type Output, variable } from "#lib/catalog/variables.ts";
import { type MapRequest, mapRequest } from "#lib/contract/map2d.ts";
import { pointRequest } from "#lib/contract/point.ts";
import { valueOfEntry } from "#lib/field/map-field.ts";
import { formatInstant } from "#lib/time.ts";
import { openCatalog, withSources } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { openReader } from "#server/archive/reader.ts";
import type { NewRun } from "#server/archive/writer.ts";
import { knownSources } from "#server/context/sources.ts";
import { answerBox } from "#server/metocean/box.ts";
import { type BoxQuestion, type MapSizeLimit, mapQuestion } from "#server/metocean/box-plan.ts";
import type { MapSource } from "#server/metocean/box-read.ts";
import { answerPoints } from "#server/metocean/points.ts";
import { publish, randomSteps, temporaryFolder } from "./archive.ts";
import { seeded } from "./seeded.ts";

export const HOUR = 3600;
export const DAY = 24 * HOUR;
export const base = Date.UTC(2026, 0, 1) / 1000;
export const now = base + 2 * DAY;
const { signal } = new AbortController();

export const globe: Grid = {
  latitude: { start: -90, step: 2, count: 91 },
  longitude: { start: -180, step: 2, count: 180 },
};
/** A coarser, cell-centred grid. */
export const coarse: Grid = {
  latitude: { start: -87.5, step: 5, count: 36 },
  longitude: { start: -177.5, step: 5, count: 72 },
};
/** A grid across the antimeridian whose steps have no exact binary representation. */
export const pacific: Grid = {
  latitude: { start: -20, step: 1 / 3, count: 121 },
  longitude: { start: 160, step: 1 / 3, count: 121 },
};

export const wind: FieldName[] = ["eastward_wind_10m", "northward_wind_10m"];
export const wave: FieldName[] = [
  "sea_surface_wave_from_direction_x",
  "sea_surface_wave_from_direction_y",
  "sea_surface_wave_significant_height",
  "sea_surface_wave_mean_period",
];

interface Published extends Partial<NewRun> {
  grid: Grid;
  fields: FieldName[];
  /** Times of the steps, hours after `base`. */
  hours: number[];
}

/** An archive on disk with runs of random values and patches of land. */
export async function archiveOf(runs: readonly Published[], root = temporaryFolder()): Promise<MapSource> {
  const random = seeded(11);
  for (const { fields, hours, ...part } of runs) {
    const times = hours.map((hour) => base + hour * HOUR);
    const run: NewRun = {
      dataset: "Forecast",
      source: "gfs",
      model: "Test",
      referenceTime: base,
      times,
      ...part,
    };
    const content = fields.map((name) => {
      const unit = name.includes("direction") ? 1 / 30 : 1;
      const steps = randomSteps(run.grid, hours.length, random);
      // Waves have no negative heights. The components of the wind are small in places, so that there are calms.
      for (const step of steps)
        for (let i = 0; i < step.length; i++)
          step[i] =
            name.includes("height") || name.includes("period")
              ? Math.abs(step[i]!) / 10
              : (step[i]! * unit) ** 3 / 900;
      return [name, steps] as const;
    });
    await publish(root, run, Object.fromEntries(content));
  }
  const store = directoryStore(root);
  const reader = openReader(store, { cacheBytes: 32 * 2 ** 20 });
  return {
    ...withSources(openCatalog(store), knownSources({})),
    valuesAt: (...args) => reader.valuesAt(...args),
    mapStep: (...args) => reader.mapStep(...args),
  };
}

export type Box = {
  latitude: [number, number];
  longitude: [number, number];
  timestamp: string | [string, string];
};

export const at = (hour: number) => formatInstant(base + hour * HOUR);

/** Answers like POST /2DMetOcean. */
export function answerMap(
  source: MapSource,
  request: MapRequest,
  now: number,
  limit: MapSizeLimit,
  signal: AbortSignal,
) {
  const { include_meta } = request;
  return answerBox(source, mapQuestion(request), now, signal, { limit, isJson: true, include_meta });
}

export function ask(source: MapSource, box: Partial<Box>, part: Partial<MapRequest> = {}, max = 1e7) {
  const whole = { latitude: [-90, 90], longitude: [-180, 180], timestamp: at(3), ...box };
  const request = mapRequest.parse({ bounding_boxes: [whole], variable: "wind", ...part });
  return answerMap(source, request, now, { max, instead: "or as a task" }, signal);
}

export type Rows = (number | null)[][];

interface Read {
  coordinates: { latitude: number[]; longitude: number[]; timestamp: string | string[] };
  conditions: Record<string, Rows | Rows[]>;
}

export function read(answer: Awaited<ReturnType<typeof ask>>): Read {
  const text = Buffer.concat([...answer.results.pieces()]).toString();
  const [result] = JSON.parse(text) as Read[];
  expect(JSON.stringify([result])).toBe(text);
  return result!;
}

/** The whole globe at 3 h. */
export const everywhere = {
  box: { south: -90, north: 90, west: -180, east: 180 },
  from: base + 3 * HOUR,
  to: base + 3 * HOUR,
};

/** Compares every node of a box with the answer of POST /MetOcean's function, value by value. */
export async function expectPointsToAgree(
  source: MapSource,
  { variables, ...part }: Partial<BoxQuestion> & Pick<BoxQuestion, "variables">,
) {
  const question = { ...everywhere, ...part, variables };
  const limit = { max: 1e8, instead: "" };
  const { field, meta } = await answerBox(source, question, now, signal, { limit, include_meta: true });
  const { latitude, longitude, times, outputs } = field;
  const points = times.flatMap((timestamp) =>
    [...latitude].flatMap((lat) =>
      [...longitude].map((lon) => ({ latitude: lat, longitude: lon, timestamp })),
    ),
  );
  const request = pointRequest(1e7).parse({ points, variables, wind_height: question.windHeight });
  const { results } = await answerPoints(source, request, now, signal);
  const rows = [...new Set(variables)].flatMap((name): readonly Output[] => variable(name).outputs);
  expect(outputs.map(({ name }) => name)).toEqual(rows.map(({ map2d, point }) => map2d ?? point));
  let [valued, differing] = [0, 0];
  for (const [i, { entries, decimals }] of outputs.entries())
    for (const [at, { conditions }] of results.entries()) {
      const value = valueOfEntry(entries[at]!, decimals);
      if (!Number.isNaN(value)) valued++;
      if (!Object.is(Number.isNaN(value) ? null : value, conditions[rows[i]!.point])) differing++;
    }
  expect(differing).toBe(0);
  return { field, meta: meta!, valued, total: results.length * outputs.length };
}
