import { windField, windHeights } from "#lib/catalog/wind.ts";
import { type AnalyticField, analyticValues } from "./analytic.ts";
import type { Parameter, Surface } from "./grib-message.ts";
import type { GribField } from "./grib-object.ts";
import type { GfsNames } from "./planet.ts";
import type { Nodes } from "./wave-forms.ts";

const HOUR_S = 3600;
const RADIANS = Math.PI / 180;

/** Level of a message, in the words of an index and by WMO's code table 4.5. */
interface Place {
  level: string;
  surface: Surface;
  second?: Surface;
}

/** A message of a file, and the conversion from a catalog value to that of the file. */
export interface Row {
  element: string;
  level: string;
  parameter: Parameter;
  field: AnalyticField;
  decimals: number;
  /** value of the file = value of the catalog × scale + offset. */
  scale?: number;
  offset?: number;
  statistic?: "average" | "accumulation" | "maximum";
  /** Whether its window begins with the forecast. */
  sinceStart?: boolean;
}

const row = (
  element: string,
  code: Parameter["code"],
  { level, surface, second }: Place,
  field: AnalyticField,
  decimals: number,
  more: Pick<Row, "scale" | "offset" | "statistic" | "sinceStart"> = {},
): Row => ({ element, level, parameter: { code, surface, second }, field, decimals, ...more });

const place = (level: string, type: number, value?: number): Place => ({ level, surface: { type, value } });
const surface = place("surface", 1);
const wholeAtmosphere = place("entire atmosphere", 10);
const above = (metres: number) => place(`${metres} m above ground`, 103, metres);
const lowest = (hPa: number): Place => ({
  ...place(`${hPa}-0 mb above ground`, 108, hPa * 100),
  second: { type: 108, value: 0 },
});
const sfc = (type: number, value?: number) => place("sfc", type, value);

const cape = "atmosphere_convective_available_potential_energy";
const aSecond = { scale: 1 / HOUR_S };

/**
 * Messages in the order of real files, as far as these fields go. Messages similar to wanted ones are included, so that
 * readers must tell them apart.
 */
const gfsRows: readonly Row[] = [
  row("PRMSL", [0, 3, 1], place("mean sea level", 101), "air_pressure_at_mean_sea_level", 1, { scale: 100 }),
  row("GUST", [0, 2, 22], surface, "wind_speed_of_gust", 2),
  row("TMP", [0, 0, 0], surface, "air_temperature", 2, { offset: 270 }),
  row("TMP", [0, 0, 0], above(2), "air_temperature", 2, { offset: 273.15 }),
  ...windHeights.flatMap((height) => [
    row("UGRD", [0, 2, 2], above(height), windField("eastward", height), 2),
    row("VGRD", [0, 2, 3], above(height), windField("northward", height), 2),
  ]),
  row("PRATE", [0, 1, 7], surface, "precipitation_flux", 7, aSecond),
  row("PRATE", [0, 1, 7], surface, "precipitation_flux", 7, { ...aSecond, statistic: "average" }),
  row("APCP", [0, 1, 8], surface, "precipitation_flux", 3, { statistic: "accumulation" }),
  row("APCP", [0, 1, 8], surface, "precipitation_flux", 3, { statistic: "accumulation", sinceStart: true }),
  row("CAPE", [0, 7, 6], surface, cape, 0, { scale: 0.5 }),
  row("CAPE", [0, 7, 6], lowest(180), cape, 0, { scale: 0.8 }),
  row("CAPE", [0, 7, 6], lowest(255), cape, 0),
  row("TCDC", [0, 6, 1], wholeAtmosphere, "cloud_area_fraction", 1),
  row("TCDC", [0, 6, 1], wholeAtmosphere, "cloud_area_fraction", 1, { statistic: "average" }),
];

