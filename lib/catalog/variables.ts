import { fromKnots } from "@open-metocean/geo/knots";
import { above2m, belowSea, column, grib2, grib2Waves, meanSea, surface, wholeAtmosphere } from "./grib2.ts";
import {
  airRamp,
  airRange,
  capeRamp,
  cloudRamp,
  currentRamp,
  currentRange,
  depthRamp,
  periodRamp,
  periodRange,
  pressureRamp,
  rainRamp,
  rainRange,
  thermalRamp,
  waveRamp,
  waveRange,
  windRamp,
  windRange,
} from "./ramps.ts";
import {
  type Field,
  field,
  type Isolines,
  type Mark,
  type OutputRow,
  type VariableRow,
  value,
  variableRow,
} from "./variable-row.ts";
import { windFields } from "./wind.ts";

/**
 * Lower limits of Beaufort forces 4 to 12, knots (WMO No. 306, code table 1100), with names for those at
 * which warnings are issued.
 */
const forces: readonly (Omit<Mark, "at" | "text"> & { knots: number })[] = [
  { knots: 11 },
  { knots: 17 },
  { knots: 22, name: "strong" },
  { knots: 28 },
  { knots: 34, name: "gale", bold: true },
  { knots: 41 },
  { knots: 48, name: "storm" },
  { knots: 56 },
  { knots: 64, name: "hurricane", bold: true },
];

/**
 * Line labels are in knots whatever unit is chosen, as the feathers of barbs are. There are more lines at
 * night: see `Isolines`.
 */
const allLimits: readonly Mark[] = forces.map(({ knots, ...rest }) => ({
  at: fromKnots(knots),
  text: String(knots),
  ...rest,
}));

/** 22, 34, 48 and 64 kn are the lower limits of forces 6, 8, 10 and 12, at which warnings are issued. */
const windLimits = allLimits.filter(({ name }) => name !== undefined);

/** Isolines of the speed of wind and gusts. */
export const windLines = {
  title: "Lines of wind speed",
  unit: "kn",
  at: windLimits,
  atNight: allLimits,
} as const satisfies Isolines;

/**
 * The one table of quantities: public names, units and senses of direction, the stored fields they are derived from, and
 * how the map draws them. Everything that names a quantity is derived from it; a new quantity is a row here and a rule in
 * a source of `server/ingest/sources`.
 */
