import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Grid } from "@open-metocean/geo/grid";
import { onTestFinished } from "vitest";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { FILL } from "#lib/catalog/fill.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import type { WriterOptions } from "#server/archive/folder-publication.ts";
import { type ArchiveReader, openReader, type PointColumns } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import type { ChunkStore } from "#server/archive/store.ts";
import { beginRun, type NewRun } from "#server/archive/writer.ts";

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "archive-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A run of the Forecast dataset that begins on 2026-01-01 and has a step every three hours. */
export function newRun(grid: Grid, stepCount: number, source = "test"): NewRun {
  const referenceTime = Date.UTC(2026, 0, 1) / 1000;
  const times = Array.from({ length: stepCount }, (_, i) => referenceTime + i * 10_800);
  return { dataset: "Forecast", source, model: "Test 1°", referenceTime, grid, times };
}

/** A run of the wind on a globe of 30° by GFS, with some properties replaced. */
export function runOf({
  id = "r",
  source = "gfs",
  ...part
}: Partial<Run> & Pick<Run, "referenceTime" | "times">): Run {
  return {
    id,
    source,
    path: id,
    dataset: "Forecast",
    model: source,
    grid: { latitude: { start: -90, step: 30, count: 7 }, longitude: { start: -180, step: 30, count: 12 } },
    levels: [1],
    fields: { eastward_wind_10m: {}, northward_wind_10m: {} },
    ...part,
  };
}

/** Steps of a field by time index. An absent step has no data. */
export type Steps = readonly (Float32Array | undefined)[];

/** Publishes a run with some fields. */
export async function publish(
  root: string,
  run: NewRun,
  content: Partial<Record<FieldName, Steps>>,
  options?: WriterOptions,
  withFrames = false,
): Promise<Run> {
  const writer = await beginRun(root, run, options);
  for (const [name, steps] of Object.entries(content) as [FieldName, Steps][])
    await writer.writeField(name, {}, async (time) => steps[time]);
  if (withFrames) await writer.writeFrames();
  return writer.publish();
}

/** Nine nodes, with (1, 1) in the middle. */
export const NINE_NODES: Grid = {
  latitude: { start: 0, step: 1, count: 3 },
  longitude: { start: 0, step: 1, count: 3 },
};

/** Publishes a run of nine nodes whose air temperature is the same everywhere. */
export function publishConstant(
  root: string,
  value: number,
  source?: string,
  options?: WriterOptions,
): Promise<Run> {
  const content = { air_temperature: [new Float32Array(9).fill(value)] };
  return publish(root, newRun(NINE_NODES, 1, source), content, options);
}

/** Values that a reader gives for a field at places and times. */
export async function readValues(
  reader: Pick<ArchiveReader, "valuesAt">,
  run: Run,
  field: FieldName,
  rows: readonly (readonly [latitude: number, longitude: number, time: number])[],
  signal = new AbortController().signal,
): Promise<number[]> {
  const out = new Float64Array(rows.length);
  await reader.valuesAt(run, field, columnsOf(rows), undefined, out, signal);
  return [...out];
}

/** The value that a reader gives for a run of `publishConstant`. */
export async function readConstant(reader: Pick<ArchiveReader, "valuesAt">, run: Run): Promise<number> {
  const [value] = await readValues(reader, run, "air_temperature", [[1, 1, run.times[0]!]]);
  return value!;
}

/** Random values within ±30, with patches of land (NaN). */
export function randomSteps(grid: Grid, stepCount: number, random: () => number): Float32Array[] {
  const { latitude, longitude } = grid;
  const land = Array.from({ length: latitude.count * longitude.count }, () => random() < 0.15);
  return Array.from({ length: stepCount }, () =>
    Float32Array.from(land, (isLand) => (isLand ? Number.NaN : 60 * random() - 30)),
  );
}

/** A value after packing and unpacking. */
export function quantised(name: FieldName, value: number): number {
  const { scale, offset } = fields[name];
  const stored = Math.round((value - offset) / scale);
  return Math.abs(stored) > -FILL - 1 ? Number.NaN : stored * scale + offset;
}

/** Points from rows of latitude, longitude, time. */
export function columnsOf(rows: readonly (readonly [number, number, number])[]): PointColumns {
  return {
    count: rows.length,
    latitude: Float64Array.from(rows, ([latitude]) => latitude),
    longitude: Float64Array.from(rows, ([, longitude]) => longitude),
    time: Float64Array.from(rows, ([, , time]) => time),
  };
}

/** The archive folder in the form of a zarrita store, whose keys begin with a slash. */
export function readOnlyZarr(folder: string) {
  const store = directoryStore(folder);
  return {
    get: async (key: string) => store.get(key.slice(1)),
    getRange: async (key: string, range: { offset: number; length: number } | { suffixLength: number }) =>
      "suffixLength" in range
        ? store.getRange(key.slice(1), -range.suffixLength, range.suffixLength)
        : store.getRange(key.slice(1), range.offset, range.length),
  };
}

/** A store that answers asynchronously, as over a network. */
export function asyncStore(store: ChunkStore): ChunkStore {
  return {
    get: async (key) => store.get(key),
    getRange: async (key, offset, length) => store.getRange(key, offset, length),
  };
}

const SMALL_ARCHIVE_FIELD = "eastward_wind_10m";

/** A small archive, and five points of a field that is 5 everywhere. */
export async function smallArchive() {
  const region: Grid = {
    latitude: { start: 40, step: 0.25, count: 5 },
    longitude: { start: -10, step: 0.25, count: 3 },
  };
  const root = temporaryFolder();
  const fives = new Float32Array(15).fill(5);
  const run = await publish(root, newRun(region, 2), { [SMALL_ARCHIVE_FIELD]: [fives, fives] });
  const reader = openReader(directoryStore(root), { cacheBytes: 16 * 1024 * 1024 });
  const points = columnsOf([0, 1, 2, 3, 4].map((i) => [40.1 + i / 10, -9.9, run.times[0]! + i * 60]));
  return { root, run, reader, points };
}
