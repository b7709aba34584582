import type { Distortion } from "./distortions.ts";
import type { Planet } from "./planet.ts";

/** Bytes of an object, made when they are asked for. */
export interface Piece {
  length(): number;
  bytes(): Uint8Array;
}

/** Which content of an object is served: what faults change. */
export interface Variant {
  /** Content of so much earlier, in the place of this one. */
  hoursEarlier: number;
  /** Uploaded again: the same fields in another order. */
  revision: number;
  /** Part of the object that was uploaded, 0 to 1; its index names no more. */
  whole: number;
  /** Part of the index that was uploaded, 0 to 1. */
  wholeIndex: number;
  distortion: Distortion | undefined;
  /** Fields that are not in it, by their names in the file. */
  lacks: readonly string[];
}

export const asPublished: Variant = {
  hoursEarlier: 0,
  revision: 0,
  whole: 1,
  wholeIndex: 1,
  distortion: undefined,
  lacks: [],
};

/** An object of a host. */
export interface Published {
  /** When it appears and, if it does, goes; Unix seconds. */
  from: number;
  until?: number;
  /** Status when it is gone: 404, or 403 of NOMADS. */
  statusGone?: 403 | 404;
  contentType?: string;
  /** What distinguishes this content from an earlier one of the same name. */
  version?: string;
  /** It is updated in place: yesterday's content is of yesterday by its Last-Modified too. */
  isUpdated?: true;
  /** An index: the object whose faults it shares. */
  indexOf?: string;
  pieces(variant: Variant): readonly Piece[];
}

export interface MirrorRequest {
  /** "/gfs.20260901/00/…", decoded, without the host. */
  path: string;
  query: URLSearchParams;
  /** The mirror's time, Unix seconds. */
  now: number;
}

/** The objects of one host. @returns undefined for a name that it never has. */
export type Host = (request: MirrorRequest, planet: Planet) => Published | undefined;

const utf8 = new TextEncoder();

/** @param whole Part of the text that is there. */
export function textPiece(text: string, whole = 1): Piece {
  const bytes = utf8.encode(text.slice(0, Math.ceil(text.length * whole)));
  return { length: () => bytes.length, bytes: () => bytes };
}

/** The pieces of an object that was not uploaded to its end. */
export function cutPieces(pieces: readonly Piece[], whole: number): readonly Piece[] {
  if (whole === 1) return pieces;
  const kept = pieces.slice(0, Math.ceil(pieces.length * whole));
  const last = kept.pop()!;
  // It ends within a message.
  const half = () => Math.ceil(last.length() / 2);
  return [...kept, { length: half, bytes: () => last.bytes().subarray(0, half()) }];
}

/** Unix seconds of "20260901" and "06". */
export function timeOf(day: string, hour = "00"): number {
  return Date.UTC(+day.slice(0, 4), +day.slice(4, 6) - 1, +day.slice(6, 8), +hour) / 1000;
}
