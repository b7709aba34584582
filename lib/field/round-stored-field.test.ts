import { expect, it } from "vitest";
import { FILL } from "#lib/catalog/fill.ts";
import {
  quantiseSpeeds,
  quantiseUnitBearings,
  quantiseValues,
  quantiseVectorBearings,
} from "./round-field.ts";
import {
  entriesOfStored,
  quantiseStoredSpeeds,
  quantiseStoredUnitBearings,
  quantiseStoredValues,
  quantiseStoredVectorBearings,
} from "./round-stored-field.ts";

const COUNT = 300_000;

/** Small numbers, the full range of int16, zeros and missing values. */
function storedNumbers(seed: number): Int16Array {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return Int16Array.from({ length: COUNT }, (_, i) => {
    const value = 2 * random() - 1;
    if (i % 53 === 0) return FILL;
    if (i % 7 === 0) return 0;
    return Math.round(value * (i % 3 ? 3000 : i % 2 ? 32_767 : 12));
  });
}

const x = storedNumbers(7);
const y = storedNumbers(11);
const height = storedNumbers(13);

const numbersOf = (stored: Int16Array, scale: number, offset = 0) =>
  Float64Array.from(stored, (value) => (value === FILL ? Number.NaN : value * scale + offset));

function expectSame(stored: (out: Uint16Array) => void, plain: (out: Uint16Array) => void): void {
  const [found, expected] = [new Uint16Array(COUNT), new Uint16Array(COUNT)];
  stored(found);
  plain(expected);
  expect(found.findIndex((entry, i) => entry !== expected[i])).toBe(-1);
}

it.each([0.01, 0.005, 0.001])("stored vectors of scale %d are rounded like their values", (scale) => {
  const [u, v] = [numbersOf(x, scale), numbersOf(y, scale)];
  expectSame(
    (out) => quantiseStoredSpeeds(x, y, scale, out),
    (out) => quantiseSpeeds(u, v, out),
  );
  for (const sense of [1, -1] as const)
    expectSame(
      (out) => quantiseStoredVectorBearings(x, y, scale, sense, out),
      (out) => quantiseVectorBearings(u, v, sense, out),
    );
});

it.each([0, 1, 2, 3, 4, 5, 7, 8191, 8192, 8193, 8197])(
  "a grid of %i nodes is rounded to its last one",
  (count) => {
    const [u, v] = [x.subarray(5, 5 + count), y.subarray(9, 9 + count)];
    const [found, expected] = [new Uint16Array(count), new Uint16Array(count)];
    quantiseStoredVectorBearings(u, v, 0.01, 1, found);
    quantiseVectorBearings(numbersOf(u, 0.01), numbersOf(v, 0.01), 1, expected);
    expect(found).toEqual(expected);
  },
);

it("stored values, also with an offset, and wave bearings, also with height 0 or missing, are rounded like their values", () => {
  const packing = { scale: 0.002, offset: 0 };
  const metres = numbersOf(height, packing.scale);
  for (const decimals of [0, 1, 2] as const)
    for (const offset of [0, 20])
      expectSame(
        (out) => quantiseStoredValues(height, entriesOfStored({ ...packing, offset }, decimals), out),
        (out) => quantiseValues(numbersOf(height, packing.scale, offset), decimals, out),
      );
  expectSame(
    (out) => quantiseStoredUnitBearings(x, y, height, entriesOfStored(packing, 2), out),
    (out) => quantiseUnitBearings(numbersOf(x, 0.0001), numbersOf(y, 0.0001), metres, out),
  );
});
