import { gfsFields, gfsWaveFields } from "./forecast-fields.ts";
import { type GribFile, gribPieces, wgrib2Index } from "./grib-object.ts";
import { type GfsNames, globe, type Planet } from "./planet.ts";
import { type Host, type Published, timeOf, type Variant } from "./published.ts";

const HOUR_S = 3600;
const MINUTE_S = 60;

const NCEP = { code: 7, tablesVersion: 2, localTablesVersion: 1, process: 96 };
const CYCLE_S = 6 * HOUR_S;
const LAST_LEAD = 384;
const HOURLY_UNTIL = 120;
/** No host has earlier cycles. */
const FIRST_CYCLE = Date.UTC(2021, 2, 23) / 1000;

/** Names of version 17: the directory of products, and `pres_a` for the atmosphere. */
const ATMOSPHERE_17 =
  /^\/gfs\.(\d{8})\/(\d\d)\/products\/atmos\/grib2\/0p25\/gfs\.t(\d\d)z\.pres_a\.0p25\.f(\d{3})\.grib2(\.idx)?$/;
const WAVES_17 =
  /^\/gfs\.(\d{8})\/(\d\d)\/products\/wave\/gridded\/global\.0p25\/gfs\.t(\d\d)z\.global\.0p25\.f(\d{3})\.grib2(\.idx)?$/;
const ATMOSPHERE = /^\/gfs\.(\d{8})\/(\d\d)\/atmos\/gfs\.t(\d\d)z\.pgrb2\.0p25\.f(\d{3})(\.idx)?$/;
const WAVES =
  /^\/gfs\.(\d{8})\/(\d\d)\/wave\/gridded\/gfswave\.t(\d\d)z\.global\.0p25\.f(\d{3})\.grib2(\.idx)?$/;

/** Publication of the first and the last file of a cycle, seconds after its base time. */
const appears = {
  atmosphere: { first: 3 * HOUR_S + 35 * MINUTE_S, last: 5 * HOUR_S },
  waves: { first: 3 * HOUR_S + 45 * MINUTE_S, last: 5 * HOUR_S + 10 * MINUTE_S },
};

interface GfsHost {
  /** Part of the path before "/gfs.YYYYMMDD". */
  prefix: string;
  /** Delay after NCEP's own server, seconds. */
  delay: number;
  /** Time for which a cycle stays, seconds. */
  keeps?: number;
  statusGone?: 403 | 404;
}

/** A host with GFS and GFS-Wave at 0.25°. */
export function gfsHost({ prefix, delay, keeps, statusGone }: GfsHost): Host {
  return ({ path }, planet) => {
    if (!path.startsWith(prefix)) return undefined;
    const name = path.slice(prefix.length);
    for (const [kind, version, pattern] of [
      ["atmosphere", "v16", ATMOSPHERE],
      ["waves", "v16", WAVES],
      ["atmosphere", "v17", ATMOSPHERE_17],
      ["waves", "v17", WAVES_17],
    ] as const) {
      const [, day, hour, same, digits, index] = pattern.exec(name) ?? [];
      const lead = Number(digits);
      if (day === undefined || hour !== same || !isLead(lead)) continue;
      const cycle = timeOf(day, hour);
      if (!(cycle >= FIRST_CYCLE) || cycle % CYCLE_S !== 0) return undefined;
      if (!(planet.gfsNames?.(cycle) ?? ["v16"]).includes(version)) return undefined;
      const { first, last } = appears[kind];
      const published: Published = {
        from: cycle + first + ((last - first) * lead) / LAST_LEAD + delay,
        pieces: (variant) => {
          const file = fileOf(kind, version, cycle, lead, planet, variant);
          return index === undefined ? gribPieces(file, variant) : [wgrib2Index(file, variant)];
        },
      };
      if (keeps !== undefined) published.until = cycle + keeps;
      if (statusGone !== undefined) published.statusGone = statusGone;
      if (index !== undefined) published.indexOf = path.slice(0, -index.length);
      return published;
    }
    return undefined;
  };
}

/** Whether a lead exists: hourly to 120 h, then three-hourly. */
function isLead(lead: number): boolean {
  return lead <= HOURLY_UNTIL || (lead <= LAST_LEAD && lead % 3 === 0);
}

function fileOf(
  kind: "atmosphere" | "waves",
  version: GfsNames,
  cycle: number,
  lead: number,
  planet: Planet,
  { hoursEarlier }: Variant,
): GribFile {
  const base = cycle - hoursEarlier * HOUR_S;
  const file = {
    key: `gfs:${version}:${kind}:${base}:${lead}`,
    centre: NCEP,
    grid: globe(planet.resolution, 0),
  };
  return kind === "atmosphere"
    ? { ...file, fields: gfsFields(base, lead, version) }
    : { ...file, fields: gfsWaveFields(base, lead), packing: "jpeg2000" };
}
