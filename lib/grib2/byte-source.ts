export interface ByteRange {
  offset: number;
  length: number;
}

/** Random access to the bytes of one file. Reads are synchronous, because decoders run in a worker thread. */
export interface ByteSource {
  /** Name of the file in messages. */
  readonly name: string;
  /** Size of the file, bytes. */
  readonly size: number;
  /** The bytes at `offset`; fewer than `length` at the end of the file. The caller must not modify them. */
  read(offset: number, length: number): Uint8Array;
}

/** Bytes in memory. */
export function bufferSource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
  };
}
