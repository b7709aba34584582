import { z } from "zod";
import { chunkCodecNames } from "./chunk-codecs.ts";

/** A hundred times that of a forecast of 0.25°. It is read as a whole. */
const LONGEST_INDEX_BYTES = 2 ** 26;

const shape = z.tuple([z.int().positive(), z.int().positive(), z.int().positive()]);

/**
 * What a reader would have to ask a store for before it can ask for a chunk of a run. `archive push` adds it to the manifest
 * of a store, so that a value at a place that nobody asked for before is two requests, one after the other: index, chunk.
 */
export const runObjectsSchema = z.object({
  /** The points layout: what zarr.json says of a field, and where its packed index lies in `INDICES`, bytes. */
  points: z.record(
    z.string(),
    z.object({
      shape,
      chunk: shape,
      codec: z.enum(chunkCodecNames),
      scale: z.number(),
      offset: z.number(),
      index: z.object({ offset: z.int().nonnegative(), length: z.int().positive().max(LONGEST_INDEX_BYTES) }),
    }),
  ),
  /** Bytes of the files of frames, by their keys below the folder of the run: their indices are at the end. */
  frames: z.record(z.string(), z.int().positive()),
});

export type RunObjects = z.infer<typeof runObjectsSchema>;

/** Below the folder of a run: the packed indices of its points, one after the other. */
export const INDICES = "points.indices";
