import { type Grid, strided } from "@open-metocean/geo/grid";
import { LRUCache } from "lru-cache";
import { type FieldName, fieldNames, fields, fieldsOf } from "#lib/catalog/fields.ts";
import { FILL } from "#lib/catalog/fill.ts";
import { windField, windHeights } from "#lib/catalog/wind.ts";
import { type GridPart, partGrid } from "#lib/field/frame-chunks.ts";
import { pack } from "#server/archive/field-writer.ts";
import { chunkCounts, levelGrid, mapChunk, type Shape } from "#server/archive/layout.ts";
import type { Run } from "#server/archive/run.ts";
import { crc32c } from "#server/archive/shard.ts";
import type { MemberAxis } from "#server/archive/zarr-metadata.ts";
import { currents } from "./fields/currents.ts";
import { invented } from "./fields/invented.ts";
import { airTemperature, seaSurfaceTemperature } from "./fields/temperature.ts";
import { waves } from "./fields/waves.ts";
import { gust, weather } from "./fields/weather.ts";
import { atmosphere, windAtHeight } from "./fields/wind.ts";
import { nodesOf, type Patch, sample, seaOnly, worldGrid } from "./math/grid.ts";
import { demoRunOf, weatherTime } from "./runs.ts";
import type { World } from "./static/world.ts";

/** Values of stored fields over a patch, in the units of the catalog: (rows, columns), south to north, NaN = missing. */
export type Values = Partial<Record<FieldName, Float32Array>>;

export interface FieldGroup {
  fields: readonly FieldName[];
  compute(world: World, patch: Patch): Values;
}

/** Shallowest sea, metres, so that interpolation near a coast does not give a depth near 0. */
const MIN_DEPTH = 3;

/** Fields with rules of their own. Winds above 10 m form a separate group, because they are rarely requested. */
const ruledGroups: readonly FieldGroup[] = [
  {
    fields: ["air_pressure_at_mean_sea_level", "eastward_wind_10m", "northward_wind_10m"],
    compute(world, patch) {
      const { pressure, eastward, northward } = atmosphere(world, patch);
      return {
        air_pressure_at_mean_sea_level: pressure,
        eastward_wind_10m: eastward,
        northward_wind_10m: northward,
      };
    },
  },
  ...windHeights
    .filter((height) => height !== 10)
    .map((height): FieldGroup => {
      const [east, north] = [windField("eastward", height), windField("northward", height)];
      return {
        fields: [east, north],
        compute(world, patch) {
          const { eastward, northward } = windAtHeight(world, patch, height);
          return { [east]: eastward, [north]: northward };
        },
      };
    }),
  {
    fields: ["wind_speed_of_gust"],
    compute: (world, patch) => ({ wind_speed_of_gust: gust(world, patch) }),
  },
  {
    fields: ["precipitation_flux", "cloud_area_fraction", "atmosphere_convective_available_potential_energy"],
    compute(world, patch) {
      const { rain, cloud, cape } = weather(world, patch);
      return {
        precipitation_flux: rain,
        cloud_area_fraction: cloud,
        atmosphere_convective_available_potential_energy: cape,
      };
    },
  },
  {
    fields: ["air_temperature"],
    compute: (world, patch) => ({ air_temperature: airTemperature(world, patch) }),
  },
  { fields: [...fieldsOf("wave"), ...fieldsOf("extra_wave")], compute: waves },
  {
    fields: ["surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"],
    compute: (world, patch) => ({ ...currents(world, patch) }),
  },
  {
    fields: ["sea_surface_temperature"],
    compute: (world, patch) => ({ sea_surface_temperature: seaSurfaceTemperature(world, patch) }),
  },
  {
    fields: ["sea_floor_depth_below_sea_surface"],
    compute({ static: { depth, land } }, { grid }) {
      const nodes = nodesOf(grid);
      const metres = sample(depth, worldGrid, nodes).map((value) => Math.max(MIN_DEPTH, value));
      return { sea_floor_depth_below_sea_surface: seaOnly(land, nodes, metres) };
    },
  },
];

