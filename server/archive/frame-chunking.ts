import type { Chunking } from "#lib/field/frame-chunks.ts";
import type { Grid } from "#lib/field/grid.ts";
import { mapChunk } from "./layout.ts";

/** Up to here a level is one frame: 1° of the globe, which compresses to about 130 kB of wind. */
const WHOLE_NODES = 2 ** 17;

/** A frame is made from 2 × 2 chunks of the maps layout, so that each of them is read for one frame only. */
const CHUNKS_A_SIDE = 2;

/** How the frames of a level are cut: 0.25° of the globe into eight, about 90° × 90° each. */
export function frameChunking({ latitude, longitude }: Grid): Chunking {
  const whole = { rows: latitude.count, columns: longitude.count };
  if (whole.rows * whole.columns <= WHOLE_NODES) return whole;
  const [, rows, columns] = mapChunk([1, whole.rows, whole.columns]);
  return {
    rows: Math.min(whole.rows, CHUNKS_A_SIDE * rows),
    columns: Math.min(whole.columns, CHUNKS_A_SIDE * columns),
  };
}
