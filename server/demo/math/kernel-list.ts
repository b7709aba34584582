import type { Kernel } from "./kernel.ts";

const NUMBERS = 9;

/** One place for all lists: who reads a kernel uses it before the next is read. */
const current: Kernel = {
  latitude: 0.5,
  longitude: 0.5,
  radius: 0.5,
  amplitude: 0.5,
  x: 0.5,
  y: 0.5,
  z: 0.5,
  sharpness: 0.5,
  chord: 0.5,
};

/**
 * Kernels of one time, as numbers without objects. A time has up to five hundred of them, which are cached for so long that
 * a collection of young objects does not free them: as objects they caused full collections several times a second.
 */
export class KernelList {
  readonly length: number;
  readonly #numbers: Float64Array;

  constructor(kernels: readonly Kernel[]) {
    this.length = kernels.length;
    this.#numbers = new Float64Array(NUMBERS * kernels.length);
    const numbers = this.#numbers;
    for (let index = 0, to = 0; index < kernels.length; index++, to += NUMBERS) {
      const one = kernels[index]!;
      numbers[to] = one.latitude;
      numbers[to + 1] = one.longitude;
      numbers[to + 2] = one.radius;
      numbers[to + 3] = one.amplitude;
      numbers[to + 4] = one.x;
      numbers[to + 5] = one.y;
      numbers[to + 6] = one.z;
      numbers[to + 7] = one.sharpness;
      numbers[to + 8] = one.chord;
    }
  }

  /** @returns Valid until the next call on any list. */
  at(index: number): Readonly<Kernel> {
    const numbers = this.#numbers;
    const from = NUMBERS * index;
    current.latitude = numbers[from]!;
    current.longitude = numbers[from + 1]!;
    current.radius = numbers[from + 2]!;
    current.amplitude = numbers[from + 3]!;
    current.x = numbers[from + 4]!;
    current.y = numbers[from + 5]!;
    current.z = numbers[from + 6]!;
    current.sharpness = numbers[from + 7]!;
    current.chord = numbers[from + 8]!;
    return current;
  }
}
