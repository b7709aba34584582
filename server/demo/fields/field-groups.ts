import { type FieldName, fieldsOf } from "#lib/catalog/fields.ts";
import { windField, windHeights } from "#lib/catalog/wind.ts";
import { nodesOf, type Patch } from "#server/demo/math/patch.ts";
import { sampleWorld } from "#server/demo/math/sample.ts";
import { depth } from "#server/demo/static/depth.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { currents } from "./currents.ts";
import { gust } from "./gust.ts";
import { seaSurfaceTemperature } from "./sst.ts";
import { airTemperature } from "./temperature.ts";
import { waves } from "./waves.ts";
import { weather } from "./weather.ts";
import { atmosphere, scaled, windFactor } from "./wind.ts";

/** Values of stored fields over a patch, in the units of the catalog: (rows, columns), south to north, NaN = missing. */
export type Values = Partial<Record<FieldName, Float32Array>>;

/** Fields that are computed together. */
export interface FieldGroup {
  fields: readonly FieldName[];
  /** Hours between steps; every hour where left out. */
  stepHours?: 3 | 24;
  /** Follows clock and season rather than weather: see `timingError`. */
  regular?: true;
  compute(world: World, patch: Patch): Values;
}

/** Winds above 10 m, one group per height: they are requested rarely, and never all together. */
const airAbove: FieldGroup[] = windHeights
  .filter((height) => height !== 10)
  .map((height) => ({
    fields: [windField("eastward", height), windField("northward", height)],
    compute(world, patch) {
      const { eastward, northward } = atmosphere(world, patch);
      const factor = windFactor(sampleWorld(world.static.coastDistance, nodesOf(patch.grid)), height);
      return {
        [windField("eastward", height)]: scaled(eastward, factor),
        [windField("northward", height)]: scaled(northward, factor),
      };
    },
  }));

/** Each field that the demo world has is in exactly one of these. */
export const fieldGroups: readonly FieldGroup[] = [
  {
    fields: ["air_pressure_at_mean_sea_level", "eastward_wind_10m", "northward_wind_10m"],
    compute(world, patch) {
      const { pressure, eastward, northward } = atmosphere(world, patch);
      return {
        air_pressure_at_mean_sea_level: pressure,
        eastward_wind_10m: eastward,
        northward_wind_10m: northward,
      };
    },
  },
  ...airAbove,
  {
    fields: ["wind_speed_of_gust"],
    compute: (world, patch) => ({ wind_speed_of_gust: gust(world, patch) }),
  },
  {
    fields: ["precipitation_flux", "cloud_area_fraction", "atmosphere_convective_available_potential_energy"],
    compute(world, patch) {
      const { rain, cloud, cape } = weather(world, patch);
      return {
        precipitation_flux: rain,
        cloud_area_fraction: cloud,
        atmosphere_convective_available_potential_energy: cape,
      };
    },
  },
  {
    fields: ["air_temperature"],
    regular: true,
    compute: (world, patch) => ({ air_temperature: airTemperature(world, patch) }),
  },
  {
    fields: [...fieldsOf("wave"), ...fieldsOf("extra_wave")],
    stepHours: 3,
    compute: waves,
  },
  {
    fields: ["surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"],
    regular: true,
    compute: (world, patch) => ({ ...currents(world, patch) }),
  },
  {
    fields: ["sea_surface_temperature"],
    regular: true,
    stepHours: 24,
    compute: seaSurfaceTemperature,
  },
  {
    fields: ["sea_floor_depth_below_sea_surface"],
    regular: true,
    compute: (world, patch) => ({ sea_floor_depth_below_sea_surface: depth(world, patch.grid) }),
  },
];

const groups = new Map(fieldGroups.flatMap((group) => group.fields.map((field) => [field, group] as const)));

/** The group that a field is computed with. */
export function groupOf(field: FieldName): FieldGroup {
  return groups.get(field)!;
}
