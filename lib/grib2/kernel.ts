/** Memory never shrinks, so a use that needs more than this gets an instance of its own, bytes. */
const MAX_SHARED_BYTES = 2 ** 24;

/** Page of WebAssembly memory, bytes. */
const PAGE = 65_536;

/**
 * Compiles a WebAssembly module, whose bytes are base64.
 *
 * @returns A function that gives an instance with at least `bytes` bytes of memory, which others may have used before.
 */
export function kernelOf<T extends { memory: WebAssembly.Memory }>(base64: string): (bytes: number) => T {
  const module = new WebAssembly.Module(
    Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
  );
  const open = () => new WebAssembly.Instance(module).exports as unknown as T;
  const shared = open();
  return (bytes) => {
    const kernel = bytes > MAX_SHARED_BYTES ? open() : shared;
    const missing = bytes - kernel.memory.buffer.byteLength;
    if (missing > 0) kernel.memory.grow(Math.ceil(missing / PAGE));
    return kernel;
  };
}
