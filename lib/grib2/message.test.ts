import { describe, expect, it } from "vitest";
import { hasEccodes, readByEccodes } from "../../test/eccodes.ts";
import { seeded } from "../../test/seeded.ts";
import { bufferSource } from "./byte-source.ts";
import { decodeInScanOrder } from "./decode.ts";
import { type GribMessage, type GribPacking, gribMessage, onRegularGrid, regularGrid } from "./message.ts";
import { codedValues } from "./packing.ts";
import { scanGrib2 } from "./scan.ts";

const random = seeded(7);
const base = Date.UTC(2026, 0, 1, 6) / 1000;

const axis = (start: number, step: number, count: number) =>
  Float64Array.from({ length: count }, (_, i) => start + i * step);
const wrapped = (longitude: Float64Array) => longitude.map((value) => (value > 180 ? value - 360 : value));

interface Case {
  latitude: Float64Array;
  longitude: Float64Array;
  /** Value at a node. */
  value(lat: number, lon: number): number;
  decimals: number;
}

const smooth = (lat: number, lon: number) => 1013 + 20 * Math.sin(lat / 9) * Math.cos(lon / 7);
const coast = (lat: number, lon: number) =>
  Math.sin(lat / 3) + Math.cos(lon / 4) > 0.7 ? Number.NaN : smooth(lat, lon);
const box = { latitude: axis(40, 0.25, 37), longitude: axis(-20, 0.25, 53) };

const cases: [string, Case][] = [
  ["a smooth field", { ...box, value: smooth, decimals: 2 }],
  ["coasts", { ...box, value: coast, decimals: 2 }],
  ["noise with gaps", { ...box, value: () => (random() < 0.3 ? Number.NaN : random() * 4000), decimals: 0 }],
  ["one number everywhere", { ...box, value: () => -3.25, decimals: 2 }],
  ["a point", { latitude: axis(48.5, 1, 1), longitude: axis(-5, 1, 1), value: () => 12.34, decimals: 2 }],
  ["a row", { latitude: axis(0, 1, 1), longitude: axis(170, 0.5, 41), value: smooth, decimals: 1 }],
  [
    "across the antimeridian",
    { latitude: axis(-20, 1 / 3, 61), longitude: axis(170, 1 / 3, 61), value: coast, decimals: 3 },
  ],
  [
    "the globe with its poles",
    { latitude: axis(-90, 2, 91), longitude: axis(-180, 2, 180), value: coast, decimals: 2 },
  ],
  ["steps from small to very large", { ...box, value: (_, lon) => 10 ** ((lon + 20) / 3), decimals: 2 }],
  [
    "three numbers",
    { latitude: axis(10, 1, 1), longitude: axis(10, 1, 3), value: (_, lon) => lon * lon, decimals: 1 },
  ],
];

function written(
  { latitude, longitude, value, decimals }: Case,
  packing: GribPacking,
  part: Partial<GribMessage> = {},
) {
  const grid = regularGrid(latitude, wrapped(longitude));
  const numbers = Float64Array.from({ length: latitude.length * longitude.length }, (_, i) =>
    value(latitude[Math.floor(i / longitude.length)]!, longitude[i % longitude.length]!),
  );
  const values = codedValues(numbers, longitude.length, decimals);
  const bytes = gribMessage(
    {
      discipline: 0,
      category: 2,
      number: 2,
      surface: { type: 103, value: 10 },
      grid,
      referenceTime: base,
      validTime: base + 9 * 3600,
      synthetic: false,
      values,
      ...part,
    },
    packing,
  );
  // The expected values have rows north to south, rounded to the decimals.
  const scale = 10 ** decimals;
  const expected: (number | null)[] = [];
  for (let row = latitude.length - 1; row >= 0; row--)
    for (let i = 0; i < longitude.length; i++) {
      const number = numbers[row * longitude.length + i]!;
      expected.push(Number.isNaN(number) ? null : Math.floor(number * scale + 0.5) / scale);
    }
  return { bytes, expected };
}

