import { expect, it } from "vitest";
import { type Decimals, MIN_STORED, NULL_ENTRY, valueOfEntry } from "./map-field.ts";
import { rounded, roundedBearing } from "./round.ts";
import {
  quantiseSpeeds,
  quantiseUnitBearings,
  quantiseValues,
  quantiseVectorBearings,
} from "./round-field.ts";
import { bearingFrom, bearingTo } from "./vector.ts";

/** Components as stored, in hundredths, and interpolated ones, which may be any number. */
function components(count: number): [Float64Array, Float64Array] {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const one = (i: number) => {
    const value = 60 * random() - 30;
    if (i % 50 === 0) return Number.NaN;
    if (i % 7 === 0) return 0;
    if (i % 11 === 0) return Math.round(value) / 1000;
    return i % 2 ? Math.round(value * 100) * 0.01 : value;
  };
  return [
    Float64Array.from({ length: count }, (_, i) => one(i)),
    Float64Array.from({ length: count }, (_, i) => one(i + 3)),
  ];
}

const COUNT = 400_000;
const [x, y] = components(COUNT);
const out = new Uint16Array(COUNT);

function expectEach(decimals: Decimals, expected: (i: number) => number | null): void {
  let differing = 0;
  for (let i = 0; i < COUNT; i++) {
    const value = valueOfEntry(out[i]!, decimals);
    if (!Object.is(Number.isNaN(value) ? null : value, expected(i))) differing++;
  }
  expect(differing).toBe(0);
}

it("speeds equal those of a point, digit for digit", () => {
  quantiseSpeeds(x, y, out);
  expectEach(2, (i) => rounded(Math.hypot(x[i]!, y[i]!), 2));
});

it.each([
  ["FROM", -1, bearingFrom],
  ["TO", 1, bearingTo],
] as const)("bearings %s equal those of a point, null in a calm", (_, sense, bearing) => {
  quantiseVectorBearings(x, y, sense, out);
  expectEach(1, (i) =>
    rounded(Math.hypot(x[i]!, y[i]!), 2) === 0 ? null : roundedBearing(bearing(x[i]!, y[i]!)),
  );
});

it("waves with a missing height have a direction, waves of height 0 have none", () => {
  const entries = new Uint16Array(4);
  const height = Float64Array.of(Number.NaN, 0.004, 0.005, 2);
  quantiseUnitBearings(Float64Array.of(1, 1, 1, 0), Float64Array.of(0, 0, 0, 0), height, entries);
  expect([...entries]).toEqual([900 - MIN_STORED, NULL_ENTRY, 900 - MIN_STORED, NULL_ENTRY]);
});

it.each([0, 1, 2] as const)("values with %i decimals equal those of a point, also below 0", (decimals) => {
  const values = x.map((value) => value * 5);
  quantiseValues(values, decimals, out);
  expectEach(decimals, (i) => rounded(values[i]!, decimals));
});

it("is exact on every tenth of a degree and halfway between two, at any length", () => {
  const borders = Float64Array.from({ length: 7200 }, (_, i) => i / 20);
  for (const length of [0.006, 1, 17.3]) {
    const sines = borders.map((degrees) => length * Math.sin((degrees * Math.PI) / 180));
    const cosines = borders.map((degrees) => length * Math.cos((degrees * Math.PI) / 180));
    const entries = new Uint16Array(7200);
    quantiseVectorBearings(sines, cosines, 1, entries);
    for (let i = 0; i < 7200; i++)
      expect(valueOfEntry(entries[i]!, 1)).toBe(roundedBearing(bearingTo(sines[i]!, cosines[i]!)));
  }
});

it("speeds halfway between two hundredths are rounded like those of a point", () => {
  const along = Float64Array.from({ length: 20_000 }, (_, i) => (i + 0.5) / 100);
  const entries = new Uint16Array(along.length);
  for (const factor of [1, 0.6, 0.28]) {
    const sideways = along.map((value) => value * Math.sqrt(1 - factor * factor));
    const forward = along.map((value) => value * factor);
    quantiseSpeeds(forward, sideways, entries);
    for (let i = 0; i < along.length; i++)
      expect(valueOfEntry(entries[i]!, 2)).toBe(rounded(Math.hypot(forward[i]!, sideways[i]!), 2));
  }
});
