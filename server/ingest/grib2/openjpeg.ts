import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Unreadable } from "./grib-error.ts";

/** The little of OpenJPEG's wasm build that is used here. */
interface Module {
  J2KDecoder: new () => J2kDecoder;
  HEAPU8: Uint8Array;
}

interface J2kDecoder {
  /** Room for the coded picture inside wasm. */
  getEncodedBuffer(length: number): Uint8Array;
  decode(): void;
  /** A view into wasm, gone with the next call. */
  getDecodedBuffer(): Uint8Array;
  delete(): void;
}

type Factory = (options: {
  print(line: string): void;
  printErr(line: string): void;
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ): WebAssembly.Exports;
}) => Promise<Module>;

/** Wasm memory grows and never shrinks: an instance that has grown beyond this is not kept. */
const MAX_MEMORY_KEPT = 256 * 2 ** 20;

let compiled: WebAssembly.Module | undefined;
let kept: Module | undefined;
let complaints: string[] = [];

/**
 * Decodes a JPEG 2000 code stream of one component.
 *
 * @returns The samples as OpenJPEG leaves them: an octet each up to 8 bits, two (little-endian) up to 16.
 */
export function decodeCodeStream(codeStream: Uint8Array): Uint8Array {
  kept ??= instantiate();
  const module = kept;
  // After a trap inside wasm nothing in it can be relied on.
  kept = undefined;
  complaints = [];
  let samples: Uint8Array;
  try {
    const decoder = new module.J2KDecoder();
    decoder.getEncodedBuffer(codeStream.length).set(codeStream);
    decoder.decode();
    samples = decoder.getDecodedBuffer().slice();
    decoder.delete();
  } catch (error) {
    throw new Unreadable("damaged: its JPEG 2000 picture does not decode", { cause: error });
  }
  if (module.HEAPU8.length <= MAX_MEMORY_KEPT) kept = module;
  // OpenJPEG fills what it cannot read with something, and only says so.
  if (complaints.length > 0) throw new Unreadable(`damaged: its JPEG 2000 picture: ${complaints[0]}`);
  return samples;
}

/** Instantiates without a promise: decoding runs in a worker thread, where waiting costs nobody. */
function instantiate(): Module {
  const require = createRequire(import.meta.url);
  const create = require("@cornerstonejs/codec-openjpeg/decodewasmjs") as Factory;
  compiled ??= new WebAssembly.Module(
    readFileSync(require.resolve("@cornerstonejs/codec-openjpeg/decodewasm")),
  );
  const wasm = compiled;
  const complain = (line: string) => {
    if (!line.includes("[INFO]") && line.trim() !== "") complaints.push(line.trim());
  };
  const module = {
    print: complain,
    printErr: complain,
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(wasm, imports);
      done(instance);
      return instance.exports;
    },
  };
  // The factory fills the object it is given before it returns.
  create(module);
  return module as typeof module & Module;
}
