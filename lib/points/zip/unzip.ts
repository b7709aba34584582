import { PointListError } from "../list-problem.ts";

/** Most bytes that all files of one archive may inflate to. */
const MAX_INFLATED = 96_000_000;
const MAX_ENTRIES = 5000;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;

/** Files of a ZIP archive, inflated one by one when they are asked for, within one limit for all. */
export interface Archive {
  names: readonly string[];
  /** UTF-8 text of a file; undefined where there is none of that name. */
  text(name: string): Promise<string | undefined>;
}

interface Entry {
  method: number;
  /** Compressed bytes. */
  size: number;
  at: number;
}

/** @throws PointListError for a damaged archive, and one that would inflate to very much. */
export function openArchive(bytes: Uint8Array): Archive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = readDirectory(bytes, view);
  let left = MAX_INFLATED;
  return {
    names: [...entries.keys()],
    async text(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      const content = contentOf(bytes, view, entry);
      const inflated = entry.method === 0 ? content : await inflate(content, left);
      left -= inflated.length;
      if (left < 0) throw tooLarge();
      return new TextDecoder().decode(inflated);
    },
  };
}

function readDirectory(bytes: Uint8Array, view: DataView): Map<string, Entry> {
  // The end record has a comment of at most 65,535 bytes behind it.
  const lowest = Math.max(0, bytes.length - 22 - 65_535);
  let end = bytes.length - 22;
  while (end >= lowest && view.getUint32(end, true) !== END_OF_DIRECTORY) end--;
  if (end < lowest || end < 0) throw damaged();
  const count = view.getUint16(end + 10, true);
  if (count > MAX_ENTRIES) throw tooLarge();
  const entries = new Map<string, Entry>();
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) throw damaged();
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    entries.set(name, {
      method: view.getUint16(at + 10, true),
      size: view.getUint32(at + 20, true),
      at: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function contentOf(bytes: Uint8Array, view: DataView, { at, size, method }: Entry): Uint8Array {
  if (at + 30 > bytes.length || view.getUint32(at, true) !== LOCAL_HEADER) throw damaged();
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  if (start + size > bytes.length || (method !== 0 && method !== 8)) throw damaged();
  return bytes.subarray(start, start + size);
}

async function inflate(content: Uint8Array, limit: number): Promise<Uint8Array> {
  const stream = new DecompressionStream("deflate-raw");
  const writer = stream.writable.getWriter();
  // Its failure is that of the reader below.
  writer
    .write(new Uint8Array(content))
    .then(() => writer.close())
    .catch(() => undefined);
  const reader = stream.readable.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > limit) throw tooLarge();
      parts.push(value);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error instanceof PointListError ? error : damaged();
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function damaged(): PointListError {
  return new PointListError([{ code: "damaged" }]);
}

function tooLarge(): PointListError {
  return new PointListError([{ code: "largeWorkbook" }]);
}
