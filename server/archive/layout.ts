import { type Axis, type Grid, strided, wraps } from "@open-metocean/geo/grid";
import type { Chunking } from "#lib/field/frame-chunks.ts";

/** Time, latitude, longitude: how many of each. */
export type Shape = readonly [times: number, rows: number, columns: number];

/** Values in one chunk of the points layout at most, and in one entry of the cache of decoded chunks. */
export const POINT_CHUNK_VALUES = 512;

const POINT_STEPS = 8;
/**
 * The writer keeps a chunk's steps of the whole grid in memory, of all fields that it writes together, so finer grids and
 * statistics have fewer steps per chunk.
 */
const WRITER_BYTES = 160 * 1024 * 1024;

/** Spacings of the coarser levels of whole steps, degrees. */
const LEVELS_DEG = [0.5, 1] as const;

/**
 * Chunk of the points layout: small, with several steps. Its edges are powers of two, so that a reader shifts instead
 * of divides.
 *
 * At random places and times, 8 × 8 × 8 is read in four fifths of the time of 16 × 8 × 8 and of 4 × 16 × 16, and a
 * whole series of 80 steps is ten chunks. Runs with few steps get wider chunks instead of padding.
 *
 * @param fields How many fields are written together, step by step.
 */
export function pointChunk([times, rows, columns]: Shape, fields = 1): Shape {
  const stepBytes = 2 * rows * columns * fields;
  let steps = 1;
  while (steps < times && steps < POINT_STEPS && 2 * steps * stepBytes <= WRITER_BYTES) steps *= 2;
  const wide = 2 ** Math.ceil(Math.log2(POINT_CHUNK_VALUES / steps) / 2);
  return [steps, POINT_CHUNK_VALUES / steps / wide, wide];
}

const MEMBER_STEPS = 2;

/**
 * Chunk of a field with members in the points layout: all members of a few nodes, so that a point is read with all of
 * them. The places of members are a power of two as the edges are; those after the last member are empty.
 *
 * Two steps halve the reads of a whole series, and take 5 % more bytes than one, because members differ more from step to
 * step than from node to node (`bench -- ensemble`).
 *
 * @param times Steps of the run. @param members Number of members.
 */
export function memberChunk(times: number, members: number): { chunk: Shape; places: number } {
  const places = 2 ** Math.ceil(Math.log2(members));
  if (places > POINT_CHUNK_VALUES) throw new RangeError(`${members} members do not fit into one chunk`);
  const steps = Math.min(times, MEMBER_STEPS, POINT_CHUNK_VALUES / places);
  const nodes = POINT_CHUNK_VALUES / places / steps;
  const wide = 2 ** Math.ceil(Math.log2(nodes) / 2);
  return { chunk: [steps, nodes / wide, wide], places };
}

/**
 * Chunk of the maps layout, which the demo world has: about half of a quadrant of a 0.25° globe, so that a box reads little
 * more than itself.
 */
export function mapChunk([, rows, columns]: Shape): Shape {
  return [1, evenPart(rows, 181), evenPart(columns, 180)];
}

function evenPart(count: number, max: number): number {
  return Math.ceil(count / Math.ceil(count / max));
}

/** How many chunks an array has along each axis. */
export function chunkCounts(shape: Shape, chunk: Shape): Shape {
  return [Math.ceil(shape[0] / chunk[0]), Math.ceil(shape[1] / chunk[1]), Math.ceil(shape[2] / chunk[2])];
}

/**
 * Strides of whole steps: the native grid, and the coarser ones nearest to 0.5° and to 1°.
 *
 * A global longitude axis is divided only by strides that leave it closed on itself.
 */
export function mapLevels(grid: Grid): number[] {
  const spacing = Math.max(grid.latitude.step, grid.longitude.step);
  const strides = new Set([1]);
  for (const level of LEVELS_DEG) {
    let best = 1;
    for (let stride = 1; stride <= (2 * level) / spacing; stride++)
      if (
        divides(grid.longitude, stride) &&
        distance(stride, spacing, level) < distance(best, spacing, level)
      )
        best = stride;
    strides.add(best);
  }
  return [...strides].sort((a, b) => a - b);
}

const distance = (stride: number, spacing: number, level: number) =>
  Math.abs(Math.log((stride * spacing) / level));

function divides(longitude: Axis, stride: number): boolean {
  return !wraps(longitude) || longitude.count % stride === 0;
}

/** The grid of a level. @param stride Against the native grid. */
export function levelGrid({ grid }: { grid: Grid }, stride: number): Grid {
  return { latitude: strided(grid.latitude, stride), longitude: strided(grid.longitude, stride) };
}

/**
 * Every `stride`-th node of every `stride`-th row: a coarser level shows values of the native grid, not means.
 *
 * @param width Columns of `values`.
 * @param rows Rows of the result; `columns` likewise.
 */
export function everyNth(
  values: Int16Array,
  width: number,
  stride: number,
  rows: number,
  columns: number,
): Int16Array {
  const coarse = new Int16Array(rows * columns);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const from = row * stride * width;
    for (let column = 0; column < columns; column++) coarse[at++] = values[from + column * stride]!;
  }
  return coarse;
}

/** A level with up to this many nodes is one frame: a globe at 1°, which compresses to about 130 kB of wind. */
const WHOLE_NODES = 2 ** 17;

/** A frame is 2 × 2 chunks of the maps layout, so that making a frame of a run with maps reads no chunk of another frame. */
const CHUNKS_PER_SIDE = 2;

/** Divides a level into frames: a globe at 0.25° becomes eight frames of about 90° × 90° each. */
export function frameChunking({ latitude, longitude }: Grid): Chunking {
  const whole = { rows: latitude.count, columns: longitude.count };
  if (whole.rows * whole.columns <= WHOLE_NODES) return whole;
  const [, rows, columns] = mapChunk([1, whole.rows, whole.columns]);
  return {
    rows: Math.min(whole.rows, CHUNKS_PER_SIDE * rows),
    columns: Math.min(whole.columns, CHUNKS_PER_SIDE * columns),
  };
}

/**
 * Path below a run's folder of the frames of one level: one file of brotli frames with the index of a shard.
 *
 * @param name Name of a map layer: see `storedSteps`.
 */
export function framesFile(name: string, stride: number): string {
  return `frames/${stride}/${name}.br`;
}
