import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { encodeFrame } from "#lib/field/frame.ts";
import { type GridPart, partGrid } from "#lib/field/frame-chunks.ts";
import { levelGrid } from "./levels.ts";
import type { MapStep } from "./map-step.ts";
import type { Run } from "./run.ts";

/** How a frame is compressed, as `Content-Encoding` names it. */
export type FrameEncoding = "br" | "gzip";

export const frameEncodings = ["br", "gzip"] as const satisfies readonly FrameEncoding[];

/** What a frame is made from: one step of some fields in a window of a level. */
export interface FrameContent {
  run: Run;
  bands: readonly FieldName[];
  /** Index into the run's times. */
  step: number;
  /** Level, against the native grid. */
  stride: number;
  part: GridPart;
}

/** Reads a field in the window of a frame. See `ArchiveReader.mapStep`. */
export type ReadBand = (field: FieldName) => Promise<MapStep> | MapStep;

/** The bytes of a frame, not yet compressed. */
export async function makeFrame(content: FrameContent, read: ReadBand): Promise<Uint8Array> {
  const { run, bands, step, stride, part } = content;
  const columns: Int16Array[] = [];
  // One after the other: the demo world computes fields of one kind together.
  for (const band of bands) columns.push((await read(band)).values);
  const described = bands.map((name) => ({ name, scale: fields[name].scale, offset: fields[name].offset }));
  return encodeFrame(partGrid(levelGrid(run, stride), part), run.times[step] ?? 0, described, columns);
}

/**
 * Residuals of smooth fields are mostly zeros: the levels above take several times as long, and gain a few per cent.
 */
const LEVEL = 4;

/** Compresses a frame, beside the thread that asks. */
export function packFrame(frame: Uint8Array, encoding: FrameEncoding): Promise<Buffer> {
  if (encoding === "gzip") return gzipLater(frame, { level: LEVEL });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: LEVEL,
    [constants.BROTLI_PARAM_SIZE_HINT]: frame.length,
  };
  return brotliLater(frame, { params });
}

const gzipLater = promisify<Uint8Array, object, Buffer>(gzip);
const brotliLater = promisify<Uint8Array, object, Buffer>(brotliCompress);
