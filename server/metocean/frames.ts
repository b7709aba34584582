import { LRUCache } from "lru-cache";
import { storedSteps } from "#lib/catalog/map-fields.ts";
import { chunkNames, chunkPart } from "#lib/field/frame-chunks.ts";
import { parseInstant } from "#lib/time.ts";
import { type Catalog, withManifest } from "#server/archive/catalog.ts";
import { frameChunking, levelGrid } from "#server/archive/layout.ts";
import {
  type FrameContent,
  type FrameEncoding,
  makeFrame,
  packFrame,
  type ReadStoredFrame,
  type StoredFrame,
  unpackFrame,
} from "#server/archive/map-frames.ts";
import type { MapStep, MapStepRequest } from "#server/archive/map-step.ts";
import { manifestWithEarlier } from "#server/archive/one-model.ts";
import { type Manifest, type Run, stepsWith } from "#server/archive/run.ts";

/** The part of the archive that map frames need. */
export interface FrameSource extends Catalog {
  /** One whole step of a field, or a window of it. See `ArchiveReader.mapStep`. */
  mapStep(...request: MapStepRequest): Promise<MapStep>;
  /** A frame that was written with its run. */
  storedFrame: ReadStoredFrame;
}

/** Address of a frame: the segments of its path. */
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

/** A frame that was found. */
interface Frame {
  bytes: Uint8Array;
  /** The same as `Run.provenance`. */
  provenance: Run["provenance"];
}

/**
 * The frame at an address.
 *
 * @param encoding Compression of the returned frame; undefined returns it plain.
 * @returns undefined if the archive has no such frame.
 */
export async function frameAt(
  source: FrameSource,
  cache: Pick<FrameCache, "get">,
  address: FrameAddress,
  encoding: FrameEncoding | undefined,
  signal: AbortSignal,
): Promise<Frame | undefined> {
  return withManifest(source, async (manifest) => {
    const found = locateFrame(manifest, address);
    if (!found) return undefined;
    const packed = await packedFrame(source, cache, found, frameKey(address), encoding ?? "br", signal);
    const bytes = encoding === undefined ? await unpackFrame(packed) : packed;
    return { bytes, provenance: found.run.provenance };
  });
}

/** Identifies a frame permanently: runs are immutable. */
export function frameKey({ dataset, run, variable, time, level, chunk }: FrameAddress): string {
  return [dataset, run, variable, time, level, chunk].join("/");
}

/**
 * Returns the frame that was written with the run, or makes one. Frames are stored as brotli, which browsers accept
 * only over TLS and from this machine. Otherwise they get gzip, which is compressed once and shared while it is cached.
 */
async function packedFrame(
  source: FrameSource,
  cache: Pick<FrameCache, "get">,
  frame: FoundFrame,
  key: string,
  encoding: FrameEncoding,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (encoding === "br") {
    const stored = await source.storedFrame(frame, signal);
    if (stored) return stored;
  }
  const { run, step, stride, part } = frame;
  const make = async (wanted: AbortSignal) => {
    const stored = encoding === "gzip" ? await source.storedFrame(frame, wanted) : undefined;
    if (stored) return packFrame(await unpackFrame(stored), encoding);
    const plain = await makeFrame(frame, (field) => source.mapStep(run, field, step, stride, wanted, part));
    wanted.throwIfAborted();
    return packFrame(plain, encoding);
  };
  return cache.get(`${key}.${encoding}`, make, signal);
}

type FoundFrame = FrameContent & StoredFrame;

function locateFrame(manifest: Manifest, address: FrameAddress): FoundFrame | undefined {
  const { runs, ensembles = [] } = manifestWithEarlier(manifest);
  const run = [...runs, ...ensembles].find(
    ({ id, dataset }) => id === address.run && dataset === address.dataset,
  );
  const layer = storedSteps.find(({ name }) => name === address.variable);
  const stride = run?.levels.find((level) => String(level) === address.level);
  if (!run || !layer || stride === undefined) return undefined;
  const { name: variable, bands, painted } = layer;
  // The map draws statistics of members, not members.
  if (bands.some((band) => run.fields[band]?.members)) return undefined;
  const time = parseInstant(address.time);
  const step = stepsWith(run, painted)?.find((index) => run.times[index] === time);
  const grid = levelGrid(run, stride);
  const chunking = frameChunking(grid);
  const chunk = chunkNames(grid, chunking).find((name) => name === address.chunk);
  const part = chunk === undefined ? undefined : chunkPart(grid, chunking, chunk);
  if (step === undefined || chunk === undefined || !part) return undefined;
  return { run, variable, bands, step, stride, chunk, part };
}

/** Compressed map frames in memory, and those being made. */
export type FrameCache = ReturnType<typeof frameCache>;

type MakeFrame = (signal: AbortSignal) => Promise<Uint8Array>;

/** A frame that is being made, and how many callers wait for it. */
interface PendingFrame {
  frame: Promise<Uint8Array>;
  waiting: number;
  controller: AbortController;
}

/**
 * Caches the frames that were used last.
 *
 * `fetch` of lru-cache does not serve here: it stops for all callers when the first one aborts.
 *
 * @param budget Bytes.
 */
export function frameCache(budget: number) {
  const cached = new LRUCache<string, Uint8Array>({
    maxSize: budget,
    // The size is that of the whole buffer, because a compressor may return a view of a larger one.
    sizeCalculation: ({ buffer }) => buffer.byteLength,
  });
  const pending = new Map<string, PendingFrame>();

  function begin(key: string, make: MakeFrame): PendingFrame {
    const controller = new AbortController();
    const begun: PendingFrame = { frame: make(controller.signal), waiting: 0, controller };
    pending.set(key, begun);
    const end = () => {
      if (pending.get(key) === begun) pending.delete(key);
    };
    begun.frame.then((frame) => {
      end();
      cached.set(key, frame);
    }, end);
    return begun;
  }

  return {
    /** Memory of the frames. */
    get bytes(): number {
      return cached.calculatedSize;
    },
    /**
     * Returns the bytes of a key, made once for all concurrent callers.
     *
     * @param make Makes the bytes; its signal aborts when the last caller has left.
     */
    async get(key: string, make: MakeFrame, signal: AbortSignal): Promise<Uint8Array> {
      signal.throwIfAborted();
      const frame = cached.get(key);
      if (frame) return frame;
      const shared = pending.get(key) ?? begin(key, make);
      shared.waiting++;
      const aborted = Promise.withResolvers<never>();
      const abort = () => {
        aborted.reject(signal.reason);
        if (--shared.waiting > 0) return;
        // Later callers start again.
        pending.delete(key);
        shared.controller.abort(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      try {
        return await Promise.race([shared.frame, aborted.promise]);
      } finally {
        signal.removeEventListener("abort", abort);
      }
    },
  };
}
