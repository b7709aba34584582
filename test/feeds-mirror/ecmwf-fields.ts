import { type AnalyticField, analyticValues } from "./analytic.ts";
import type { Parameter } from "./grib-message.ts";
import type { GribField } from "./grib-object.ts";

const HOUR_S = 3600;
/** Water: kilograms on a square metre to metres. */
const METRES_A_KILOGRAM = 1 / 1000;

interface Row {
  param: string;
  parameter: Parameter;
  field: AnalyticField;
  decimals: number;
  /** value of the file = value of the catalog × scale + offset. */
  scale?: number;
  offset?: number;
  /** The maximum since the output before, or the sum since the start. */
  statistic?: "maximum" | "accumulation";
}

const surface = { type: 1 };
const seaLevel = { type: 101 };
const heightAbove = (metres: number) => ({ type: 103, value: metres });
const wind = (param: string, number: number, height: number, field: AnalyticField): Row => ({
  param,
  parameter: { code: [0, 2, number], surface: heightAbove(height) },
  field,
  decimals: 2,
});

const atmosphere: readonly Row[] = [
  wind("10u", 2, 10, "eastward_wind_10m"),
  wind("10v", 3, 10, "northward_wind_10m"),
  wind("100u", 2, 100, "eastward_wind_100m"),
  wind("100v", 3, 100, "northward_wind_100m"),
  { ...wind("10fg", 22, 10, "wind_speed_of_gust"), statistic: "maximum" },
  {
    param: "msl",
    parameter: { code: [0, 3, 0], surface: seaLevel },
    field: "air_pressure_at_mean_sea_level",
    decimals: 1,
    scale: 100,
  },
  {
    param: "2t",
    parameter: { code: [0, 0, 0], surface: heightAbove(2) },
    field: "air_temperature",
    decimals: 2,
    offset: 273.15,
  },
  {
    param: "tcc",
    parameter: { code: [0, 6, 192], surface },
    field: "cloud_area_fraction",
    decimals: 4,
    scale: 0.01,
  },
  {
    param: "mucape",
    parameter: { code: [0, 7, 6], surface: { type: 17 } },
    field: "atmosphere_convective_available_potential_energy",
    decimals: 0,
  },
  {
    param: "tprate",
    parameter: { code: [0, 1, 52], surface },
    field: "precipitation_flux",
    decimals: 7,
    scale: 1 / HOUR_S,
  },
  {
    param: "tp",
    parameter: { code: [0, 1, 193], surface },
    field: "precipitation_flux",
    decimals: 6,
    scale: METRES_A_KILOGRAM,
    statistic: "accumulation",
  },
];

const wave = (param: string, number: number, field: AnalyticField): Row => ({
  param,
  parameter: { code: [10, 0, number], surface },
  field,
  decimals: 2,
});

const waves: readonly Row[] = [
  wave("swh", 3, "sea_surface_wave_significant_height"),
  wave("mwd", 14, "sea_surface_wave_from_direction"),
  // The peak period is another quantity than the mean period: that of the swell stands for it.
  wave("pp1d", 34, "sea_surface_swell_wave_mean_period"),
  wave("mwp", 15, "sea_surface_wave_mean_period"),
];

/** Hours before a lead at which the output before was: three-hourly to 144 h, then six-hourly. */
function hoursBefore(lead: number): number {
  return lead <= 144 ? 3 : 6;
}

/** The messages of a step of ECMWF's open data. @param cycle Unix seconds. @param lead Hours. */
export function ecmwfFields(stream: "oper" | "wave", cycle: number, lead: number): GribField[] {
  const rows = stream === "oper" ? atmosphere : waves;
  // At the start there is no window yet.
  return rows
    .filter(({ statistic }) => statistic === undefined || lead > 0)
    .map((row) => fieldOf(row, cycle, lead));
}

function fieldOf(row: Row, cycle: number, lead: number): GribField {
  const { param, parameter, field, decimals, scale = 1, offset = 0, statistic } = row;
  const hours = statistic === "accumulation" ? lead : statistic === "maximum" ? hoursBefore(lead) : 0;
  const to = cycle + lead * HOUR_S;
  const from = to - hours * HOUR_S;
  const factor = statistic === "accumulation" ? scale * hours : scale;
  // The largest gust of a window is that of its end here.
  const window = statistic === "maximum" ? { from: to, to } : { from, to };
  return {
    element: param,
    level: "sfc",
    window: String(lead),
    parameter,
    validity: { cycle, from, to, ...(statistic === undefined ? {} : { statistic }) },
    decimals,
    there: parameter.code[0] === 10 ? "sea" : "everywhere",
    values: (nodes) => {
      const values = analyticValues(field, nodes, window);
      for (let i = 0; i < values.length; i++) values[i] = values[i]! * factor + offset;
      return values;
    },
  };
}
