export const files = "{YYYY}{MM}{DD}/{HH}z/aifs-single/0p25/wave/{YYYY}{MM}{DD}{HH}0000-{F}h-wave-fc.grib2";
