import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { colourScales, drawnVariables } from "#lib/catalog/colours.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { chunkNames, chunkPart, type GridPart } from "#lib/field/frame-chunks.ts";
import { parseInstant } from "#lib/time.ts";
import { type Catalog, withManifest } from "#server/archive/catalog.ts";
import { frameChunking } from "#server/archive/frame-chunking.ts";
import { levelGrid, stepsWith } from "#server/archive/levels.ts";
import { type FrameContent, type FrameEncoding, makeFrame, packFrame } from "#server/archive/make-frame.ts";
import type { MapStep } from "#server/archive/map-step.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import type { ReadStoredFrame, StoredFrame } from "#server/archive/stored-frames.ts";

/** The part of the archive that frames are made from. */
export interface FrameSource extends Catalog {
  /** One step of a field from the maps layout. See `ArchiveReader.mapStep`. */
  mapStep(
    run: Run,
    field: FieldName,
    timeIndex: number,
    stride: number,
    signal: AbortSignal,
    part?: GridPart,
  ): Promise<MapStep> | MapStep;
  /** A frame that was written with its run. */
  storedFrame: ReadStoredFrame;
}

/** Where a frame is: the segments of its path. */
export interface FrameAddress {
  dataset: string;
  run: string;
  variable: string;
  /** `YYYY-MM-DDThh:mm:ssZ`, a step of the run. */
  time: string;
  /** Stride against the native grid, as text. */
  level: string;
  /** `all` where the level is one frame, else `<row>.<column>`. */
  chunk: string;
}

/** Compressed frames that were made, and those being made. */
export interface FrameCache {
  /**
   * The bytes of a key, made once for all who ask meanwhile.
   *
   * @param make Its signal aborts when nobody waits any more.
   */
  get(
    key: string,
    make: (signal: AbortSignal) => Promise<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Uint8Array>;
}

/**
 * The frame at an address.
 *
 * @param encoding How it is compressed; not at all where absent.
 * @returns undefined where the archive has no such frame.
 */
export async function frameAt(
  source: FrameSource,
  cache: FrameCache,
  address: FrameAddress,
  encoding: FrameEncoding | undefined,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const packed = await withManifest(source, (manifest) => {
    const found = locateFrame(manifest, address);
    return found && packedFrame(source, cache, found, frameKey(address), encoding ?? "gzip", signal);
  });
  return packed && encoding === undefined ? unpack(packed) : packed;
}

/** What tells one frame from every other, for ever: runs are immutable. */
export function frameKey({ dataset, run, variable, time, level, chunk }: FrameAddress): string {
  return [dataset, run, variable, time, level, chunk].join("/");
}

const unpack = promisify<Uint8Array, Buffer>(gunzip);

/** The one that was written with the run, or else one that is made now. */
async function packedFrame(
  source: FrameSource,
  cache: FrameCache,
  frame: FoundFrame,
  key: string,
  encoding: FrameEncoding,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const stored = await source.storedFrame(frame, encoding, signal);
  if (stored) return stored;
  const { run, step, stride, part } = frame;
  const make = async (wanted: AbortSignal) => {
    const plain = await makeFrame(frame, (field) => source.mapStep(run, field, step, stride, wanted, part));
    wanted.throwIfAborted();
    return packFrame(plain, encoding);
  };
  return cache.get(`${key}.${encoding}`, make, signal);
}

type FoundFrame = FrameContent & StoredFrame;

function locateFrame(manifest: Manifest, address: FrameAddress): FoundFrame | undefined {
  const run = manifest.runs.find(({ id, dataset }) => id === address.run && dataset === address.dataset);
  const variable = drawnVariables.find((name) => name === address.variable);
  const stride = run?.levels.find((level) => String(level) === address.level);
  if (!run || !variable || stride === undefined) return undefined;
  const { bands } = colourScales[variable];
  const time = parseInstant(address.time);
  const step = stepsWith(run, bands)?.find((index) => run.times[index] === time);
  const grid = levelGrid(run, stride);
  const chunking = frameChunking(grid);
  const chunk = chunkNames(grid, chunking).find((name) => name === address.chunk);
  const part = chunk === undefined ? undefined : chunkPart(grid, chunking, chunk);
  if (step === undefined || chunk === undefined || !part) return undefined;
  return { run, variable, bands, step, stride, chunk, part };
}
