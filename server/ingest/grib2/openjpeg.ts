import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { UnreadableError } from "./grib-error.ts";

/** The part of OpenJPEG's wasm build that is used here. */
interface Module {
  J2KDecoder: new () => J2kDecoder;
  HEAPU8: Uint8Array;
}

interface J2kDecoder {
  /** Allocates the buffer of the coded image inside wasm. */
  getEncodedBuffer(length: number): Uint8Array;
  decode(): void;
  /** A view into wasm memory, invalid after the next call. */
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

/** Wasm memory never shrinks: an instance that has grown beyond this is not reused. */
const MAX_REUSED_MEMORY = 256 * 2 ** 20;

let compiled: WebAssembly.Module | undefined;
let idle: Module | undefined;
let warnings: string[] = [];

/**
 * Decodes a JPEG 2000 code stream of one component.
 *
 * @returns The samples as OpenJPEG stores them: one octet each up to 8 bits, two (little-endian) up to 16.
 */
export function decodeCodeStream(codeStream: Uint8Array): Uint8Array {
  const module = idle ?? instantiate();
  // After a trap the instance must not be reused.
  idle = undefined;
  warnings = [];
  let samples: Uint8Array;
  try {
    const decoder = new module.J2KDecoder();
    decoder.getEncodedBuffer(codeStream.length).set(codeStream);
    decoder.decode();
    samples = decoder.getDecodedBuffer().slice();
    decoder.delete();
  } catch (error) {
    throw new UnreadableError("damaged: its JPEG 2000 picture does not decode", { cause: error });
  }
  if (module.HEAPU8.length <= MAX_REUSED_MEMORY) idle = module;
  // OpenJPEG fills unreadable samples with arbitrary values and only prints a warning.
  if (warnings.length > 0) throw new UnreadableError(`damaged: its JPEG 2000 picture: ${warnings[0]}`);
  return samples;
}

/** Instantiates synchronously: decoding runs in a worker thread. */
function instantiate(): Module {
  const require = createRequire(import.meta.url);
  const create = require("@cornerstonejs/codec-openjpeg/decodewasmjs") as Factory;
  compiled ??= new WebAssembly.Module(
    readFileSync(require.resolve("@cornerstonejs/codec-openjpeg/decodewasm")),
  );
  const wasm = compiled;
  const warn = (line: string) => {
    if (!line.includes("[INFO]") && line.trim() !== "") warnings.push(line.trim());
  };
  const module = {
    print: warn,
    printErr: warn,
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(wasm, imports);
      done(instance);
      return instance.exports;
    },
  };
  // The factory fills the given object before it returns.
  create(module);
  return module as typeof module & Module;
}