export const variables = {
  current: variableRow(
    {
      surface_eastward_sea_water_velocity: field(
        "surface_eastward_sea_water_velocity",
        "eastward surface current",
        "m s-1",
        { scale: 0.001, min: -10, max: 10 },
      ),
      surface_northward_sea_water_velocity: field(
        "surface_northward_sea_water_velocity",
        "northward surface current",
        "m s-1",
        { scale: 0.001, min: -10, max: 10 },
      ),
    },
    {
      title: "Ocean currents and tides",
      inLite: true,
      grib2: [
        grib2([10, 1, 2], belowSea, ["m s-1", 3, 3], "surface_eastward_sea_water_velocity"),
        grib2([10, 1, 3], belowSea, ["m s-1", 3, 3], "surface_northward_sea_water_velocity"),
      ],
      outputs: [
        {
          point: "Currents_Direction",
          map2d: "Currents_Direction",
          unit: "°",
          decimals: 1,
          title: "Current, direction to",
          is: "bearingTo",
          of: ["surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"],
          standardName: "sea_water_velocity_to_direction",
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
          standardName: "sea_water_speed",
        },
      ],
      absentWhere: ["land"],
      reading: "slow",
      layer: {
        name: "Current",
        order: 4,
        primary: true,
        range: currentRange,
        ramp: currentRamp,
        symbols: "arrows",
        particlePace: 50,
      },
    },
  ),
  wind: variableRow(windFields, {
    title: "Ocean surface winds",
    inLite: true,
    grib2: [
      grib2([0, 2, 2], "atHeight", ["m s-1", 2, 40], "eastward_wind_10m"),
      grib2([0, 2, 3], "atHeight", ["m s-1", 2, 40], "northward_wind_10m"),
    ],
    outputs: [
      {
        point: "Winds_10m_Direction",
        map2d: "Winds_10m_Direction",
        unit: "°",
        decimals: 1,
        title: "Wind, direction from",
        is: "bearingFrom",
        of: ["eastward_wind_10m", "northward_wind_10m"],
        standardName: "wind_from_direction",
        height: "asked",
      },
      {
        point: "Winds_10m_Intensity",
        map2d: "Winds_10m_Intensity",
        unit: "m/s",
        decimals: 2,
        title: "Wind speed",
        is: "speed",
        of: ["eastward_wind_10m", "northward_wind_10m"],
        standardName: "wind_speed",
        height: "asked",
      },
    ],
    atHeights: true,
    layer: {
      name: "Wind",
      group: "wind",
      order: 1,
      primary: true,
      range: windRange,
      ramp: windRamp,
      isolines: windLines,
      symbols: "barbs",
      particlePace: 5,
      overLand: true,
    },
  }),
  gust: variableRow(
    {
      wind_speed_of_gust: field("wind_speed_of_gust", "surface wind gust", "m s-1", {
        scale: 0.01,
        min: 0,
        max: 160,
        noise: 1,
      }),
    },
    {
      title: "Surface wind gust",
      inLite: true,
      grib2: [grib2([0, 2, 22], surface, ["m s-1", 2, 40], "wind_speed_of_gust")],
      outputs: [{ ...value("Gust_10m", "m/s", 2, "Gusts", "wind_speed_of_gust"), height: 10 }],
      mention: { in: "wind", as: "gusts" },
      layer: {
        name: "Gusts",
        group: "wind",
        order: 2,
        range: windRange,
        ramp: windRamp,
        isolines: windLines,
        overLand: true,
      },
    },
  ),
  wave: variableRow(waveFields("sea_surface_wave", "combined wind waves and swell"), {
    title: "Combined wind waves and swell",
    inLite: true,
    grib2: grib2Waves("sea_surface_wave", [14, 3, 15]),
    outputs: in2d(waveOutputs("Waves", "sea_surface_wave", "Waves")),
    absentWhere: ["land", "ice"],
    layer: {
      name: "Waves",
      order: 3,
      primary: true,
      range: waveRange,
      ramp: waveRamp,
      symbols: "arrows",
      isolines: { title: "Lines of wave height", step: 1, boldEvery: 5, unit: "m", dashed: true },
    },
    outputLayers: { wave_period: periodLayer("Wave period", "Waves_Mean_Period", 3.1) },
  }),
  bathy: variableRow(
    {
      sea_floor_depth_below_sea_surface: field(
        "sea_floor_depth_below_sea_surface",
        "depth of the sea floor, positive down",
        "m",
        { scale: 0.5, min: 0, max: 12_000, noise: 1 },
      ),
    },
    {
      title: "Fixed bathymetry",
      grib2:
        "WMO's tables have no parameter for the depth of the sea floor, and navigation programs take it from their charts",
      static: true,
      outputs: [value("Bathymetry", "m", 0, "Depth below sea level", "sea_floor_depth_below_sea_surface")],
      absentWhere: ["land"],
      reading: "deep",
      // Most of the sea is deep, and has to stay dark at night.
      layer: { name: "Depth", order: 11, range: [0, 6000], ramp: depthRamp, lightByNight: true },
    },
  ),
  sst: variableRow(
    {
      sea_surface_temperature: field("sea_surface_temperature", "sea surface temperature", "degC", {
        scale: 0.005,
        min: -5,
        max: 45,
      }),
    },
    {
      title: "Sea surface temperature",
      grib2: [grib2([10, 3, 0], surface, ["K", 2, 30], "sea_surface_temperature", 1, 273.15)],
      outputs: [
        value("Sea_Surface_Temperature", "°C", 1, "Sea surface temperature", "sea_surface_temperature"),
      ],
      absentWhere: ["land"],
      layer: { name: "Sea surface temperature", order: 9, range: [-2, 32], ramp: thermalRamp },
    },
  ),
  extra_wave: variableRow(
    {
      ...waveFields("sea_surface_swell_wave", "swell waves"),
      ...waveFields("sea_surface_wind_wave", "wind waves"),
    },
    {
      title: "Swell and wind waves",
      grib2: [
        ...grib2Waves("sea_surface_swell_wave", [7, 8, 9]),
        ...grib2Waves("sea_surface_wind_wave", [4, 5, 6]),
      ],
      outputs: [
        ...waveOutputs("Swell", "sea_surface_swell_wave", "Swell"),
        ...waveOutputs("Windwaves", "sea_surface_wind_wave", "Wind waves"),
      ],
      absentWhere: ["land", "ice"],
      layer: false,
      outputLayers: {
        swell: heightLayer("Swell", "Swell_Significant_Height", 3.2),
        swell_period: periodLayer("Swell period", "Swell_Mean_Period", 3.3),
        wind_sea: heightLayer("Wind waves", "Windwaves_Significant_Height", 3.4),
        wind_sea_period: periodLayer("Wind wave period", "Windwaves_Mean_Period", 3.5),
      },
    },
  ),
  rain: variableRow(
    {
      precipitation_flux: field("precipitation_flux", "precipitation rate", "kg m-2 h-1", {
        scale: 0.005,
        offset: 160,
        min: 0,
        max: 320,
        noise: 0.5,
      }),
    },
    {
      title: "Precipitation rate",
      grib2: [grib2([0, 1, 7], surface, ["kg m-2 s-1", 6, 0.005], "precipitation_flux", 1 / 3600)],
      archiveOnly: true,
      outputs: [value("Precipitation", "mm/h", 2, "Rain", "precipitation_flux")],
      layer: {
        name: "Rain",
        group: "sky",
        order: 6,
        range: rainRange,
        ramp: rainRamp,
        solidFrom: 0.3,
        overLand: true,
      },
    },
  ),
  mucape: variableRow(
    {
      atmosphere_convective_available_potential_energy: field(
        "atmosphere_convective_available_potential_energy",
        "most-unstable convective available potential energy",
        "J kg-1",
        { scale: 0.25, offset: 8000, min: 0, max: 16_000, noise: 50 },
      ),
    },
    {
      title: "Most-unstable convective available potential energy",
      grib2: [
        grib2([0, 7, 6], column, ["J kg-1", 0, 4000], "atmosphere_convective_available_potential_energy"),
      ],
      archiveOnly: true,
      outputs: [
        value("MUCAPE", "J/kg", 0, "CAPE, most unstable", "atmosphere_convective_available_potential_energy"),
      ],
      layer: {
        name: "Thunder (CAPE)",
        group: "sky",
        order: 7,
        range: [0, 4000],
        ramp: capeRamp,
        solidFrom: 300,
        overLand: true,
      },
    },
  ),
  temp: variableRow(
    {
      air_temperature: field("air_temperature", "air temperature at 2 m", "degC", {
        scale: 0.005,
        min: -100,
        max: 70,
      }),
    },
    {
      title: "Air temperature at 2 m",
      grib2: [grib2([0, 0, 0], above2m, ["K", 2, 60], "air_temperature", 1, 273.15)],
      archiveOnly: true,
      outputs: [{ ...value("Temperature_2m", "°C", 1, "Air temperature", "air_temperature"), height: 2 }],
      layer: {
        name: "Air temperature",
        group: "sky",
        order: 8,
        range: airRange,
        ramp: airRamp,
        overLand: true,
      },
    },
  ),
  cloud: variableRow(
    {
      cloud_area_fraction: field("cloud_area_fraction", "total cloud cover", "%", {
        scale: 0.1,
        offset: 50,
        min: 0,
        max: 100,
        noise: 5,
      }),
    },
    {
      title: "Total cloud cover",
      grib2: [grib2([0, 6, 1], wholeAtmosphere, ["%", 1, 100], "cloud_area_fraction")],
      archiveOnly: true,
      outputs: [value("Cloud_Cover", "%", 0, "Cloud cover", "cloud_area_fraction")],
      layer: {
        name: "Cloud cover",
        group: "sky",
        order: 10,
        range: [0, 100],
        ramp: cloudRamp,
        overLand: true,
      },
    },
  ),
  pressure: variableRow(
    {
      air_pressure_at_mean_sea_level: field(
        "air_pressure_at_mean_sea_level",
        "mean sea level pressure",
        "hPa",
        { scale: 0.02, offset: 980, min: 850, max: 1120 },
      ),
    },
    {
      title: "Mean sea level pressure",
      inLite: true,
      grib2: [grib2([0, 3, 1], meanSea, ["Pa", 0, 8000], "air_pressure_at_mean_sea_level", 100)],
      archiveOnly: true,
      outputs: [value("Pressure", "hPa", 1, "Pressure", "air_pressure_at_mean_sea_level")],
      layer: {
        name: "Pressure",
        group: "sky",
        order: 5,
        range: [960, 1040],
        ramp: pressureRamp,
        // Same interval as on surface charts.
        isolines: { title: "Isobars", step: 4, boldEvery: 1000, prominence: 0.6 },
        overLand: true,
      },
    },
  ),
} as const;

