import { kernelsBase64 } from "./kernels.data.ts";

/** Nodes per column: the columns fit into the processor's cache. */
export const KERNEL_NODES = 8192;

/** Bytes of text per piece. */
export const PIECE_BYTES = 256 * 1024;

/** Number of nodes computed at a time. */
export const KERNEL_LANES = 4;

const COLUMN_BYTES = 2 * KERNEL_NODES;
const [X, Y, ENTRIES_AT, DOUBTS] = [0, COLUMN_BYTES, 2 * COLUMN_BYTES, 3 * COLUMN_BYTES];
const PIECE = 4 * COLUMN_BYTES;

const ENTRY_COUNT = 65_536;
const WORDS_BYTES = 8 * ENTRY_COUNT;
const tableAt = (decimals: number) => PIECE + PIECE_BYTES + decimals * (WORDS_BYTES + ENTRY_COUNT);

/** The text of every entry followed by a comma, as the eight bytes of a double, and its length. */
export interface EntryTable {
  /** ASCII text is never the bit pattern of a NaN, so a double preserves its bytes. */
  words: Float64Array;
  lengths: Uint8Array;
}

/** The functions of kernels.wat (documented there), and the memory that they read and write. */
export interface Kernels {
  /** Stored components of vectors. */
  readonly x: Int16Array;
  readonly y: Int16Array;
  readonly entries: Uint16Array;
  /** First nodes of the groups of four that the caller has to compute. */
  readonly doubts: Int32Array;
  /**
   * @param count A multiple of `KERNEL_LANES`. @returns Number of groups of four that the caller has to
   * compute.
   */
  speeds(count: number, factor: number): number;
  bearings(count: number, sense: 1 | -1, near: number): number;
  readonly piece: Uint8Array;
  /** Texts of entries by number of decimals; the caller fills them in. */
  readonly tables: readonly EntryTable[];
  /** Writes the first `count` entries into the piece. @param at Offset in the piece. @returns Offset of the end. */
  write(count: number, decimals: 0 | 1 | 2, at: number): number;
}

interface Exports {
  memory: WebAssembly.Memory;
  speeds(x: number, y: number, out: number, count: number, factor: number, doubts: number): number;
  bearings(
    x: number,
    y: number,
    out: number,
    count: number,
    sense: number,
    near: number,
    doubts: number,
  ): number;
  write(entries: number, end: number, words: number, lengths: number, at: number): number;
}

/** The kernels need WebAssembly SIMD, which every processor of the last fifteen years has. */
export const kernels: Kernels = openKernels();

function openKernels(): Kernels {
  const bytes = Uint8Array.from(atob(kernelsBase64), (character) => character.charCodeAt(0));
  if (!WebAssembly.validate(bytes))
    throw new Error("This processor lacks WebAssembly SIMD, which the service needs.");
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  const { memory, speeds, bearings, write } = instance.exports as unknown as Exports;
  const { buffer } = memory;
  return {
    x: new Int16Array(buffer, X, KERNEL_NODES),
    y: new Int16Array(buffer, Y, KERNEL_NODES),
    entries: new Uint16Array(buffer, ENTRIES_AT, KERNEL_NODES),
    doubts: new Int32Array(buffer, DOUBTS, KERNEL_NODES / KERNEL_LANES),
    speeds: (count, factor) => speeds(X, Y, ENTRIES_AT, count, factor, DOUBTS),
    bearings: (count, sense, near) => bearings(X, Y, ENTRIES_AT, count, sense, near, DOUBTS),
    piece: new Uint8Array(buffer, PIECE, PIECE_BYTES),
    tables: [0, 1, 2].map((decimals) => ({
      words: new Float64Array(buffer, tableAt(decimals), ENTRY_COUNT),
      lengths: new Uint8Array(buffer, tableAt(decimals) + WORDS_BYTES, ENTRY_COUNT),
    })),
    write(count, decimals, at) {
      const words = tableAt(decimals);
      return write(ENTRIES_AT, ENTRIES_AT + 2 * count, words, words + WORDS_BYTES, PIECE + at) - PIECE;
    },
  };
}
