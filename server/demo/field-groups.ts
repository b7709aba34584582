import { type FieldName, fieldNames, fieldsOf } from "#lib/catalog/fields.ts";
import { windField, windHeights } from "#lib/catalog/wind.ts";
import { currents } from "./fields/currents.ts";
import { invented } from "./fields/invented.ts";
import { airTemperature, seaSurfaceTemperature } from "./fields/temperature.ts";
import { waves } from "./fields/waves.ts";
import { gust, weather } from "./fields/weather.ts";
import { atmosphere, windAtHeight } from "./fields/wind.ts";
import { nodesOf, type Patch, sample, seaOnly, worldGrid } from "./math/grid.ts";
import type { World } from "./static/world.ts";

/** Values of stored fields over a patch, in the units of the catalog: (rows, columns), south to north, NaN = missing. */
export type Values = Partial<Record<FieldName, Float32Array>>;

export interface FieldGroup {
  fields: readonly FieldName[];
  compute(world: World, patch: Patch): Values;
}

/** Shallowest sea, metres, so that interpolation near a coast does not give a depth near 0. */
const MIN_DEPTH = 3;

/** Fields with rules of their own. Winds above 10 m form a separate group, because they are rarely requested. */
const ruledGroups: readonly FieldGroup[] = [
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
  ...windHeights
    .filter((height) => height !== 10)
    .map((height): FieldGroup => {
      const [east, north] = [windField("eastward", height), windField("northward", height)];
      return {
        fields: [east, north],
        compute(world, patch) {
          const { eastward, northward } = windAtHeight(world, patch, height);
          return { [east]: eastward, [north]: northward };
        },
      };
    }),
  {
    // Gusts need rain and instability, which cost most of them, and are requested with rain and cloud.
    fields: [
      "precipitation_flux",
      "cloud_area_fraction",
      "atmosphere_convective_available_potential_energy",
      "wind_speed_of_gust",
    ],
    compute(world, patch) {
      const air = weather(world, patch);
      return {
        precipitation_flux: air.rain,
        cloud_area_fraction: air.cloud,
        atmosphere_convective_available_potential_energy: air.cape,
        wind_speed_of_gust: gust(world, patch, air),
      };
    },
  },
  {
    fields: ["air_temperature"],
    compute: (world, patch) => ({ air_temperature: airTemperature(world, patch) }),
  },
  { fields: [...fieldsOf("wave"), ...fieldsOf("extra_wave")], compute: waves },
  {
    fields: ["surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"],
    compute: (world, patch) => ({ ...currents(world, patch) }),
  },
  {
    fields: ["sea_surface_temperature"],
    compute: (world, patch) => ({ sea_surface_temperature: seaSurfaceTemperature(world, patch) }),
  },
  {
    fields: ["sea_floor_depth_below_sea_surface"],
    compute({ static: { depth, land } }, { grid }) {
      const nodes = nodesOf(grid);
      const metres = sample(depth, worldGrid, nodes).map((value) => Math.max(MIN_DEPTH, value));
      return { sea_floor_depth_below_sea_surface: seaOnly(land, nodes, metres) };
    },
  },
];

const ruled = new Set(ruledGroups.flatMap((group) => group.fields));

/**
 * Groups of all fields of the catalog, each field in exactly one. A new field gets a group even before it has a rule.
 */
export const fieldGroups: readonly FieldGroup[] = [
  ...ruledGroups,
  ...fieldNames
    .filter((field) => !ruled.has(field))
    .map(
      (field): FieldGroup => ({
        fields: [field],
        compute: (world, patch) => ({ [field]: invented(field, world, patch) }),
      }),
    ),
];

const groups = new Map(fieldGroups.flatMap((group) => group.fields.map((field) => [field, group] as const)));

export function groupOf(field: FieldName): FieldGroup {
  return groups.get(field)!;
}