type Variables = typeof variables;

export type VariableName = keyof Variables;

/** Name of a field that the archive stores. */
export type FieldName = { [N in VariableName]: keyof Variables[N]["stores"] }[VariableName];

/** Name of a response field at points. */
export type OutputName = Variables[VariableName]["outputs"][number]["point"];

/** One response field. */
export type Output = OutputRow<FieldName> & { point: OutputName };

/** The common type of the rows of all variables. */
export type Variable = Omit<VariableRow<FieldName>, "outputs"> & {
  outputs: readonly Output[];
  stores: Readonly<Partial<Record<FieldName, Field>>>;
};

/** The order of documents and answers. */
export const variableNames = Object.keys(variables) as [VariableName, ...VariableName[]];

/** A variable of the 2D endpoint: one whose outputs have a 2D name. */
type Map2dVariable = {
  [N in VariableName]: Variables[N]["outputs"][number] extends { map2d: string } ? N : never;
}[VariableName];

export const map2dVariables = variableNames.filter((name) =>
  variable(name).outputs.some(({ map2d }) => map2d !== undefined),
) as [Map2dVariable, ...Map2dVariable[]];

/** The row of a variable. */
export function variable(name: VariableName): Variable {
  return variables[name];
}

/** Gives outputs the same names in 2D answers as in point answers. */
function in2d<const O extends readonly { point: string }[]>(outputs: O) {
  return outputs.map((output) => ({ ...output, map2d: output.point })) as unknown as {
    readonly [K in keyof O]: O[K] & { map2d: O[K]["point"] };
  };
}

