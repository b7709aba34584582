/** Decoding would use more memory than the command allows. */
export class MemoryLimitError extends Error {
  override readonly name = "MemoryLimitError";
  constructor(what: string, needed: number, allowed: number) {
    super(
      `${what} takes about ${mebibytes(needed)} MiB, more than the ${mebibytes(allowed)} MiB allowed (--max-memory)`,
    );
  }
}

const PAGE = 65_536;
const MIB = 2 ** 20;

/** Throws if decoding a grid would exceed the limit, with stored numbers, unpacked numbers and the result. */
export function checkGridMemory(cells: number, maxMemory: number): void {
  const needed = cells * 8;
  if (!(needed <= maxMemory)) throw new MemoryLimitError(`a grid of ${cells} cells`, needed, maxMemory);
}

/**
 * Limits the memory of wasm modules of this thread, which a thread's resource limits do not count.
 *
 * Emscripten's modules grow by this call from JavaScript, so that an exception becomes a failed allocation inside them.
 */
export function limitWasmMemory(maxMemory: number): void {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function limited(this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE > maxMemory) throw new RangeError("wasm memory limit");
    return grow.call(this, pages);
  };
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / MIB);
}
