import { fill, type Mirror, type Part, type PartObjects } from "#server/ingest/feeds/field-feed.ts";

const FIRST_DAY = Date.UTC(1981, 8, 1) / 1000;

export const mirrors: readonly Mirror[] = [
  {
    name: "NCEI",
    base: "https://www.ncei.noaa.gov/data/sea-surface-temperature-optimum-interpolation/v2.1/access",
    since: FIRST_DAY,
  },
  {
    name: "AWS",
    base: "https://noaa-cdr-sea-surface-temp-optimum-interpolation-pds.s3.amazonaws.com/data/v2.1",
    since: FIRST_DAY,
  },
];

/** The files of a day: the final one, and the preliminary one for the days before it exists. */
export function daily(part: Part): PartObjects {
  const name = fill("avhrr/{YYYY}{MM}/oisst-avhrr-v02r01.{YYYY}{MM}{DD}", part);
  return { kind: "file", objects: [`${name}.nc`, `${name}_preliminary.nc`] };
}