/** A layer that paints the height of a wave system, with arrows. */
function heightLayer<P extends string>(name: string, paints: P, order: number) {
  return { name, paints, order, range: waveRange, ramp: waveRamp, symbols: "arrows" } as const;
}

/** A layer that paints the period of a wave system. */
function periodLayer<P extends string>(name: string, paints: P, order: number) {
  return { name, paints, order, range: periodRange, ramp: periodRamp } as const;
}

/** Prefix of the CF standard names of a wave system. */
type System = "sea_surface_wave" | "sea_surface_swell_wave" | "sea_surface_wind_wave";

type WaveField<S extends System> =
  `${S}_${"significant_height" | "mean_period" | "from_direction_x" | "from_direction_y"}`;

/** Stored fields of a wave system: height, period and the unit vector of the direction that it comes FROM. */
function waveFields<S extends System>(system: S, called: string) {
  const component = (axis: string) =>
    field(
      `${system}_from_direction`,
      `${axis} component of the unit vector along the bearing that ${called} come from`,
      "1",
      // A step of 0.0002 changes a bearing by 0.008° at most.
      { scale: 0.0002, min: -1, max: 1, noise: 0.01 },
    );
  return {
    [`${system}_significant_height`]: field(
      `${system}_significant_height`,
      `significant height of ${called}`,
      "m",
      { scale: 0.01, min: 0, max: 40, noise: 0.25 },
    ),
    [`${system}_mean_period`]: field(`${system}_mean_period`, `mean period of ${called}`, "s", {
      scale: 0.01,
      min: 0,
      max: 60,
      noise: 0.1,
    }),
    [`${system}_from_direction_x`]: component("eastward (sine)"),
    [`${system}_from_direction_y`]: component("northward (cosine)"),
  } as Record<WaveField<S>, Field>;
}

/**
 * Public outputs of a wave system: direction, height and period. @param name Prefix of their public names.
 */
function waveOutputs<Name extends string, S extends System>(name: Name, system: S, called: string) {
  return [
    {
      point: `${name}_Mean_Direction`,
      unit: "°",
      decimals: 1,
      title: `${called}, direction from`,
      is: "bearing",
      of: [`${system}_from_direction_x`, `${system}_from_direction_y`],
      magnitude: `${system}_significant_height`,
    },
    value(
      `${name}_Significant_Height`,
      "m",
      2,
      `${called}, significant height`,
      `${system}_significant_height`,
    ),
    value(`${name}_Mean_Period`, "s", 1, `${called}, mean period`, `${system}_mean_period`),
  ] as const satisfies readonly OutputRow<WaveField<S>>[];
}

/** The stored fields that outputs are derived from. */
export function inputsOf(outputs: readonly Pick<Output, "of">[]): FieldName[] {
  return [...new Set(outputs.flatMap(({ of }): readonly FieldName[] => of))];
}

const inputs = new Map(variableNames.map((name) => [name, inputsOf(variable(name).outputs)] as const));

/** The stored fields that all outputs of a variable are derived from. */
export const inputsOfVariable = (name: VariableName): readonly FieldName[] => inputs.get(name)!;
