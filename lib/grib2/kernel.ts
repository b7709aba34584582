/** Compiles the bytes of a WebAssembly module, which are base64. */
export function compiled(base64: string): WebAssembly.Module {
  return new WebAssembly.Module(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}
