export const files = "gfs.{YYYY}{MM}{DD}/{HH}/wave/gridded/gfswave.t{HH}z.global.0p25.f{FFF}.grib2";
