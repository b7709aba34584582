import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { ByteSource } from "@open-metocean/grib2/byte-source";

/** Bytes of the window from which small reads, such as those of headers, are served. */
const READ_AHEAD = 16 * 1024;

/** Opens a file of any size and reads only the requested ranges. Close it when done. */
export function fileSource(path: string): ByteSource & Disposable & { close(): void } {
  const file = openSync(path, "r");
  const size = fstatSync(file).size;
  let window: Uint8Array = new Uint8Array(0);
  let windowStart = 0;
  const fill = (offset: number, length: number): Uint8Array => {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(file, bytes, filled, bytes.length - filled, offset + filled);
      if (count === 0) throw new Error(`${path} has become shorter while it was read`);
      filled += count;
    }
    return bytes;
  };
  const close = () => closeSync(file);
  return {
    name: path,
    size,
    read(offset, length) {
      if (length > READ_AHEAD / 4) return fill(offset, length);
      if (offset < windowStart || offset + length > windowStart + window.length) {
        window = fill(offset, READ_AHEAD);
        windowStart = offset;
      }
      return window.subarray(offset - windowStart, offset - windowStart + length);
    },
    close,
    [Symbol.dispose]: close,
  };
}
