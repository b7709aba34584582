import { kernelsBase64 } from "./bit-planes.data.ts";
import { damaged } from "./code-stream.ts";
import {
  firstStates,
  nextStates,
  type Orientation,
  probabilities,
  signContexts,
  zeroContexts,
} from "./contexts.ts";

/** Addresses in the memory, which bit-planes.wat has too. */
const [STATES, PROBABILITIES, NEXT_STATES, SIGN_CONTEXTS, ZERO_CONTEXTS] = [0, 64, 448, 640, 1024];
const [FLAGS, MAGNITUDES, BYTES] = [4096, 20_480, 36_864];

/** Samples of the largest code block. */
const MAX_BLOCK = 4096;
/** Bytes of the longest code word, which the 30 planes of a block do not reach. */
const MAX_CODE_WORD = 65_536;

/** The functions of bit-planes.wat (documented there). */
interface Exports {
  memory: WebAssembly.Memory;
  start(from: number): void;
  startRaw(from: number, end: number): void;
  uniform(): number;
  significancePass(width: number, height: number, plane: number, contexts: number, causal: number): void;
  refinementPass(width: number, height: number, plane: number): void;
  cleanupPass(width: number, height: number, plane: number, contexts: number, causal: number): void;
}

const bytes = Uint8Array.from(atob(kernelsBase64), (character) => character.charCodeAt(0));
export const bitPlanes = new WebAssembly.Instance(new WebAssembly.Module(bytes))
  .exports as unknown as Exports;

const { buffer } = bitPlanes.memory;
new Int32Array(buffer, PROBABILITIES).set(probabilities);
new Uint8Array(buffer, NEXT_STATES).set(nextStates);
new Uint8Array(buffer, SIGN_CONTEXTS).set(signContexts);

const orientations = Object.keys(zeroContexts) as Orientation[];
for (const [at, orientation] of orientations.entries())
  new Uint8Array(buffer, ZERO_CONTEXTS + 512 * at).set(zeroContexts[orientation]);

export const contextsAt = (orientation: Orientation) =>
  ZERO_CONTEXTS + 512 * orientations.indexOf(orientation);
export const flags = new Int32Array(buffer, FLAGS, (MAGNITUDES - FLAGS) / 4);
/** Twice the magnitudes, row by row. */
export const magnitudes = new Int32Array(buffer, MAGNITUDES, MAX_BLOCK);

const states = new Uint8Array(buffer, STATES, firstStates.length);
const input = new Uint8Array(buffer, BYTES);

export function resetContexts(): void {
  states.set(firstStates);
}

/** Begins a code word. @param isRaw Whether it is not coded arithmetically. */
export function startCodeWord(parts: readonly Uint8Array[], isRaw: boolean): void {
  let length = 0;
  for (const part of parts) {
    if (length + part.length > MAX_CODE_WORD) throw damaged("has a code word without end");
    input.set(part, length);
    length += part.length;
  }
  input.fill(0xff, length, length + 2);
  if (isRaw) bitPlanes.startRaw(BYTES, BYTES + length);
  else bitPlanes.start(BYTES);
}
