import { expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { unchanged, variable } from "#server/ingest/sources/source.ts";
import { decodeStep } from "./decode-step.ts";
import type { NetcdfRecord } from "./record.ts";

const axis = { start: 0, step: 1, count: 1 };
const place = { file: "a.nc", grid: { latitude: { ...axis, count: 3 }, longitude: axis } };
const time = { validTime: 0, referenceTime: 0, step: 0, levelIndex: 0, nearestSurface: true };
const record: NetcdfRecord = { kind: "netcdf", variable: "any", units: "m", ...place, ...time };

/** A step of a field whose file has these numbers. */
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
