import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { coordinate, normaliseLongitude } from "@open-metocean/geo/grid";
import { describe, expect, it } from "vitest";
import { bufferSource } from "./byte-source.ts";
import { decodeGrib2, decodeInScanOrder } from "./decode.ts";
import { scanGrib2 } from "./scan.ts";
import type { Grib2Field } from "./sections.ts";

/** One field of fixtures/templates.grib2, as read by eccodes in make_fixtures.py. */
interface Case {
  name: string;
  message: number;
  /** Float32, little-endian, deflated, base64; in the order of the message. */
  values: string;
  /** Whether the value encodes the position. */
  places?: boolean;
  /** South and west edge. */
  start?: [number, number];
  step?: [number, number];
  count?: [number, number];
}

const fixtures = new URL("./fixtures/", import.meta.url);
const cases: Case[] = JSON.parse(readFileSync(new URL("templates.json", fixtures), "utf8"));
const source = bufferSource("templates.grib2", readFileSync(new URL("templates.grib2", fixtures)));
const { fields, rejected, messages } = scanGrib2(source);

it("finds every field of every message", () => {
  expect(rejected).toEqual([]);
  expect(messages).toBe(cases.at(-1)?.message);
  expect(fields.map((field) => field.message)).toEqual(cases.map((one) => one.message));
  expect(fields.slice(-4).map((field) => field.part)).toEqual([1, 2, 3, 4]);
});

describe("reads what eccodes reads", () => {
  it.each(cases.map((one, index) => ({ ...one, index })))("$name", ({ values, index }) => {
    const inflated = inflateSync(Buffer.from(values, "base64"));
    const expected = new Float32Array(inflated.buffer, inflated.byteOffset, inflated.length / 4);
    expectSame(decodeInScanOrder(source, fields[index]!), expected);
  });
});

const placed = cases.map((one, index) => ({ ...one, field: fields[index]! })).filter((one) => one.places);

describe("reorders any grid to rows from the south and columns eastward from −180", () => {
  it.each(placed)("$name", ({ field, start, step, count }) => {
    const { latitude, longitude } = field.grid;
    expect([latitude.count, longitude.count]).toEqual(count);
    expect(latitude.start).toBeCloseTo(start![0], 9);
    expect(longitude.start).toBeCloseTo(start![1], 9);
    if (step !== undefined) {
      expect(latitude.step).toBeCloseTo(step[0], 9);
      expect(longitude.step).toBeCloseTo(step[1], 9);
    }
    expectPlaces(field);
  });
});

describe("reads time and level of a field", () => {
  const [instant, average] = fields.slice(-4) as [Grib2Field, Grib2Field];
  const reference = Date.UTC(2024, 1, 29) / 1000;

  it("at an instant", () => {
    const time = reference + 6 * 3600;
    expect(instant.referenceTime).toBe(reference);
    expect(instant.time).toEqual({ kind: "instant", start: time, end: time });
    expect(instant.level).toEqual({ type: 103, value: 2 });
    expect(instant.level2).toBeUndefined();
  });

  it("over a window", () => {
    expect(average.time).toEqual({
      kind: "average",
      start: reference + 6 * 3600,
      end: reference + 12 * 3600,
    });
  });
});

function expectSame(values: Float32Array, expected: Float32Array): void {
  expect(values.length).toBe(expected.length);
  let missing = 0;
  let worst = 0;
  for (let index = 0; index < expected.length; index++) {
    const [value, right] = [values[index]!, expected[index]!];
    if (Number.isNaN(value) !== Number.isNaN(right)) missing++;
    else if (value !== right && !Number.isNaN(right)) {
      worst = Math.max(worst, Math.abs(value - right) / Math.abs(right));
    }
  }
  expect(missing).toBe(0);
  expect(worst).toBeLessThan(1e-6);
}

/** Expects every value to encode its position on the grid: 10 · latitude + longitude / 100. */
function expectPlaces(field: Grib2Field): void {
  const { latitude, longitude } = field.grid;
  const values = decodeGrib2(source, field);
  let worst = 0;
  for (let row = 0, index = 0; row < latitude.count; row++) {
    for (let column = 0; column < longitude.count; column++, index++) {
      const east = normaliseLongitude(Math.round(coordinate(longitude, column) * 1e6) / 1e6);
      const place = 10 * coordinate(latitude, row) + east / 100;
      worst = Math.max(worst, Math.abs(values[index]! - place));
    }
  }
  expect(worst).toBeLessThan(1e-4);
}
