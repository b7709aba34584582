import { windField, windHeights } from "#lib/catalog/wind.ts";
import {
  bearingX,
  bearingY,
  combinedDirection,
  combinedHeight,
  combinedPeriod,
  sum,
  unchanged,
} from "./convert.ts";
import { type Choice, type FieldRule, modelName, type Source, variable } from "./source.ts";

/** Sea water velocity toward east or north, most complete first: circulation, tides and Stokes drift. */
function current(total: string, circulation: string, tide: string, stokes: string): Choice[] {
  const velocity = (name: string) => variable(name, "m s-1");
  return [
    { needs: [velocity(total)], convert: unchanged },
    { needs: [velocity(circulation), velocity(tide), velocity(stokes)], convert: sum },
    { needs: [velocity(circulation), velocity(tide)], convert: sum, comment: "without Stokes drift" },
    { needs: [velocity(circulation)], convert: unchanged, comment: "without tides and Stokes drift" },
  ];
}

function waveSystem(
  name: "sea_surface_wave" | "sea_surface_wind_wave",
  height: string,
  periods: readonly { variable: string; comment?: string }[],
  direction: string,
): FieldRule[] {
  return [
    {
      field: `${name}_significant_height`,
      choices: [{ needs: [variable(height, "m")], convert: unchanged }],
    },
    {
      field: `${name}_mean_period`,
      choices: periods.map((period) => ({
        needs: [variable(period.variable, "s")],
        convert: unchanged,
        comment: period.comment,
      })),
    },
    {
      field: `${name}_from_direction_x`,
      choices: [{ needs: [variable(direction, "degree")], convert: bearingX }],
    },
    {
      field: `${name}_from_direction_y`,
      choices: [{ needs: [variable(direction, "degree")], convert: bearingY }],
    },
  ];
}

/** Both swell partitions, or the first if a file has no second. */
const swellPartitions = [
  { numbers: [1, 2], comment: "swell partitions 1 and 2 together, weighted by energy" },
  { numbers: [1], comment: "swell partition 1" },
];

const swellHeights = (numbers: readonly number[]) => numbers.map((n) => variable(`VHM0_SW${n}`, "m"));
const swellPeriods = (numbers: readonly number[]) =>
  numbers.flatMap((n) => [variable(`VHM0_SW${n}`, "m"), variable(`VTM01_SW${n}`, "s")]);
const swellDirections = (numbers: readonly number[]) =>
  numbers.flatMap((n) => [variable(`VHM0_SW${n}`, "m"), variable(`VMDR_SW${n}`, "degree")]);

const swell: FieldRule[] = [
  {
    field: "sea_surface_swell_wave_significant_height",
    choices: swellPartitions.map(({ numbers, comment }) => ({
      needs: swellHeights(numbers),
      convert: combinedHeight,
      comment,
    })),
  },
  {
    field: "sea_surface_swell_wave_mean_period",
    choices: swellPartitions.map(({ numbers, comment }) => ({
      needs: swellPeriods(numbers),
      convert: combinedPeriod,
      comment,
    })),
  },
  ...(["x", "y"] as const).map(
    (part): FieldRule => ({
      field: `sea_surface_swell_wave_from_direction_${part}`,
      choices: swellPartitions.map(({ numbers, comment }) => ({
        needs: swellDirections(numbers),
        convert: combinedDirection(part),
        comment,
      })),
    }),
  ),
];

const carriedWind = "GFS wind carried in the same file";
const winds: FieldRule[] = windHeights.flatMap((height) =>
  (["eastward", "northward"] as const).map((toward) => ({
    field: windField(toward, height),
    choices: [
      {
        needs: [
          variable(
            `${toward === "eastward" ? "u" : "v"}-component_of_wind_height_above_ground`,
            "m s-1",
            height,
          ),
        ],
        convert: unchanged,
        comment: carriedWind,
      },
    ],
  })),
);

/**
 * Copernicus Marine: SMOC currents, waves, sea temperature, and GFS wind in files that include it.
 *
 * VMDR and its likes are directions that waves come FROM.
 */
export const cmems: Source = {
  name: "cmems",
  title: "Copernicus Marine: currents with tides, waves, sea temperature (NetCDF)",
  dataset: "Forecast",
  model: modelName("Copernicus Marine"),
  rules: [
    { field: "surface_eastward_sea_water_velocity", choices: current("utotal", "uo", "utide", "vsdx") },
    { field: "surface_northward_sea_water_velocity", choices: current("vtotal", "vo", "vtide", "vsdy") },
    ...waveSystem(
      "sea_surface_wave",
      "VHM0",
      [
        { variable: "VTM10" },
        { variable: "VTPK", comment: "period of the spectral peak, in place of the mean period" },
      ],
      "VMDR",
    ),
    ...waveSystem("sea_surface_wind_wave", "VHM0_WW", [{ variable: "VTM01_WW" }], "VMDR_WW"),
    ...swell,
    {
      field: "sea_surface_temperature",
      choices: ["thetao", "sst", "analysed_sst"].map((name) => ({
        needs: [variable(name, "degC")],
        convert: unchanged,
        comment: name === "thetao" ? "potential temperature of the uppermost model level" : undefined,
      })),
    },
    ...winds,
    {
      field: "wind_speed_of_gust",
      choices: [
        { needs: [variable("Wind_speed_gust_surface", "m s-1")], convert: unchanged, comment: carriedWind },
      ],
    },
    {
      field: "air_pressure_at_mean_sea_level",
      choices: [
        {
          needs: [variable("Pressure_reduced_to_MSL_msl", "hPa")],
          convert: unchanged,
          comment: "GFS pressure carried in the same file",
        },
      ],
    },
  ],
};
