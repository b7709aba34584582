import { promisify } from "node:util";
import { brotliDecompress, crc32 } from "node:zlib";
import type { Grid } from "@open-metocean/geo/grid";
import { FILL } from "#lib/catalog/fill.ts";
import { storedStepsOf } from "#lib/catalog/map-fields.ts";
import { type StoredName, storedField } from "#lib/catalog/stored-names.ts";
import { decodeBandOf, FrameError, frameBytes } from "#lib/field/frame.ts";
import { chunkNames, chunkPart, type GridPart, partGrid, wholePart } from "#lib/field/frame-chunks.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { chunkValues, decodeChunk, decodeLocal, fetchChunks, isLocal, type OpenArray } from "./chunks.ts";
import { DamagedChunkError } from "./errors.ts";
import { everyNth, frameChunking, framesFile, levelGrid } from "./layout.ts";
import { int16Of } from "./little-endian.ts";
import { openArray } from "./open-arrays.ts";
import type { Run } from "./run.ts";
import { chunkLength, chunkOffset, readShardIndex } from "./shard.ts";
import { type ByteRange, type ChunkStore, ObjectMissingError, rangesOf } from "./store.ts";
import { mapsGroup, pointsGroup } from "./zarr-metadata.ts";

/** One step of a field on the grid of a level, or on a window of it. */
export interface MapStep {
  grid: Grid;
  /** Stored values: value = scale · stored + offset, `FILL` = missing; (rows, columns), south to north. */
  values: Int16Array;
}

/**
 * Which step to read.
 *
 * - timeIndex: into the run's times; every value is missing at a step that the field does not have, and of a field that the run does not have.
 * - stride: one of the run's levels.
 * - part: window of the level's grid; the whole grid if absent. Only the chunks that it touches are read.
 */
export type MapStepRequest = [
  run: Run,
  field: StoredName,
  timeIndex: number,
  stride: number,
  signal: AbortSignal,
  part?: GridPart,
];

/**
 * Reads one step from the stored frames. If they lack it or are damaged, reads the points layout, which takes several
 * times as long. The demo world has the maps layout instead.
 */
export function readMapStep(store: ChunkStore, ...request: MapStepRequest): Promise<MapStep> {
  return readStepOf(store, request, (run, field, signal) =>
    openArray(store, run, pointsGroup, field, signal),
  );
}

/**
 * Does the same as `readMapStep`, for a reader that keeps arrays open.
 *
 * @param openPoints Opens an array of the points layout.
 * @param onDamage Receives each frame that cannot be read; the points are read instead.
 */
export async function readStepOf(
  store: ChunkStore,
  [run, field, timeIndex, stride, signal, part]: MapStepRequest,
  openPoints: (run: Run, field: StoredName, signal: AbortSignal) => Promise<OpenArray>,
  onDamage?: (error: unknown) => void,
): Promise<MapStep> {
  signal.throwIfAborted();
  if (!(timeIndex in run.times)) throw new RangeError(`${run.id} has no step ${timeIndex}`);
  if (!run.levels.includes(stride)) throw new RangeError(`${run.id} has no level of stride ${stride}`);
  const level = levelGrid(run, stride);
  const window = part ?? wholePart(level);
  const step = { run, field, timeIndex, stride, window };
  if (!run.fields[field])
    return {
      grid: partGrid(level, window),
      values: new Int16Array(window.rows * window.columns).fill(FILL),
    };
  const values = run.maps
    ? await stepOfMaps(store, step, signal)
    : ((await stepOfFrames(store, step, signal, onDamage)) ??
      (await stepOfPoints(store, await openPoints(run, field, signal), step, signal)));
  return { grid: partGrid(level, window), values };
}

async function stepOfMaps(
  store: ChunkStore,
  { run, field, timeIndex, stride, window }: StepWindow,
  signal: AbortSignal,
): Promise<Int16Array> {
  const array = await openArray(store, run, mapsGroup(stride), field, signal);
  const wanted = [{ timeIndex, member: memberOf(run, field) }];
  const [values] = await readSteps(store, array, wanted, window, signal);
  return values!;
}

/** Number of values decoded before yielding to other requests: a few milliseconds of work. */
const VALUES_PER_TURN = 2 ** 21;

