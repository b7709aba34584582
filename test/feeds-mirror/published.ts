import type { Distortion } from "./distortions.ts";
import type { Planet } from "./planet.ts";

/** Bytes of an object, computed when they are requested. */
export interface Piece {
  length(): number;
  bytes(): Uint8Array;
}

/** Variant of an object that faults select. */
export interface Variant {
  /** Hours by which the content is too old. */
  hoursEarlier: number;
  /** Number of repeated uploads; each has the same fields in another order. */
  revision: number;
  /** Share of the object that was uploaded, 0 to 1; its index names no more. */
  whole: number;
  /** Share of the index that was uploaded, 0 to 1. */
  wholeIndex: number;
  distortion: Distortion | undefined;
  /** Fields that are missing, by their names in the file. */
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

export interface Published {
  /** Time of its publication and of its removal, if any, Unix seconds. */
  from: number;
  until?: number;
  /** Status after its removal: 404, or 403 at NOMADS. */
  statusGone?: 403 | 404;
  contentType?: string;
  /** Distinguishes this content from an earlier one of the same name. */
  version?: string;
  /** Whether it is updated in place, so that an older variant also has an older Last-Modified. */
  isUpdated?: true;
  /** For an index: the object whose faults it shares. */
  indexOf?: string;
  pieces(variant: Variant): readonly Piece[];
}

export interface MirrorRequest {
  /** "/gfs.20260901/00/…", decoded, without the host. */
  path: string;
  query: URLSearchParams;
  /** The mirror's clock, Unix seconds. */
  now: number;
}

/** Finds an object of one host. @returns undefined for a name that the host never has. */
export type Host = (request: MirrorRequest, planet: Planet) => Published | undefined;

const utf8 = new TextEncoder();

/** @param whole Share of the text that is present. */
export function textPiece(text: string, whole = 1): Piece {
  const bytes = utf8.encode(text.slice(0, Math.ceil(text.length * whole)));
  return { length: () => bytes.length, bytes: () => bytes };
}

/** The pieces of an object whose upload was interrupted. */
export function cutPieces(pieces: readonly Piece[], whole: number): readonly Piece[] {
  if (whole === 1) return pieces;
  const kept = pieces.slice(0, Math.ceil(pieces.length * whole));
  const last = kept.pop()!;
  // The object ends within a message.
  const half = () => Math.ceil(last.length() / 2);
  return [...kept, { length: half, bytes: () => last.bytes().subarray(0, half()) }];
}

/** Unix seconds of a date such as "20260901" and an hour such as "06". */
export function timeOf(day: string, hour = "00"): number {
  return Date.UTC(+day.slice(0, 4), +day.slice(4, 6) - 1, +day.slice(6, 8), +hour) / 1000;
}
