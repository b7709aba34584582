import { crc32cTables } from "#server/archive/shard.ts";
import { kernelsBase64 } from "./planes.data.ts";

/** Stored chunks that are read together. */
export const INPUT_BYTES = 128 * 1024;
/** Values of the largest chunk. */
export const MAX_PLANE_VALUES = 8192;
/** Number of values that one pass joins from their planes. */
export const PLANE_GROUP = 128;

/** Bytes are copied sixteen at a time. */
const SLACK = 64;
const BLOCK_BYTES = 2 * MAX_PLANE_VALUES + SLACK;
const PLANES = INPUT_BYTES + SLACK;
const VALUES = PLANES + BLOCK_BYTES;
const ROOM = VALUES + BLOCK_BYTES;
const CRC_TABLES = ROOM + 512;

/** The functions of planes.wat (documented there), and the memory that they read and write. */
export interface PlaneKernels {
  /** The caller reads bytes of files into this memory. */
  readonly input: Uint8Array<ArrayBuffer>;
  /**
   * A chunk as `encodePlanes` makes it, followed by its CRC-32C.
   *
   * @param at Offset of the chunk in `input`.
   * @param kind The first four bytes that it must have.
   * @param count Values, a multiple of `PLANE_GROUP`, `MAX_PLANE_VALUES` at most.
   * @returns Int16 as little-endian bytes, valid until the next call; or what is wrong.
   */
  decodeSealed(at: number, length: number, kind: number, count: number): Uint8Array | "checksum" | "form";
  /** The bit planes of values, valid until the next call. @param values As many as `decodeSealed` takes. */
  split(values: Uint8Array): Uint8Array;
}

interface Exports {
  memory: WebAssembly.Memory;
  split(values: number, planes: number, count: number, room: number): void;
  chunk(
    at: number,
    length: number,
    kind: number,
    size: number,
    planes: number,
    values: number,
    room: number,
    tables: number,
  ): number;
}

/** The kernels need WebAssembly SIMD, which every processor of the last fifteen years supports. */
export const planeKernels: PlaneKernels = openKernels();

function openKernels(): PlaneKernels {
  const bytes = Uint8Array.from(atob(kernelsBase64), (character) => character.charCodeAt(0));
  if (!WebAssembly.validate(bytes))
    throw new Error("This processor lacks WebAssembly SIMD, which the service needs.");
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  const { memory, split, chunk } = instance.exports as unknown as Exports;
  const all = new Uint8Array(memory.buffer as ArrayBuffer);
  new Int32Array(memory.buffer, CRC_TABLES, crc32cTables.length).set(crc32cTables);
  let view = all.subarray(VALUES, VALUES);
  /** Chunks of an archive are equally long, so the view of the previous chunk is reused. */
  const valuesOf = (count: number) => {
    if (view.length !== 2 * count) view = all.subarray(VALUES, VALUES + 2 * count);
    return view;
  };
  return {
    input: all.subarray(0, INPUT_BYTES),
    decodeSealed(at, length, kind, count) {
      const wrong = chunk(at, length, kind, 2 * count, PLANES, VALUES, ROOM, CRC_TABLES);
      if (wrong === 0) return valuesOf(count);
      return wrong === 1 ? "checksum" : "form";
    },
    split(values) {
      all.set(values, VALUES);
      split(VALUES, PLANES, values.length / 2, ROOM);
      return all.subarray(PLANES, PLANES + values.length);
    },
  };
}