const ruled = new Set(ruledGroups.flatMap((group) => group.fields));

/**
 * Groups of all fields of the catalog, each field in exactly one. A new field gets a group even before it has a rule.
 */
export const fieldGroups: readonly FieldGroup[] = [
  ...ruledGroups,
  ...fieldNames
    .filter((field) => !ruled.has(field))
    .map(
      (field): FieldGroup => ({
        fields: [field],
        compute: (world, patch) => ({ [field]: invented(field, world, patch) }),
      }),
    ),
];

const groups = new Map(fieldGroups.flatMap((group) => group.fields.map((field) => [field, group] as const)));

export function groupOf(field: FieldName): FieldGroup {
  return groups.get(field)!;
}

/** One array of the demo: a field of a run in one layout. */
export interface DemoArray {
  run: Run;
  field: FieldName;
  /** 0 for the points layout, otherwise the stride of the level. */
  stride: number;
  shape: Shape;
  chunk: Shape;
  members?: MemberAxis;
  /** Fields of the run that are computed together with this one, including it. */
  together: FieldName[];
}

const CRC_BYTES = 4;
const CELL_BYTES = 8;

/** A chunk has few steps, because finding the weather systems of an hour costs more than computing its nodes. */
const POINT_CHUNK: Shape = [2, 16, 16];

/**
 * The array of a folder `runs/<id>/points/<field>` or `runs/<id>/maps/<stride>/<field>`.
 *
 * @returns undefined if the demo has no such array.
 */
export function demoArray(folder: string): DemoArray | undefined {
  const match = /^runs\/([^/]+)\/(?:points|maps\/([1-9]\d*))\/([^/]+)$/.exec(folder);
  const run = match && demoRunOf(match[1]!);
  const field = match?.[3] as FieldName;
  if (!run || !Object.hasOwn(run.fields, field)) return undefined;
  const stride = Number(match[2] ?? 0);
  if (stride !== 0 && !run.levels.includes(stride)) return undefined;
  const { latitude, longitude } = run.grid;
  const rows = strided(latitude, stride || 1).count;
  const columns = strided(longitude, stride || 1).count;
  const shape: Shape = [run.times.length, rows, columns];
  const together = groupOf(field).fields.filter((name) => Object.hasOwn(run.fields, name));
  return { run, field, stride, shape, chunk: stride === 0 ? POINT_CHUNK : mapChunk(shape), together };
}

export function chunkCount({ shape, chunk }: DemoArray): number {
  return chunkCounts(shape, chunk).reduce((product, count) => product * count, 1);
}

/** Size of every chunk of an array, with its checksum, bytes. */
export function chunkBytes({ chunk }: DemoArray): number {
  return 2 * chunk[0] * chunk[1] * chunk[2] + CRC_BYTES;
}

/**
 * Items to compute: chunks by their numbers in C order, or cells as in `ChunkStore.getCells`, with three numbers each.
 */
export interface Task {
  folder: string;
  items: { chunks: number[] } | { cells: Int32Array };
  /** Set to 1 when the result is no longer needed. */
  stopped: Int32Array<SharedArrayBuffer>;
}

/**
 * All items of the task for each of `fields`, one after another: chunks as stored, or the int16 values of four corners.
 */
export interface Computed {
  fields: FieldName[];
  bytes: Uint8Array<ArrayBuffer>;
}