/** A window of one step of a level, from the points layout: chunks with all their steps are decoded. */
async function stepOfPoints(
  store: ChunkStore,
  array: OpenArray,
  { run, field, timeIndex, stride, window }: StepWindow,
  signal: AbortSignal,
): Promise<Int16Array> {
  const native = {
    row: window.row * stride,
    rows: (window.rows - 1) * stride + 1,
    column: window.column * stride,
    columns: (window.columns - 1) * stride + 1,
  };
  const wanted = [{ timeIndex, member: memberOf(run, field) }];
  const [values] = await readSteps(store, array, wanted, native, signal);
  return stride === 1 ? values! : everyNth(values!, native.columns, stride, window.rows, window.columns);
}

/**
 * Reads whole steps of the native grid. Steps that share their chunks are read together, and each chunk is decoded
 * once.
 */
interface StepsOfPoints {
  /** Number of consecutive steps that share their chunks, counted from a multiple of this number. */
  together: number;
  /**
   * @param timeIndices Indices within one multiple of `together`.
   *
   * @returns As stored, (rows, columns), in the order asked for.
   */
  read(timeIndices: readonly number[], signal: AbortSignal): Promise<Int16Array[]>;
}

/** Opens a field without members to read all its steps. */
export async function openSteps(
  store: ChunkStore,
  run: Run,
  field: StoredName,
  signal: AbortSignal,
): Promise<StepsOfPoints> {
  const array = await openArray(store, run, pointsGroup, field, signal);
  const whole = { row: 0, rows: array.shape[1], column: 0, columns: array.shape[2] };
  return {
    together: array.chunk[0],
    read: (timeIndices, wanted) =>
      readSteps(
        store,
        array,
        timeIndices.map((timeIndex) => ({ timeIndex, member: 0 })),
        whole,
        wanted,
      ),
  };
}

/** The position of the member of a run that answers; 0 of a field without members. */
export function memberOf(run: Run, field: StoredName): number {
  if (!run.fields[field]?.members) return 0;
  if (run.member === undefined)
    throw new RangeError(`${run.id} has ${field} of many members: one must be chosen`);
  return run.member;
}

/** Which step of all members to read: see `MapStepRequest`. `part` is a window of the native grid. */
export type MemberStepsRequest = [
  run: Run,
  field: StoredName,
  timeIndex: number,
  signal: AbortSignal,
  part?: GridPart,
];

/** One step of all members of a field. */
export interface MemberSteps {
  grid: Grid;
  /** Stored values, one array a member, in the order of `run.ensemble.members`: see `MapStep`. */
  members: Int16Array[];
}

/**
 * Reads a step of all members of a field on the native grid; each chunk is decoded once.
 *
 * @param openPoints Opens an array of the points layout.
 */
export async function membersOfStep(
  store: ChunkStore,
  [run, field, timeIndex, signal, part]: MemberStepsRequest,
  openPoints: (run: Run, field: StoredName, signal: AbortSignal) => Promise<OpenArray>,
): Promise<MemberSteps> {
  signal.throwIfAborted();
  if (!(timeIndex in run.times)) throw new RangeError(`${run.id} has no step ${timeIndex}`);
  if (!run.fields[field]?.members) throw new RangeError(`${run.id} has no members of ${field}`);
  const array = run.maps
    ? await openArray(store, run, mapsGroup(1), field, signal)
    : await openPoints(run, field, signal);
  const window = part ?? wholePart(run.grid);
  const wanted = Array.from({ length: array.members!.count }, (_, member) => ({ timeIndex, member }));
  const members = await readSteps(store, array, wanted, window, signal);
  return { grid: partGrid(run.grid, window), members };
}

async function readSteps(
  store: ChunkStore,
  array: OpenArray,
  wanted: readonly { timeIndex: number; member: number }[],
  window: GridPart,
  signal: AbortSignal,
): Promise<Int16Array[]> {
  const [steps, height, width] = array.chunk;
  const places = array.members?.places ?? 1;
  const first = Math.floor((wanted[0]?.timeIndex ?? 0) / steps) * array.chunks[1] * array.chunks[2];
  const read = wanted.map(({ timeIndex, member }) => ({
    at: ((timeIndex % steps) * places + member) * height * width,
    values: new Int16Array(window.rows * window.columns).fill(FILL),
  }));
  const take = (chunk: number, decoded: Uint8Array) => {
    const of = partOf(array, chunk - first);
    const block = int16Of(decoded);
    for (const { at, values } of read) place(block.subarray(at, at + height * width), of, values, window);
  };
  await decodeAll(store, array, chunksOf(array, window, first), take, signal);
  return read.map(({ values }) => values);
}