const ecmwfRows: Readonly<Record<"oper" | "wave", readonly Row[]>> = {
  oper: [
    row("10u", [0, 2, 2], sfc(103, 10), "eastward_wind_10m", 2),
    row("10v", [0, 2, 3], sfc(103, 10), "northward_wind_10m", 2),
    row("100u", [0, 2, 2], sfc(103, 100), "eastward_wind_100m", 2),
    row("100v", [0, 2, 3], sfc(103, 100), "northward_wind_100m", 2),
    row("10fg", [0, 2, 22], sfc(103, 10), "wind_speed_of_gust", 2, { statistic: "maximum" }),
    row("msl", [0, 3, 0], sfc(101), "air_pressure_at_mean_sea_level", 1, { scale: 100 }),
    row("2t", [0, 0, 0], sfc(103, 2), "air_temperature", 2, { offset: 273.15 }),
    row("tcc", [0, 6, 192], sfc(1), "cloud_area_fraction", 4, { scale: 0.01 }),
    row("mucape", [0, 7, 6], sfc(17), cape, 0),
    row("tprate", [0, 1, 52], sfc(1), "precipitation_flux", 7, aSecond),
    // The value is in metres of water.
    row("tp", [0, 1, 193], sfc(1), "precipitation_flux", 6, { scale: 0.001, statistic: "accumulation" }),
  ],
  wave: [
    row("swh", [10, 0, 3], sfc(1), "sea_surface_wave_significant_height", 2),
    row("mwd", [10, 0, 14], sfc(1), "sea_surface_wave_from_direction", 2),
    // The peak period is another quantity than the mean period; that of the swell is used for it.
    row("pp1d", [10, 0, 34], sfc(1), "sea_surface_swell_wave_mean_period", 2),
    row("mwp", [10, 0, 15], sfc(1), "sea_surface_wave_mean_period", 2),
  ],
};

/** @param hours Length of the window that ends at the lead. @param window Window in the words of the index. */
export function fieldOf(row: Row, cycle: number, lead: number, hours: number, window: string): GribField {
  const { element, level, parameter, field, decimals, scale = 1, offset = 0, statistic } = row;
  const to = cycle + lead * HOUR_S;
  const from = to - hours * HOUR_S;
  const factor = statistic === "accumulation" ? scale * hours : scale;
  // On this planet the largest gust of a window is that at its end.
  const valid = statistic === "maximum" ? { from: to, to } : { from, to };
  return {
    element,
    level,
    window,
    parameter,
    validity: { cycle, from, to, statistic },
    decimals,
    there: parameter.code[0] === 10 ? "sea" : "everywhere",
    values: (nodes) => analyticValues(field, nodes, valid).map((value) => value * factor + offset),
  };
}

/** Messages at a lead. At lead 0 there is no window yet. */
const at = (rows: readonly Row[], lead: number) =>
  rows.filter(({ statistic }) => statistic === undefined || lead > 0);

/** The messages of GFS's file at a lead. @param cycle Unix seconds. @param lead Hours. */
export function gfsFields(cycle: number, lead: number, version: GfsNames = "v16"): GribField[] {
  return at(version === "v16" ? gfsRows : gfsRows.map(renumbered), lead).map((row) => {
    // Windows begin again every six hours.
    const begun = row.sinceStart ? 0 : 6 * Math.floor((lead - 1) / 6);
    const start = row.statistic === undefined ? lead : begun;
    return fieldOf(row, cycle, lead, lead - start, windowWords(lead, start, row.statistic));
  });
}

/** A message with WMO's number of the rate of precipitation in place of the one that it replaces. */
function renumbered(row: Row): Row {
  if (row.element !== "PRATE") return row;
  return { ...row, element: "TPRATE", parameter: { ...row.parameter, code: [0, 1, 52] } };
}

/** The window in wgrib2's words; whole days are written in days. */
export function windowWords(lead: number, start: number, statistic: Row["statistic"]): string {
  if (lead === 0) return "anl";
  if (statistic === undefined) return `${lead} hour fcst`;
  const kind = { average: "ave", accumulation: "acc", maximum: "max" }[statistic];
  return lead % 24 === 0 && start % 24 === 0
    ? `${start / 24}-${lead / 24} day ${kind} fcst`
    : `${start}-${lead} hour ${kind} fcst`;
}

/** The messages of a step of ECMWF's open data. @param cycle Unix seconds. @param lead Hours. */
export function ecmwfFields(stream: "oper" | "wave", cycle: number, lead: number): GribField[] {
  // A maximum is since the previous output: three-hourly to 144 h, then six-hourly.
  const hours = { accumulation: lead, average: 0, maximum: lead <= 144 ? 3 : 6 };
  return at(ecmwfRows[stream], lead).map((row) =>
    fieldOf(row, cycle, lead, row.statistic ? hours[row.statistic] : 0, String(lead)),
  );
}

