/**
 * The fields an archive stores, named by their CF standard names.
 *
 * Values are kept in the units that the API answers in, packed as int16: value = scale · stored + offset.
 * The packing step is finer than the rounding of the API, so that packing is never what a user sees.
 */
export interface Field {
  /** CF standard name; for the components of a direction, of the direction they make. */
  standardName: string;
  longName: string;
  /** UDUNITS string. */
  unit: string;
  /** Packing step, in `unit`. */
  scale: number;
  /** Value of stored 0, in `unit`. */
  offset: number;
}

/** Heights above the surface at which wind is kept, metres. */
export const windHeights = [10, 20, 30, 40, 50, 80, 100] as const;

/** int16 value that stands for missing (CF `_FillValue`). */
export const FILL = -32768;

type WindField = `${"eastward" | "northward"}_wind_${(typeof windHeights)[number]}m`;

const wind = Object.fromEntries(
  windHeights.flatMap((height) =>
    (["eastward", "northward"] as const).map((toward) => [
      `${toward}_wind_${height}m`,
      {
        standardName: `${toward}_wind`,
        longName: `${toward} wind at ${height} m`,
        unit: "m s-1",
        scale: 0.01,
        offset: 0,
      },
    ]),
  ),
) as Record<WindField, Field>;

/** Height, period and the unit vector of the direction that one wave system comes FROM. */
function waveSystem<Name extends string>(name: Name, called: string) {
  const direction = (axis: string) => ({
    standardName: `${name}_from_direction`,
    longName: `${axis} component of the unit vector along the bearing that ${called} come from`,
    unit: "1",
    scale: 0.0001,
    offset: 0,
  });
  return {
    [`${name}_significant_height`]: {
      standardName: `${name}_significant_height`,
      longName: `significant height of ${called}`,
      unit: "m",
      scale: 0.002,
      offset: 0,
    },
    [`${name}_mean_period`]: {
      standardName: `${name}_mean_period`,
      longName: `mean period of ${called}`,
      unit: "s",
      scale: 0.01,
      offset: 0,
    },
    [`${name}_from_direction_x`]: direction("eastward (sine)"),
    [`${name}_from_direction_y`]: direction("northward (cosine)"),
  } as Record<
    `${Name}_${"significant_height" | "mean_period" | "from_direction_x" | "from_direction_y"}`,
    Field
  >;
}

export const fields = {
  ...wind,
  wind_speed_of_gust: {
    standardName: "wind_speed_of_gust",
    longName: "surface wind gust",
    unit: "m s-1",
    scale: 0.005,
    offset: 0,
  },
  precipitation_flux: {
    standardName: "precipitation_flux",
    longName: "precipitation rate",
    unit: "kg m-2 h-1",
    scale: 0.005,
    offset: 160,
  },
  atmosphere_convective_available_potential_energy: {
    standardName: "atmosphere_convective_available_potential_energy",
    longName: "most-unstable convective available potential energy",
    unit: "J kg-1",
    scale: 0.25,
    offset: 8000,
  },
  air_temperature: {
    standardName: "air_temperature",
    longName: "air temperature at 2 m",
    unit: "degC",
    scale: 0.005,
    offset: 0,
  },
  cloud_area_fraction: {
    standardName: "cloud_area_fraction",
    longName: "total cloud cover",
    unit: "%",
    scale: 0.002,
    offset: 50,
  },
  air_pressure_at_mean_sea_level: {
    standardName: "air_pressure_at_mean_sea_level",
    longName: "mean sea level pressure",
    unit: "hPa",
    scale: 0.005,
    offset: 980,
  },
  surface_eastward_sea_water_velocity: {
    standardName: "surface_eastward_sea_water_velocity",
    longName: "eastward surface current",
    unit: "m s-1",
    scale: 0.001,
    offset: 0,
  },
  surface_northward_sea_water_velocity: {
    standardName: "surface_northward_sea_water_velocity",
    longName: "northward surface current",
    unit: "m s-1",
    scale: 0.001,
    offset: 0,
  },
  sea_surface_temperature: {
    standardName: "sea_surface_temperature",
    longName: "sea surface temperature",
    unit: "degC",
    scale: 0.005,
    offset: 0,
  },
  ...waveSystem("sea_surface_wave", "combined wind waves and swell"),
  ...waveSystem("sea_surface_swell_wave", "swell waves"),
  ...waveSystem("sea_surface_wind_wave", "wind waves"),
  sea_floor_depth_below_sea_surface: {
    standardName: "sea_floor_depth_below_sea_surface",
    longName: "depth of the sea floor, positive down",
    unit: "m",
    scale: 0.5,
    offset: 0,
  },
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof fields;

export const fieldNames = Object.keys(fields) as FieldName[];

/** Name of the stored wind component at one of `windHeights`. */
export function windField(toward: "eastward" | "northward", height: (typeof windHeights)[number]): FieldName {
  return `${toward}_wind_${height}m`;
}
