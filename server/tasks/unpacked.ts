import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** The plain bytes of a file of the room, unpacked as they are taken. Whoever stops early closes the file. */
export async function* unpacked(
  packed: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  const plain = createGunzip({ chunkSize: 64 * 1024 });
  // A failure reaches whoever reads, because it destroys what is read.
  pipeline(Readable.from(packed, { objectMode: false }), plain, () => undefined);
  yield* plain;
}