/** @returns undefined if it was stopped before the last item. */
export function compute(world: World, { folder, items, stopped }: Task): Computed | undefined {
  const array = demoArray(folder);
  if (!array) throw new RangeError(`The demo world has no ${folder}`);
  const isChunks = "chunks" in items;
  const count = isChunks ? items.chunks.length : items.cells.length / 3;
  const length = isChunks ? chunkBytes(array) : CELL_BYTES;
  const { together } = array;
  const bytes = new Uint8Array(together.length * count * length);
  for (let item = 0; item < count; item++) {
    if (Atomics.load(stopped, 0) !== 0) return undefined;
    const outs = together.map((_, place) => {
      const at = (place * count + item) * length;
      return bytes.subarray(at, at + length);
    });
    if (isChunks) computeChunk(world, array, items.chunks[item]!, outs);
    else computeCell(world, array, items.cells.subarray(3 * item, 3 * item + 3), outs);
  }
  return { fields: together, bytes };
}

/** Computes one chunk of all fields that are computed together, each with its crc32c, as a file would contain it. */
function computeChunk(world: World, array: DemoArray, number: number, outs: readonly Uint8Array[]): void {
  const { run, shape, chunk, together } = array;
  const [, chunkRows, chunkColumns] = chunkCounts(shape, chunk);
  const firstStep = Math.floor(number / (chunkRows * chunkColumns)) * chunk[0];
  const row = (Math.floor(number / chunkColumns) % chunkRows) * chunk[1];
  const column = (number % chunkColumns) * chunk[2];
  const rows = Math.min(chunk[1], shape[1] - row);
  const columns = Math.min(chunk[2], shape[2] - column);
  const grid = gridOf(run, array.stride || 1, { row, rows, column, columns });
  const stored = together.map(() => new Int16Array(chunk[0] * chunk[1] * chunk[2]).fill(FILL));
  const steps = run.fields[array.field]?.steps;
  for (let step = firstStep; step < Math.min(firstStep + chunk[0], shape[0]); step++) {
    if (steps && !steps.includes(step)) continue;
    for (const [place, packed] of packedAt(world, array, grid, step).entries()) {
      const at = (step - firstStep) * chunk[1] * chunk[2];
      for (let line = 0; line < rows; line++)
        stored[place]!.set(packed.subarray(line * columns, (line + 1) * columns), at + line * chunk[2]);
    }
  }
  for (const [place, out] of outs.entries()) {
    out.set(new Uint8Array(stored[place]!.buffer));
    const body = out.length - CRC_BYTES;
    new DataView(out.buffer, out.byteOffset).setUint32(body, crc32c(out, 0, body), true);
  }
}

/**
 * Computes a cell with the functions that compute chunks, so that every node has the value that it has in its chunk.
 */
function computeCell(world: World, array: DemoArray, cell: Int32Array, outs: readonly Uint8Array[]): void {
  const { latitude, longitude } = array.run.grid;
  const [step, row, column] = cell as unknown as [number, number, number];
  // The column after the last is the first, because nodes are the same in every longitude convention.
  const grid = {
    latitude: { start: latitude.start + row * latitude.step, step: latitude.step, count: 2 },
    longitude: { start: longitude.start + column * longitude.step, step: longitude.step, count: 2 },
  };
  for (const [place, packed] of packedAt(world, array, grid, step).entries())
    outs[place]!.set(new Uint8Array(packed.buffer));
}

/** Values of all fields that are computed together, quantised as stored. */
function packedAt(world: World, { run, field, together }: DemoArray, grid: Grid, step: number): Int16Array[] {
  const values = groupOf(field).compute(world, { grid, time: weatherTime(run, field, run.times[step]!) });
  return together.map((name) => {
    const packed = new Int16Array(values[name]!.length);
    pack(values[name]!, fields[name], packed, { values: 0, missing: 0, outOfRange: 0 });
    return packed;
  });
}

const grids = new LRUCache<string, Grid>({ max: 1024 });

/** Returns the same grid object for the same part, so that `nodesOf` computes each grid once. */
function gridOf(run: Run, stride: number, part: GridPart): Grid {
  const key = `${stride} ${part.row} ${part.rows} ${part.column} ${part.columns}`;
  const known = grids.get(key) ?? partGrid(levelGrid(run, stride), part);
  grids.set(key, known);
  return known;
}