/**
 * Three partitions whose energies add up to the whole swell, and whose energy-weighted means are its period and
 * direction: share of the height, difference of the period (s) and of the direction (degrees). The squares of the
 * shares add up to 1, and the differences, weighted by the squares, to 0.
 */
const [first, second] = [0.8, 0.5];
const third = Math.sqrt(1 - first ** 2 - second ** 2);
const partitions = [
  { part: first, seconds: 1, degrees: 20 },
  {
    part: second,
    seconds: -2,
    degrees: -Math.asin((first ** 2 * Math.sin(20 * RADIANS)) / second ** 2) / RADIANS,
  },
  { part: third, seconds: (2 * second ** 2 - first ** 2) / third ** 2, degrees: 0 },
];
type Partition = (typeof partitions)[number];
type Values = (nodes: Nodes) => Float64Array;

/** The 19 messages of GFS-Wave's file at a lead, in their order. @param cycle Unix seconds. @param lead Hours. */
export function gfsWaveFields(cycle: number, lead: number): GribField[] {
  const time = cycle + lead * HOUR_S;
  const of =
    (field: AnalyticField): Values =>
    (nodes) =>
      analyticValues(field, nodes, { from: time, to: time });
  const message = (
    element: string,
    code: Parameter["code"],
    values: Values,
    there: GribField["there"] = "sea",
    partition?: number,
  ): GribField => ({
    element,
    level: partition === undefined ? "surface" : `${partition} in sequence`,
    window: lead === 0 ? "anl" : `${lead} hour fcst`,
    parameter: {
      code,
      surface: partition === undefined ? { type: 1, value: 1 } : { type: 241, value: partition },
    },
    validity: { cycle, from: time, to: time },
    decimals: 2,
    there,
    values,
  });
  const combined = (element: string, number: number, field: AnalyticField) =>
    message(element, [10, 0, number], of(field));
  const windSea = (element: string, number: number, field: AnalyticField) =>
    message(element, [10, 0, number], of(field), "varies");
  const swell = (
    element: string,
    number: number,
    field: AnalyticField,
    change: (value: number, partition: Partition) => number,
  ) =>
    partitions.map((partition, i) => {
      const values: Values = (nodes) => of(field)(nodes).map((value) => change(value, partition));
      return message(element, [10, 0, number], values, "sea", i + 1);
    });
  /** Message of the wind at sea. */
  const wind = (element: string, number: number, value: (east: number, north: number) => number) =>
    message(element, [0, 2, number], (nodes) => {
      const sea = of("sea_surface_wave_mean_period")(nodes);
      const north = of("northward_wind_10m")(nodes);
      return of("eastward_wind_10m")(nodes).map((east, i) =>
        Number.isNaN(sea[i]!) ? Number.NaN : value(east, north[i]!),
      );
    });
  return [
    wind("WIND", 1, (east, north) => Math.hypot(east, north)),
    wind("WDIR", 0, (east, north) => (Math.atan2(-east, -north) / RADIANS + 360) % 360),
    wind("UGRD", 2, (east) => east),
    wind("VGRD", 3, (_, north) => north),
    combined("HTSGW", 3, "sea_surface_wave_significant_height"),
    combined("PERPW", 11, "sea_surface_wave_mean_period"),
    combined("DIRPW", 10, "sea_surface_wave_from_direction"),
    windSea("WVHGT", 5, "sea_surface_wind_wave_significant_height"),
    ...swell("SWELL", 8, "sea_surface_swell_wave_significant_height", (height, { part }) => height * part),
    windSea("WVPER", 6, "sea_surface_wind_wave_mean_period"),
    ...swell("SWPER", 9, "sea_surface_swell_wave_mean_period", (period, { seconds }) => period + seconds),
    windSea("WVDIR", 4, "sea_surface_wind_wave_from_direction"),
    ...swell(
      "SWDIR",
      7,
      "sea_surface_swell_wave_from_direction",
      (bearing, { degrees }) => (bearing + degrees + 360) % 360,
    ),
  ];
}
