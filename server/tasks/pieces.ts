import { crc32 } from "node:zlib";
import type { BlobStore } from "#server/platform/blob-store.ts";
import type { DeflatedPart } from "#server/platform/gzip-parts.ts";
import { BlobDamagedError } from "./gzip-blobs.ts";
import type { Task } from "./task.ts";

/**
 * Part of a result, computed by one claim. Its blob has the compressed texts one after another, then JSON that
 * describes them, then length and CRC-32 of that JSON as two little-endian words.
 */
export interface Piece<Note = unknown> {
  /** Compressed text for each list of the result. */
  columns: readonly DeflatedPart[];
  /** Further data for the end of the task, as JSON. */
  note: Note;
}

/** A piece that is read on demand. */
export interface StoredPiece<Note = unknown> {
  note: Note;
  /** @throws BlobDamagedError */
  column(index: number): Promise<DeflatedPart>;
}

interface Description {
  columns: { bytes: number; crc: number; length: number; stored: number }[];
  note: unknown;
}

const END_BYTES = 8;

/** Longest description, bytes. A piece that claims a longer one is damaged. */
const MAX_DESCRIPTION_BYTES = 64 * 2 ** 20;

/** Key of the blob that a claim of a task writes. */
export function pieceName({ id, token }: Pick<Task, "id" | "token">): string {
  return `${id}.${token}.piece`;
}

export function pieceNames({ id, pieces }: Pick<Task, "id" | "pieces">): string[] {
  return pieces.map((token) => pieceName({ id, token }));
}

/** Writes a piece, which is durable when this returns. @returns Size of the blob, bytes. */
export async function putPiece(
  blobs: Pick<BlobStore, "put">,
  key: string,
  { columns, note }: Piece,
  signal?: AbortSignal,
): Promise<number> {
  const description: Description = { columns: columns.map(describe), note };
  const json = Buffer.from(JSON.stringify(description));
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(json.length, 0);
  end.writeUInt32LE(crc32(json), 4);
  const bytes = async function* () {
    for (const { blocks } of columns) yield* blocks;
    yield json;
    yield end;
  };
  await blobs.put(key, bytes(), signal);
  return description.columns.reduce((sum, column) => sum + column.bytes, json.length + END_BYTES);
}

/** @throws BlobDamagedError, also where there is no such blob. */
export async function openPiece<Note>(
  blobs: Pick<BlobStore, "getRange">,
  key: string,
): Promise<StoredPiece<Note>> {
  const read = async (offset: number, length: number) => {
    const bytes = await blobs.getRange(key, offset, length);
    if (bytes?.length !== length) throw new BlobDamagedError(key);
    return Buffer.from(bytes.buffer, bytes.byteOffset, length);
  };
  const end = await read(-END_BYTES, END_BYTES);
  const length = end.readUInt32LE(0);
  if (length > MAX_DESCRIPTION_BYTES) throw new BlobDamagedError(key);
  const json = await read(-END_BYTES - length, length);
  if (crc32(json) !== end.readUInt32LE(4)) throw new BlobDamagedError(key);
  const { columns, note } = JSON.parse(json.toString()) as Description & { note: Note };
  return {
    note,
    async column(index) {
      const offset = columns.slice(0, index).reduce((sum, { bytes }) => sum + bytes, 0);
      const { bytes, stored, crc, length } = columns[index]!;
      const block = await read(offset, bytes);
      if (crc32(block) !== stored) throw new BlobDamagedError(key);
      return { blocks: [block], crc, length };
    },
  };
}

function describe({ blocks, crc, length }: DeflatedPart): Description["columns"][number] {
  let bytes = 0;
  let stored = 0;
  for (const block of blocks) {
    bytes += block.length;
    stored = crc32(block, stored);
  }
  return { bytes, crc, length, stored };
}
