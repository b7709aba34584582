import { expect, it } from "vitest";
import { feedGrid } from "#test/feeds.ts";
import { decodeOnce, fieldsByRecords } from "./decode-step.ts";
import type { PlannedStep } from "./plan.ts";
import type { FieldRecord } from "./record.ts";
import { choice, variable } from "./sources/source.ts";

const NODES = feedGrid.latitude.count * feedGrid.longitude.count;
const { signal } = new AbortController();

const record = (name: string): FieldRecord => ({
  kind: "netcdf",
  file: name,
  grid: feedGrid,
  validTime: 0,
  referenceTime: 0,
  variable: name,
  units: "m",
  nearestSurface: true,
  step: 0,
  levelIndex: 0,
});
const stepOf = (...records: FieldRecord[]): PlannedStep => {
  const selector = variable("any", "m");
  const inputs = records.map((each) => ({ selector, record: each }));
  return { index: 0, choice: choice([selector], ([values]) => values!), inputs };
};

/** A decoder whose values are the length of the file's name. */
function counting() {
  const decoded: string[] = [];
  const decode = async ({ file }: FieldRecord) => {
    decoded.push(file);
    return new Float32Array(NODES).fill(file.length);
  };
  return { decoded, decode };
}

it("decodes a record once for all fields that are made of it, and gives each of them values of its own", async () => {
  const [heights, periods] = [record("heights"), record("periods")];
  const source = counting();
  const once = decodeOnce(source, [stepOf(heights), stepOf(heights, periods), stepOf(heights)]);
  const first = once.decode(heights, signal);
  const second = once.decode(heights, signal);
  (await first).fill(0);
  expect((await second)[0]).toBe(7);
  (await second).fill(1);
  expect((await once.decode(periods, signal))[0]).toBe(7);
  expect((await once.decode(heights, signal))[0]).toBe(7);
  expect(source.decoded).toEqual(["heights", "periods"]);
});

it("holds no more values than it may: the oldest are decoded again", async () => {
  const [one, two] = [record("one"), record("three")];
  const source = counting();
  const once = decodeOnce(source, [stepOf(one, two), stepOf(two, one)], 4 * NODES);
  await once.decode(one, signal);
  await once.decode(two, signal);
  expect((await once.decode(two, signal))[0]).toBe(5);
  expect((await once.decode(one, signal))[0]).toBe(3);
  expect(source.decoded).toEqual(["one", "three", "one"]);
});

it("says the same of a record that cannot be decoded to all who need it", async () => {
  const damaged = record("damaged");
  const failure = new Error("damaged");
  const once = decodeOnce({ decode: () => Promise.reject(failure) }, [stepOf(damaged), stepOf(damaged)]);
  await expect(once.decode(damaged, signal)).rejects.toBe(failure);
  await expect(once.decode(damaged, signal)).rejects.toBe(failure);
});

it("puts fields together that share records, also by a third", () => {
  const [a, b, c] = [record("a"), record("b"), record("c")];
  const field = (name: string, ...records: FieldRecord[]) => ({ name, steps: [stepOf(...records)] });
  const groups = fieldsByRecords([field("x", a), field("alone", c), field("y", b), field("z", a, b)]);
  expect(groups.map((group) => group.map(({ name }) => name))).toEqual([["alone"], ["x", "y", "z"]]);
});
