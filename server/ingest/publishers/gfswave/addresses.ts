/** Names of version 17 of GFS, as NOAA's public code has them in 2026. Not verified here. */
export const otherFiles = [
  "gfs.{YYYY}{MM}{DD}/{HH}/products/wave/gridded/global.0p25/gfs.t{HH}z.global.0p25.f{FFF}.grib2",
];

export const files = "gfs.{YYYY}{MM}{DD}/{HH}/wave/gridded/gfswave.t{HH}z.global.0p25.f{FFF}.grib2";
