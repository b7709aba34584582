import { type AnalyticField, analyticValues } from "./analytic.ts";
import type { GribField } from "./grib-object.ts";
import type { Nodes, Window } from "./wave-forms.ts";

const HOUR_S = 3600;
const RADIANS = Math.PI / 180;

/**
 * Three partitions whose energies add up to the whole swell, and whose energy-weighted means are its period and direction:
 * part of the height, difference of the period (s) and of the direction (degrees). The squares of the parts add up to 1,
 * and the differences, weighted by the squares, to 0.
 */
const [first, second] = [0.8, 0.5];
const third = Math.sqrt(1 - first ** 2 - second ** 2);
const turned = 20;
const partitions = [
  { part: first, seconds: 1, degrees: turned },
  {
    part: second,
    seconds: -2,
    degrees: -Math.asin((first ** 2 * Math.sin(turned * RADIANS)) / second ** 2) / RADIANS,
  },
  { part: third, seconds: (2 * second ** 2 - first ** 2) / third ** 2, degrees: 0 },
];

type Change = (value: number) => number;

/** The 19 messages of GFS-Wave's file at a lead, in their order. @param cycle Unix seconds. @param lead Hours. */
export function gfsWaveFields(cycle: number, lead: number): GribField[] {
  const time = cycle + lead * HOUR_S;
  const make = (
    element: string,
    code: readonly [number, number, number],
    values: (nodes: Nodes, window: Window) => Float64Array,
    more: { there: GribField["there"]; partition?: number },
  ): GribField => ({
    element,
    level: more.partition === undefined ? "surface" : `${more.partition} in sequence`,
    window: lead === 0 ? "anl" : `${lead} hour fcst`,
    parameter: {
      code,
      surface: more.partition === undefined ? { type: 1, value: 1 } : { type: 241, value: more.partition },
    },
    validity: { cycle, from: time, to: time },
    decimals: 2,
    there: more.there,
    values: (nodes) => values(nodes, { from: time, to: time }),
  });
  const of =
    (field: AnalyticField, change?: Change) =>
    (nodes: Nodes, window: Window): Float64Array => {
      const values = analyticValues(field, nodes, window);
      return change === undefined ? values : values.map(change);
    };
  const combined = (element: string, number: number, field: AnalyticField) =>
    make(element, [10, 0, number], of(field), { there: "sea" });
  const windSea = (element: string, number: number, field: AnalyticField) =>
    make(element, [10, 0, number], of(field), { there: "varies" });
  const wind = (element: string, number: number, values: (nodes: Nodes, window: Window) => Float64Array) =>
    make(element, [0, 2, number], onSea(values), { there: "sea" });
  const swell = (element: string, number: number, field: AnalyticField, change: (i: number) => Change) =>
    partitions.map((_, i) =>
      make(element, [10, 0, number], of(field, change(i)), { there: "sea", partition: i + 1 }),
    );
  return [
    wind("WIND", 1, speed),
    wind("WDIR", 0, windFrom),
    wind("UGRD", 2, of("eastward_wind_10m")),
    wind("VGRD", 3, of("northward_wind_10m")),
    combined("HTSGW", 3, "sea_surface_wave_significant_height"),
    combined("PERPW", 11, "sea_surface_wave_mean_period"),
    combined("DIRPW", 10, "sea_surface_wave_from_direction"),
    windSea("WVHGT", 5, "sea_surface_wind_wave_significant_height"),
    ...swell(
      "SWELL",
      8,
      "sea_surface_swell_wave_significant_height",
      (i) => (height) => height * partitions[i]!.part,
    ),
    windSea("WVPER", 6, "sea_surface_wind_wave_mean_period"),
    ...swell(
      "SWPER",
      9,
      "sea_surface_swell_wave_mean_period",
      (i) => (period) => period + partitions[i]!.seconds,
    ),
    windSea("WVDIR", 4, "sea_surface_wind_wave_from_direction"),
    ...swell(
      "SWDIR",
      7,
      "sea_surface_swell_wave_from_direction",
      (i) => (degrees) => (degrees + partitions[i]!.degrees + 360) % 360,
    ),
  ];
}

function onSea(values: (nodes: Nodes, window: Window) => Float64Array) {
  return (nodes: Nodes, window: Window): Float64Array => {
    const sea = analyticValues("sea_surface_wave_mean_period", nodes, window);
    return values(nodes, window).map((value, i) => (Number.isNaN(sea[i]!) ? Number.NaN : value));
  };
}

function speed(nodes: Nodes, window: Window): Float64Array {
  const north = analyticValues("northward_wind_10m", nodes, window);
  return analyticValues("eastward_wind_10m", nodes, window).map((east, i) => Math.hypot(east, north[i]!));
}

/** Degrees that the wind comes FROM. */
function windFrom(nodes: Nodes, window: Window): Float64Array {
  const north = analyticValues("northward_wind_10m", nodes, window);
  return analyticValues("eastward_wind_10m", nodes, window).map(
    (east, i) => (Math.atan2(-east, -north[i]!) / RADIANS + 360) % 360,
  );
}
