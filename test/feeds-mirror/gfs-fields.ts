import { windField, windHeights } from "#lib/catalog/wind.ts";
import { type AnalyticField, analyticValues } from "./analytic.ts";
import type { Parameter, Validity } from "./grib-message.ts";
import type { GribField } from "./grib-object.ts";

const HOUR_S = 3600;

const surface = { type: 1 };
const seaLevel = { type: 101 };
const wholeAtmosphere = { type: 10 };
const heightAbove = (metres: number) => ({ type: 103, value: metres });
const layer = (pascals: number) => ({
  surface: { type: 108, value: pascals },
  second: { type: 108, value: 0 },
});

/** A field of a GFS file: which, where, and how a value of the catalog becomes one of the file. */
interface Row {
  element: string;
  level: string;
  parameter: Parameter;
  field: AnalyticField;
  decimals: number;
  /** value of the file = value of the catalog × scale + offset. */
  scale?: number;
  offset?: number;
  statistic?: "average" | "accumulation";
  /** Its window begins with the forecast, not with the last six hours. */
  sinceStart?: boolean;
}

const PRATE = [0, 1, 7] as const;
const CAPE = [0, 7, 6] as const;
const TCDC = [0, 6, 1] as const;
const cape = "atmosphere_convective_available_potential_energy";

const winds = windHeights.flatMap((height): Row[] =>
  (["eastward", "northward"] as const).map((toward) => ({
    element: toward === "eastward" ? "UGRD" : "VGRD",
    level: `${height} m above ground`,
    parameter: { code: [0, 2, toward === "eastward" ? 2 : 3], surface: heightAbove(height) },
    field: windField(toward, height),
    decimals: 2,
  })),
);

/** In the order of real files, as far as these fields go. What is similar to a wanted field is there to be told from it. */
const rows: readonly Row[] = [
  {
    element: "PRMSL",
    level: "mean sea level",
    parameter: { code: [0, 3, 1], surface: seaLevel },
    field: "air_pressure_at_mean_sea_level",
    decimals: 1,
    scale: 100,
  },
  {
    element: "GUST",
    level: "surface",
    parameter: { code: [0, 2, 22], surface },
    field: "wind_speed_of_gust",
    decimals: 2,
  },
  {
    element: "TMP",
    level: "surface",
    parameter: { code: [0, 0, 0], surface },
    field: "air_temperature",
    decimals: 2,
    offset: 270,
  },
  {
    element: "TMP",
    level: "2 m above ground",
    parameter: { code: [0, 0, 0], surface: heightAbove(2) },
    field: "air_temperature",
    decimals: 2,
    offset: 273.15,
  },
  ...winds,
  ...(["instant", "average"] as const).map(
    (kind): Row => ({
      element: "PRATE",
      level: "surface",
      parameter: { code: PRATE, surface },
      field: "precipitation_flux",
      decimals: 7,
      scale: 1 / HOUR_S,
      ...(kind === "average" ? { statistic: kind } : {}),
    }),
  ),
  ...[false, true].map(
    (sinceStart): Row => ({
      element: "APCP",
      level: "surface",
      parameter: { code: [0, 1, 8], surface },
      field: "precipitation_flux",
      decimals: 3,
      statistic: "accumulation",
      sinceStart,
    }),
  ),
  {
    element: "CAPE",
    level: "surface",
    parameter: { code: CAPE, surface },
    field: cape,
    decimals: 0,
    scale: 0.5,
  },
  ...(
    [
      ["180-0 mb above ground", 18_000, 0.8],
      ["255-0 mb above ground", 25_500, 1],
    ] as const
  ).map(
    ([level, pascals, scale]): Row => ({
      element: "CAPE",
      level,
      parameter: { code: CAPE, ...layer(pascals) },
      field: cape,
      decimals: 0,
      scale,
    }),
  ),
  ...(["instant", "average"] as const).map(
    (kind): Row => ({
      element: "TCDC",
      level: "entire atmosphere",
      parameter: { code: TCDC, surface: wholeAtmosphere },
      field: "cloud_area_fraction",
      decimals: 1,
      ...(kind === "average" ? { statistic: kind } : {}),
    }),
  ),
];

/** The messages of GFS's file at a lead. @param cycle Unix seconds. @param lead Hours. */
export function gfsFields(cycle: number, lead: number): GribField[] {
  // Averages and accumulations need a window, and begin anew every six hours.
  return rows
    .filter(({ statistic }) => statistic === undefined || lead > 0)
    .map((row) => gfsField(row, cycle, lead));
}

function gfsField(row: Row, cycle: number, lead: number): GribField {
  const { element, level, parameter, field, decimals, scale = 1, offset = 0, statistic, sinceStart } = row;
  const start = statistic === undefined ? lead : sinceStart ? 0 : windowStart(lead);
  const validity: Validity = {
    cycle,
    from: cycle + start * HOUR_S,
    to: cycle + lead * HOUR_S,
    ...(statistic === undefined ? {} : { statistic }),
  };
  const factor = statistic === "accumulation" ? scale * (lead - start) : scale;
  return {
    element,
    level,
    window: windowWords(lead, start, statistic),
    parameter,
    validity,
    decimals,
    there: "everywhere",
    values: (nodes) => {
      const values = analyticValues(field, nodes, validity);
      if (factor === 1 && offset === 0) return values;
      for (let i = 0; i < values.length; i++) values[i] = values[i]! * factor + offset;
      return values;
    },
  };
}

/** First hour of the window that ends at a lead: windows begin anew every six hours. */
function windowStart(lead: number): number {
  return 6 * Math.floor((lead - 1) / 6);
}

/** wgrib2's words; whole days are written in days. */
function windowWords(lead: number, start: number, statistic: Row["statistic"]): string {
  if (lead === 0) return "anl";
  if (statistic === undefined) return `${lead} hour fcst`;
  const kind = statistic === "average" ? "ave" : "acc";
  return lead % 24 === 0 && start % 24 === 0
    ? `${start / 24}-${lead / 24} day ${kind} fcst`
    : `${start}-${lead} hour ${kind} fcst`;
}