/** One step of a field in a window of a level. */
interface StepWindow {
  run: Run;
  field: StoredName;
  /** Index into the run's times. */
  timeIndex: number;
  /** One of the run's levels. */
  stride: number;
  window: GridPart;
}

/**
 * Numbers of the stored chunks that a window touches, in the order of the file.
 *
 * @param first Number of the first chunk of their steps.
 */
function chunksOf(
  { chunk: [, height, width], chunks: [, , across], index }: OpenArray,
  window: GridPart,
  first: number,
): number[] {
  const chunks: number[] = [];
  const lastRow = Math.floor((window.row + window.rows - 1) / height);
  const lastColumn = Math.floor((window.column + window.columns - 1) / width);
  for (let row = Math.floor(window.row / height); row <= lastRow; row++)
    for (let column = Math.floor(window.column / width); column <= lastColumn; column++) {
      const chunk = first + row * across + column;
      if (chunkOffset(index, chunk) >= 0) chunks.push(chunk);
    }
  return chunks;
}

/** Decodes chunks of an array, in the order of the file, and yields to other requests in between. */
async function decodeAll(
  store: ChunkStore,
  array: OpenArray,
  stored: readonly number[],
  take: (chunk: number, decoded: Uint8Array) => void,
  signal: AbortSignal,
): Promise<void> {
  const chunksPerTurn = Math.ceil(VALUES_PER_TURN / chunkValues(array));
  const parts = isLocal(store) ? [] : await fetchChunks(store, array, stored, signal);
  for (let from = 0; from < stored.length; from += chunksPerTurn) {
    if (from > 0) {
      await nextTurn();
      signal.throwIfAborted();
    }
    const turn = stored.slice(from, from + chunksPerTurn);
    if (isLocal(store)) decodeLocal(store, array, turn, take);
    else for (const [i, chunk] of turn.entries()) take(chunk, decodeChunk(array, chunk, parts[from + i]!));
  }
}

/** The window of a chunk of the first steps of an array. At the edges of the grid it may reach beyond it. */
function partOf({ chunk: [, rows, columns], chunks: [, , across] }: OpenArray, chunk: number): GridPart {
  return { row: Math.floor(chunk / across) * rows, rows, column: (chunk % across) * columns, columns };
}

/** Up to this many numbers a loop is faster than a view and a copy of it. */
const SHORT = 16;

/** Copies the numbers that two windows share from one, `part`, to their places in the other. */
export function place(values: Int16Array, part: GridPart, into: Int16Array, window: GridPart): void {
  const northEnd = Math.min(part.row + part.rows, window.row + window.rows);
  const westStart = Math.max(part.column, window.column);
  const eastEnd = Math.min(part.column + part.columns, window.column + window.columns);
  for (let row = Math.max(part.row, window.row); row < northEnd; row++) {
    const from = (row - part.row) * part.columns - part.column;
    const to = (row - window.row) * window.columns - window.column;
    if (eastEnd - westStart > SHORT)
      into.set(values.subarray(from + westStart, from + eastEnd), to + westStart);
    else for (let column = westStart; column < eastEnd; column++) into[to + column] = values[from + column]!;
  }
}

const decompress = promisify(brotliDecompress);

/**
 * A window of one step of a level, from the stored frames.
 *
 * @param onDamage Receives the error of each frame that cannot be read, damaged or gone.
 * @returns undefined if the frames are damaged, gone or were never stored: not for this field, not on this level, or
 *   not for a step at which another band of the frame has no data.
 */
