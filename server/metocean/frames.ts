import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { colourScales, drawnVariables } from "#lib/catalog/colours.ts";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { encodeFrame } from "#lib/field/frame.ts";
import type { Grid } from "#lib/field/grid.ts";
import { parseInstant } from "#lib/time.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { ObjectMissingError } from "#server/archive/store.ts";
import { drawableSteps } from "#server/metocean/drawable.ts";

/** The part of the archive that frames are made from. */
export interface FrameSource {
  manifest(): Manifest | Promise<Manifest>;
  /**
   * One step of a field from the maps layout.
   *
   * @param stride Level, against the native grid.
   * @returns Stored int16 numbers, (rows, columns) row-major, south to north.
   */
  mapStep(
    run: Run,
    field: FieldName,
    timeIndex: number,
    stride: number,
    signal: AbortSignal,
  ): Promise<{ grid: Grid; values: Int16Array }> | { grid: Grid; values: Int16Array };
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
  chunk: string;
}

/** Compressed frames, the least recently used dropped first. */
export interface FrameCache {
  get(key: string): Uint8Array | undefined;
  set(key: string, frame: Uint8Array): void;
}

const compress = promisify(gzip);

/** Cheap: residuals of smooth fields are mostly zeros, and higher levels take long for little. */
const GZIP_LEVEL = 4;

/**
 * The frame at an address, gzip-compressed.
 *
 * @returns undefined where the archive has no such frame.
 */
export async function frameAt(
  source: FrameSource,
  cache: FrameCache,
  address: FrameAddress,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const found = locateFrame(await source.manifest(), address);
  if (!found) return undefined;
  const key = frameKey(address);
  const held = cache.get(key);
  if (held) return held;
  const { run, planes, step, stride } = found;
  const read: { grid: Grid; values: Int16Array }[] = [];
  try {
    for (const plane of planes) read.push(await source.mapStep(run, plane, step, stride, signal));
  } catch (error) {
    // A newer run took its place since the manifest was read: it is no longer published.
    if (error instanceof ObjectMissingError) return undefined;
    throw error;
  }
  const [first] = read;
  if (!first) return undefined;
  const described = planes.map((name) => ({ name, scale: fields[name].scale, offset: fields[name].offset }));
  const frame = encodeFrame(
    first.grid,
    run.times[step] ?? 0,
    described,
    read.map(({ values }) => values),
  );
  signal.throwIfAborted();
  const packed = await compress(frame, { level: GZIP_LEVEL });
  cache.set(key, packed);
  return packed;
}

/** What tells one frame from every other, for ever: runs are immutable. */
export function frameKey({ dataset, run, variable, time, level, chunk }: FrameAddress): string {
  return [dataset, run, variable, time, level, chunk].join("/");
}

function locateFrame(manifest: Manifest, address: FrameAddress) {
  const run = manifest.runs.find(({ id, dataset }) => id === address.run && dataset === address.dataset);
  const variable = drawnVariables.find((name) => name === address.variable);
  if (!run || !variable || address.chunk !== "all") return undefined;
  const { planes } = colourScales[variable];
  const time = parseInstant(address.time);
  const step = drawableSteps(run, planes)?.find((index) => run.times[index] === time);
  const stride = run.levels.find((level) => String(level) === address.level);
  return step === undefined || stride === undefined ? undefined : { run, planes, step, stride };
}
