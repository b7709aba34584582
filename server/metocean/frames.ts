import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { colourScales, drawnVariables } from "#lib/catalog/colours.ts";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { encodeFrame } from "#lib/field/frame.ts";
import type { Grid } from "#lib/field/grid.ts";
import { parseInstant } from "#lib/time.ts";
import { type Catalog, withManifest } from "#server/archive/catalog.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { drawableSteps, levelGrid } from "#server/metocean/drawable.ts";

/** The part of the archive that frames are made from. */
export interface FrameSource extends Catalog {
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
export function frameAt(
  source: FrameSource,
  cache: FrameCache,
  address: FrameAddress,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  return withManifest(source, async (manifest) => {
    const found = locateFrame(manifest, address);
    if (!found) return undefined;
    const key = frameKey(address);
    const held = cache.get(key);
    if (held) return held;
    const packed = await compress(await readFrame(source, found, signal), { level: GZIP_LEVEL });
    cache.set(key, packed);
    return packed;
  });
}

/** What tells one frame from every other, for ever: runs are immutable. */
export function frameKey({ dataset, run, variable, time, level, chunk }: FrameAddress): string {
  return [dataset, run, variable, time, level, chunk].join("/");
}

/** What a frame is made from. */
interface FoundFrame {
  run: Run;
  planes: readonly FieldName[];
  /** Index into the run's times. */
  step: number;
  stride: number;
}

async function readFrame(
  source: FrameSource,
  { run, planes, step, stride }: FoundFrame,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const columns: Int16Array[] = [];
  for (const plane of planes) columns.push((await source.mapStep(run, plane, step, stride, signal)).values);
  signal.throwIfAborted();
  const described = planes.map((name) => ({ name, scale: fields[name].scale, offset: fields[name].offset }));
  return encodeFrame(levelGrid(run, stride), run.times[step] ?? 0, described, columns);
}

function locateFrame(manifest: Manifest, address: FrameAddress): FoundFrame | undefined {
  const run = manifest.runs.find(({ id, dataset }) => id === address.run && dataset === address.dataset);
  const variable = drawnVariables.find((name) => name === address.variable);
  if (!run || !variable || address.chunk !== "all") return undefined;
  const { planes } = colourScales[variable];
  const time = parseInstant(address.time);
  const step = drawableSteps(run, planes)?.find((index) => run.times[index] === time);
  const stride = run.levels.find((level) => String(level) === address.level);
  return step === undefined || stride === undefined ? undefined : { run, planes, step, stride };
}