async function stepOfFrames(
  store: ChunkStore,
  { run, field, timeIndex, stride, window }: StepWindow,
  signal: AbortSignal,
  onDamage: (error: unknown) => void = () => {},
): Promise<Int16Array | undefined> {
  const steps = storedStepsOf(field);
  if (!steps || !run.storedFrames?.includes(steps.name)) return undefined;
  const grid = levelGrid(run, stride);
  const chunking = frameChunking(grid);
  const names = chunkNames(grid, chunking);
  const touched = names.flatMap((name, number) => {
    const part = chunkPart(grid, chunking, name)!;
    return overlap(part, window) ? [{ number, part }] : [];
  });
  const file = framesFile(steps.name, stride);
  const key = `${run.path}/${file}`;
  try {
    const count = run.times.length * names.length;
    const index = await readShardIndex(store, key, count, run.id, field, signal, run.objects?.frames[file]);
    const ranges: ByteRange[] = [];
    for (const { number } of touched) {
      const chunk = timeIndex * names.length + number;
      if (chunkOffset(index, chunk) < 0) return undefined;
      ranges.push({ offset: chunkOffset(index, chunk), length: chunkLength(index, chunk) });
    }
    const stored = await rangesOf(store, key, ranges, signal, isWholeFrame);
    const values = new Int16Array(window.rows * window.columns).fill(FILL);
    await Promise.all(
      touched.map(async ({ part }, i) => {
        const frame = await unpacked(store, `${key} ${ranges[i]!.offset}`, stored[i]!, part, steps.bands);
        const band = frame && decodeBandOf(frame, field);
        const { scale, offset } = storedField(field);
        const isReadable =
          band?.values.length === part.rows * part.columns && band.scale === scale && band.offset === offset;
        if (!isReadable) throw new DamagedChunkError(run.id, field, `${key}: a frame cannot be read`);
        place(band.values, part, values, window);
      }),
    );
    signal.throwIfAborted();
    return values;
  } catch (error) {
    if (!isUnreadableFrame(error)) throw error;
    onDamage(error);
    return undefined;
  }
}

const overlap = (one: GridPart, other: GridPart) =>
  one.row < other.row + other.rows &&
  other.row < one.row + one.rows &&
  one.column < other.column + other.columns &&
  other.column < one.column + one.columns;

/** Frames that are being decompressed, shared because several bands of one frame are requested at the same time. */
const pending = new WeakMap<ChunkStore, Map<string, Promise<Uint8Array | undefined>>>();

/** @returns undefined if the frame is damaged. */
function unpacked(
  store: ChunkStore,
  key: string,
  sealed: Uint8Array,
  { rows, columns }: GridPart,
  bands: readonly string[],
): Promise<Uint8Array | undefined> {
  const frames = pending.get(store) ?? new Map<string, Promise<Uint8Array | undefined>>();
  pending.set(store, frames);
  const known = frames.get(key);
  if (known) return known;
  const frame = unsealFrame(sealed);
  const size = frameBytes(rows * columns, bands);
  // One byte to spare: zlib allocates another buffer after a full one, and then copies both into a third.
  const options = { chunkSize: Math.max(64, size + 1), maxOutputLength: size };
  const opened = frame
    ? decompress(frame, options).catch(() => undefined)
    : Promise.resolve<Uint8Array | undefined>(undefined);
  frames.set(key, opened);
  opened.then(() => frames.delete(key));
  return opened;
}

const CRC_BYTES = 4;

/**
 * Returns a frame as it is stored, followed by its CRC-32, little-endian. Node computes CRC-32 natively; our crc32c
 * would take half a millisecond a frame.
 */
export function sealFrame(frame: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(frame.length + CRC_BYTES);
  sealed.set(frame);
  new DataView(sealed.buffer).setUint32(frame.length, crc32(frame), true);
  return sealed;
}

/** A frame that was sealed; undefined if the checksum is wrong. */
export function unsealFrame(sealed: Uint8Array): Uint8Array | undefined {
  const end = sealed.length - CRC_BYTES;
  if (end < 0) return undefined;
  const frame = sealed.subarray(0, end);
  const sum = new DataView(sealed.buffer, sealed.byteOffset, sealed.length).getUint32(end, true);
  return crc32(frame) === sum ? frame : undefined;
}

export const isWholeFrame = (sealed: Uint8Array) => unsealFrame(sealed) !== undefined;

/**
 * Whether an error of reading stored frames says that they are damaged or gone. The points have the same numbers: they are
 * read instead. If the whole run is gone, reading those fails too.
 */
export function isUnreadableFrame(error: unknown): boolean {
  return (
    error instanceof DamagedChunkError || error instanceof ObjectMissingError || error instanceof FrameError
  );
}
