import { DAY_S, HOUR_S } from "#lib/time.ts";
import { partsAt, stamp } from "#server/ingest/feeds/cycle.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { oisst } from "./oisst.ts";

const FIRST_DAY = Date.UTC(1981, 8, 1) / 1000;

/**
 * NOAA's daily analysis of sea temperature, valid at 12 UTC. A preliminary file appears after a day or two; the final
 * one replaces it after two weeks, and is taken where it is there.
 */
export const oisstFeed: FieldFeed = {
  name: "oisst",
  title: "NOAA OISST v2.1 0.25°: daily sea surface temperature",
  credit: "NOAA/NCEI, OISST v2.1, https://doi.org/10.25921/RE9P-PT57",
  source: oisst,
  cycles: { every: DAY_S, offset: 12 * HOUR_S },
  delay: { first: 24 * HOUR_S, whole: 48 * HOUR_S },
  mirrors: [
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
  ],
  parts: (cycle) => partsAt(cycle, [0]),
  objects(part) {
    const { day } = stamp(part.cycle);
    const name = `avhrr/${day.slice(0, 6)}/oisst-avhrr-v02r01.${day}`;
    return { kind: "file", objects: [`${name}.nc`, `${name}_preliminary.nc`] };
  },
  partBytes: () => 1_600_000,
};
