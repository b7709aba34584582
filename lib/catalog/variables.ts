import type { FieldName } from "./fields.ts";

/**
 * How a public number comes from stored fields:
 * `value` is a field itself, `speed` the length of a vector, `bearingFrom` and `bearingTo` where that vector comes from
 * or goes to, `bearing` the angle of a unit vector (x = sine, y = cosine) that already points along the bearing.
 */
type Derivation =
  | { is: "value"; of: readonly [FieldName] }
  | { is: "speed" | "bearingFrom" | "bearingTo"; of: readonly [FieldName, FieldName] }
  /** `magnitude` is the height of the waves: where it rounds to 0 there is no direction. */
  | { is: "bearing"; of: readonly [FieldName, FieldName]; magnitude: FieldName };

/** One response field. */
export type Output = Derivation & {
  /** Name in point answers. */
  point: string;
  /** Name in 2D answers, where the variable is served there. */
  map2d?: string;
  /** Unit as shown to people. */
  unit: string;
  /** Decimals kept on the wire. */
  decimals: 0 | 1 | 2;
  title: string;
};

export interface Variable {
  title: string;
  outputs: readonly Output[];
  /** Comes only from the forecast archive: null where older than six months. */
  archiveOnly?: true;
  /** Does not change with time. */
  static?: true;
  /** Which source answers where several cover a place, best first; the others follow by age. */
  sources: readonly string[];
}

const waveOutputs = <
  Name extends string,
  System extends "sea_surface_wave" | "sea_surface_swell_wave" | "sea_surface_wind_wave",
>(
  name: Name,
  system: System,
  called: string,
  in2d: boolean,
) => {
  const named = <Suffix extends string>(suffix: Suffix) => ({
    point: `${name}_${suffix}` as const,
    ...(in2d ? { map2d: `${name}_${suffix}` as const } : {}),
  });
  return [
    {
      ...named("Mean_Direction"),
      unit: "°",
      decimals: 1,
      title: `${called}, direction from`,
      is: "bearing",
      of: [`${system}_from_direction_x`, `${system}_from_direction_y`],
      magnitude: `${system}_significant_height`,
    },
    {
      ...named("Significant_Height"),
      unit: "m",
      decimals: 2,
      title: `${called}, significant height`,
      is: "value",
      of: [`${system}_significant_height`],
    },
    {
      ...named("Mean_Period"),
      unit: "s",
      decimals: 1,
      title: `${called}, mean period`,
      is: "value",
      of: [`${system}_mean_period`],
    },
  ] as const satisfies readonly Output[];
};

/** The one table of public names, units and senses of direction. Everything that names a quantity is derived from it. */
export const variables = {
  current: {
    title: "Ocean currents and tides",
    sources: ["cmems"],
    outputs: [
      {
        point: "Currents_Direction",
        map2d: "Currents_Direction",
        unit: "°",
        decimals: 1,
        title: "Current, direction to",
        is: "bearingTo",
        of: ["surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"],
      },
      // The 2D endpoint has its own name for the same quantity.
      {
        point: "Currents_Intensity",
        map2d: "Currents_Speed",
        unit: "m/s",
        decimals: 2,
        title: "Current speed",
        is: "speed",
        of: ["surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"],
      },
    ],
  },
  wind: {
    title: "Ocean surface winds",
    sources: ["gfs", "cmems"],
    outputs: [
      {
        point: "Winds_10m_Direction",
        map2d: "Winds_10m_Direction",
        unit: "°",
        decimals: 1,
        title: "Wind, direction from",
        is: "bearingFrom",
        of: ["eastward_wind_10m", "northward_wind_10m"],
      },
      {
        point: "Winds_10m_Intensity",
        map2d: "Winds_10m_Intensity",
        unit: "m/s",
        decimals: 2,
        title: "Wind speed",
        is: "speed",
        of: ["eastward_wind_10m", "northward_wind_10m"],
      },
    ],
  },
  gust: {
    title: "Surface wind gust",
    sources: ["gfs", "cmems"],
    outputs: [
      { point: "Gust_10m", unit: "m/s", decimals: 2, title: "Gust", is: "value", of: ["wind_speed_of_gust"] },
    ],
  },
  wave: {
    title: "Combined wind waves and swell",
    sources: ["cmems", "gfswave"],
    outputs: waveOutputs("Waves", "sea_surface_wave", "Waves", true),
  },
  bathy: {
    title: "Fixed bathymetry",
    sources: ["etopo"],
    static: true,
    outputs: [
      {
        point: "Bathymetry",
        unit: "m",
        decimals: 0,
        title: "Depth below sea level",
        is: "value",
        of: ["sea_floor_depth_below_sea_surface"],
      },
    ],
  },
  sst: {
    title: "Sea surface temperature",
    sources: ["oisst", "cmems"],
    outputs: [
      {
        point: "Sea_Surface_Temperature",
        unit: "°C",
        decimals: 1,
        title: "Sea surface temperature",
        is: "value",
        of: ["sea_surface_temperature"],
      },
    ],
  },
  extra_wave: {
    title: "Swell and wind waves",
    sources: ["cmems", "gfswave"],
    outputs: [
      ...waveOutputs("Swell", "sea_surface_swell_wave", "Swell", false),
      ...waveOutputs("Windwaves", "sea_surface_wind_wave", "Wind waves", false),
    ],
  },
  rain: {
    title: "Precipitation rate",
    sources: ["gfs"],
    archiveOnly: true,
    outputs: [
      {
        point: "Precipitation",
        unit: "mm/h",
        decimals: 2,
        title: "Rain",
        is: "value",
        of: ["precipitation_flux"],
      },
    ],
  },
  mucape: {
    title: "Most-unstable convective available potential energy",
    sources: ["gfs"],
    archiveOnly: true,
    outputs: [
      {
        point: "MUCAPE",
        unit: "J/kg",
        decimals: 0,
        title: "MUCAPE",
        is: "value",
        of: ["atmosphere_convective_available_potential_energy"],
      },
    ],
  },
  temp: {
    title: "Air temperature at 2 m",
    sources: ["gfs"],
    archiveOnly: true,
    outputs: [
      {
        point: "Temperature_2m",
        unit: "°C",
        decimals: 1,
        title: "Air temperature",
        is: "value",
        of: ["air_temperature"],
      },
    ],
  },
  cloud: {
    title: "Total cloud cover",
    sources: ["gfs"],
    archiveOnly: true,
    outputs: [
      {
        point: "Cloud_Cover",
        unit: "%",
        decimals: 0,
        title: "Cloud cover",
        is: "value",
        of: ["cloud_area_fraction"],
      },
    ],
  },
  pressure: {
    title: "Mean sea level pressure",
    sources: ["gfs"],
    archiveOnly: true,
    outputs: [
      {
        point: "Pressure",
        unit: "hPa",
        decimals: 1,
        title: "Pressure",
        is: "value",
        of: ["air_pressure_at_mean_sea_level"],
      },
    ],
  },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;

export const variableNames = Object.keys(variables) as [VariableName, ...VariableName[]];

/** Variables of the 2D endpoint: those whose outputs have a 2D name. */
export const map2dVariables = ["current", "wind", "wave"] as const satisfies readonly VariableName[];

/** The row of a variable, widened to what all rows have in common. */
export function variable(name: VariableName): Variable {
  return variables[name];
}
