import type { AnalyticField } from "./analytic.ts";

const HOUR_S = 3600;
const DAY_S = 86_400;
const RADIANS = Math.PI / 180;
const ROOT = "/mdl-arco-time-015/arco";

/** Encoding of the numbers of an array. */
interface ArrayType {
  bytes: 2 | 4;
  missing: number;
  packed?: { scale: number; offset: number };
}

export interface ArcoArray {
  of: AnalyticField;
  /** Converts a value to that of the file. */
  change?: (value: number) => number;
  units: string;
  type: ArrayType;
}

/** A product of Copernicus Marine in Zarr v2 stores, which each run overwrites. */
export interface ArcoProduct {
  title: string;
  path: string;
  /** Names of its stores: "timeChunked" at 1/12°, "downsampled4" at 1/3°. */
  stores: readonly string[];
  /** First time of the axis, Unix seconds, and seconds between times. */
  first: number;
  step: number;
  timeBytes: 4 | 8;
  /** Seconds between runs, from a base time to the publication of its run, and from a base time to the last step. */
  every: number;
  delay: number;
  ahead: number;
  hasDepth: boolean;
  arrays: Readonly<Record<string, ArcoArray>>;
}

const velocity = (of: AnalyticField): ArcoArray => ({
  of,
  units: "m s-1",
  type: { bytes: 4, missing: 9.969_209_968_386_869e36 },
});

const packed = (of: AnalyticField, units: string, offset = 0): ArcoArray => ({
  of,
  units,
  type: { bytes: 2, missing: -32_767, packed: { scale: 0.01, offset } },
});

const height = (of: AnalyticField) => packed(of, "m");
const period = (of: AnalyticField) => packed(of, "s");
const bearing = (of: AnalyticField) => packed(of, "degree", 180);

/**
 * Two partitions whose energies add up to the whole swell, and whose energy-weighted means are its period and
 * direction: the squares of the parts add up to 1, and the differences, weighted by the squares, to 0.
 */
const partitions = [
  { part: 0.8, seconds: 0.9, degrees: 20 },
  { part: 0.6, seconds: -1.6, degrees: -Math.asin((0.8 ** 2 * Math.sin(20 * RADIANS)) / 0.6 ** 2) / RADIANS },
];

const swell = Object.fromEntries(
  partitions.flatMap(({ part, seconds, degrees }, i) => [
    [
      `VHM0_SW${i + 1}`,
      { ...height("sea_surface_swell_wave_significant_height"), change: (value: number) => value * part },
    ],
    [
      `VTM01_SW${i + 1}`,
      { ...period("sea_surface_swell_wave_mean_period"), change: (value: number) => value + seconds },
    ],
    [
      `VMDR_SW${i + 1}`,
      {
        ...bearing("sea_surface_swell_wave_from_direction"),
        change: (value: number) => (value + degrees + 360) % 360,
      },
    ],
  ]),
);

export const products: readonly ArcoProduct[] = [
  {
    title: "hourly merged surface currents",
    path: `${ROOT}/GLOBAL_ANALYSISFORECAST_PHY_001_024/cmems_mod_glo_phy_anfc_merged-uv_PT1H-i_202211`,
    stores: ["timeChunked", "downsampled4"],
    first: Date.UTC(2022, 5, 1) / 1000,
    step: HOUR_S,
    timeBytes: 8,
    every: DAY_S,
    delay: 12 * HOUR_S,
    ahead: 10 * DAY_S,
    hasDepth: true,
    arrays: {
      utotal: velocity("surface_eastward_sea_water_velocity"),
      vtotal: velocity("surface_northward_sea_water_velocity"),
    },
  },
  {
    title: "3-hourly waves",
    path: `${ROOT}/GLOBAL_ANALYSISFORECAST_WAV_001_027/cmems_mod_glo_wav_anfc_0.083deg_PT3H-i_202411`,
    stores: ["downsampled4"],
    first: Date.UTC(2022, 10, 1, 3) / 1000,
    step: 3 * HOUR_S,
    timeBytes: 4,
    every: 12 * HOUR_S,
    delay: 11 * HOUR_S,
    ahead: 10 * DAY_S,
    hasDepth: false,
    arrays: {
      VHM0: height("sea_surface_wave_significant_height"),
      VTM10: period("sea_surface_wave_mean_period"),
      VMDR: bearing("sea_surface_wave_from_direction"),
      VHM0_WW: height("sea_surface_wind_wave_significant_height"),
      VTM01_WW: period("sea_surface_wind_wave_mean_period"),
      VMDR_WW: bearing("sea_surface_wind_wave_from_direction"),
      ...swell,
    },
  },
];