function expectSame(read: ArrayLike<number | null>, expected: (number | null)[], decimals: number): void {
  expect(read.length).toBe(expected.length);
  let worst = 0;
  for (const [i, number] of expected.entries()) {
    const found = read[i] ?? Number.NaN;
    if (
      number === null
        ? !Number.isNaN(found)
        : !(Math.abs(found - number) <= 10 ** -decimals / 4 + Math.abs(number) * 1e-7)
    )
      expect([i, found]).toEqual([i, number]);
    else if (number !== null) worst = Math.max(worst, Math.abs(found - number));
  }
}

describe.each(["simple", "complex"] as const)(
  "%s packing is read back by our decoder, number for number",
  (packing) => {
    it.each(cases)("%s", (_, one) => {
      const { bytes, expected } = written(one, packing);
      const source = bufferSource("written", bytes);
      const { fields, rejected } = scanGrib2(source);
      expect(rejected).toEqual([]);
      const [field] = fields;
      expect(field).toMatchObject({
        discipline: 0,
        category: 2,
        parameter: 2,
        level: { type: 103, value: 10 },
        referenceTime: base,
        time: { kind: "instant", start: base + 9 * 3600 },
      });
      expect(field!.scan).toMatchObject({ westward: false, northward: false });
      expect(field!.grid.latitude.start).toBeCloseTo(one.latitude[0]!, 5);
      expectSame(decodeInScanOrder(source, field!), expected, one.decimals);
    });
  },
);

describe.skipIf(!hasEccodes())("is read by others, number for number and gap for gap", () => {
  it.each(["simple", "complex"] as const)("eccodes, %s packing", (packing) => {
    const all = cases.map(([, one]) => written(one, packing));
    const read = readByEccodes(Buffer.concat(all.map(({ bytes }) => bytes)));
    expect(read).toHaveLength(cases.length);
    for (const [i, [name, { latitude, longitude, decimals }]] of cases.entries()) {
      const { values, first, ...keys } = read[i]!;
      expect(keys, name).toMatchObject({
        shortName: "10u",
        units: "m s**-1",
        gridType: "regular_ll",
        Ni: longitude.length,
        Nj: latitude.length,
        dataDate: 20260101,
        dataTime: 600,
        validityTime: 1500,
        stepRange: "9",
        productDefinitionTemplateNumber: 0,
        packingType: expect.stringMatching(
          packing === "simple" ? /^grid_simple$/ : /^grid_(complex_spatial_differencing|simple)$/,
        ),
      });
      expect(first[0], name).toBeCloseTo(latitude.at(-1)!, 4);
      expect((first[1] + 360) % 360, name).toBeCloseTo((longitude[0]! + 360) % 360, 4);
      expectSame(values, all[i]!.expected, decimals);
    }
  });

  it("states the reference, other units of lead time, intermediate heights, and whether values are invented", () => {
    const one = cases.find(([name]) => name === "a point")![1];
    const [unknown, minutes, seconds, height] = readByEccodes(
      Buffer.concat([
        written(one, "simple", { referenceTime: undefined, synthetic: true }).bytes,
        written(one, "simple", { validTime: base + 90 * 60 }).bytes,
        written(one, "simple", { validTime: base + 3601 }).bytes,
        written(one, "simple", { surface: { type: 103, value: 12.5 } }).bytes,
      ]),
    );
    expect(unknown).toMatchObject({
      significanceOfReferenceTime: 2,
      dataTime: 1500,
      stepRange: "0",
      productionStatusOfProcessedData: 1,
    });
    expect(minutes).toMatchObject({ validityTime: 730 });
    expect(seconds).toMatchObject({ validityTime: 700 });
    expect(height!.level).toSatisfy((level: number) => level === 12.5 || level === 13);
  });
});

it("fills the gap that a regional grid leaves around the globe with missing columns", () => {
  const longitude = Float64Array.from([100, 101, 102, 110, 111]);
  const grid = regularGrid(axis(0, 1, 2), longitude);
  expect(grid).toMatchObject({ columns: 12, west: 100, east: 111, longitudeStep: 1 });
  const laid = onRegularGrid(
    grid,
    Float64Array.from({ length: 10 }, (_, i) => i),
  );
  expect([...laid.slice(0, 12)]).toEqual([0, 1, 2, ...Array(7).fill(Number.NaN), 3, 4]);
  expect(() => regularGrid(axis(0, 1, 2), Float64Array.from([0, 1, 2.5]))).toThrow(RangeError);
});
