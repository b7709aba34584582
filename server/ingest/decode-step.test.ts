import { expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { choice, unchanged, variable } from "#server/ingest/sources/source.ts";
import { feedGrid } from "#test/feeds.ts";
import { decodeOnce, decodeStep, fieldsByRecords } from "./decode-step.ts";
import type { PlannedStep } from "./plan.ts";
import type { FieldRecord, NetcdfRecord } from "./record.ts";

const axis = { start: 0, step: 1, count: 1 };
const place = { file: "a.nc", grid: { latitude: { ...axis, count: 3 }, longitude: axis } };
const time = { validTime: 0, referenceTime: 0, step: 0, levelIndex: 0, nearestSurface: true };
const record: NetcdfRecord = { kind: "netcdf", variable: "any", units: "m", ...place, ...time };

/** Decodes a step of a field whose file has these numbers. */
async function decoded(name: FieldName, values: number[]): Promise<number[]> {
  const choice = { needs: [variable("any", "m")], convert: unchanged };
  const step = { index: 0, choice, inputs: [{ selector: choice.needs[0]!, record }] };
  const decoder = { decode: async () => Float32Array.from(values) };
  return [...(await decodeStep(decoder, name, step, new AbortController().signal))];
}

it.each([
  ["cloud_area_fraction", [-2, 50, 102], [0, 50, 100]],
  ["precipitation_flux", [-0.18, Number.NaN, 3], [0, Number.NaN, 3]],
  ["atmosphere_convective_available_potential_energy", [-40, 0, 9], [0, 0, 9]],
  ["wind_speed_of_gust", [-1, 0, 9], [0, 0, 9]],
  ["sea_surface_wave_significant_height", [-0.2, 0, 9], [0, 0, 9]],
  ["sea_surface_swell_wave_from_direction_x", [-1.005, 0, 1.005], [-1, 0, 1]],
] as const)("reduces %s to its bounds where packing has put it beyond them", async (name, file, expected) => {
  expect(await decoded(name, [...file])).toEqual(expected);
});

it.each([
  ["cloud_area_fraction", 120, /makes cloud_area_fraction 120 %, which cannot be outside 0 to 100/],
  ["cloud_area_fraction", -20, /-20 %/],
  ["sea_surface_wave_mean_period", -1, /-1 s, which cannot be outside 0 to 60/],
  ["sea_surface_wave_significant_height", 41, /41 m/],
  ["eastward_wind_10m", 131, /131 m s-1/],
  ["air_pressure_at_mean_sea_level", 849, /849 hPa/],
] as const)("refuses a %s of %f", async (name, value, reason) => {
  await expect(decoded(name, [value, Number.NaN, Number.NaN])).rejects.toThrow(reason);
});

const NODES = feedGrid.latitude.count * feedGrid.longitude.count;
const { signal } = new AbortController();

const recordOf = (name: string): FieldRecord => ({
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

/** A decoder that counts its calls and returns the length of the file name as the value. */
function counting() {
  const decoded: string[] = [];
  const decode = async ({ file }: FieldRecord) => {
    decoded.push(file);
    return new Float32Array(NODES).fill(file.length);
  };
  return { decoded, decode };
}

it("decodes a record once for all fields derived from it, and gives each of them its own values", async () => {
  const [heights, periods] = [recordOf("heights"), recordOf("periods")];
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

it("holds no more values than allowed: the oldest are decoded again", async () => {
  const [one, two] = [recordOf("one"), recordOf("three")];
  const source = counting();
  const once = decodeOnce(source, [stepOf(one, two), stepOf(two, one)], 4 * NODES);
  await once.decode(one, signal);
  await once.decode(two, signal);
  expect((await once.decode(two, signal))[0]).toBe(5);
  expect((await once.decode(one, signal))[0]).toBe(3);
  expect(source.decoded).toEqual(["one", "three", "one"]);
});

it("reports a record that cannot be decoded to every field that needs it", async () => {
  const damaged = recordOf("damaged");
  const failure = new Error("damaged");
  const once = decodeOnce({ decode: () => Promise.reject(failure) }, [stepOf(damaged), stepOf(damaged)]);
  await expect(once.decode(damaged, signal)).rejects.toBe(failure);
  await expect(once.decode(damaged, signal)).rejects.toBe(failure);
});

it("groups fields that share records, even through a third field", () => {
  const [a, b, c] = [recordOf("a"), recordOf("b"), recordOf("c")];
  const field = (name: string, ...records: FieldRecord[]) => ({ name, steps: [stepOf(...records)] });
  const groups = fieldsByRecords([field("x", a), field("alone", c), field("y", b), field("z", a, b)]);
  expect(groups.map((group) => group.map(({ name }) => name))).toEqual([["alone"], ["x", "y", "z"]]);
});
