import { netcdfPieces } from "./netcdf-object.ts";
import type { Planet } from "./planet.ts";
import { type Host, type Published, timeOf } from "./published.ts";
import { etopoFile, hycomFile, oisstFile, smocFile } from "./sea-files.ts";

const HOUR_S = 3600;
const DAY_S = 86_400;
const NETCDF = "application/x-netcdf";

const SMOC_FOLDER =
  "/mdl-native-14/native/GLOBAL_ANALYSISFORECAST_PHY_001_024/cmems_mod_glo_phy_anfc_merged-uv_PT1H-i_202211";
const SMOC_NAME = /^\/(\d{4})\/(\d\d)\/SMOC_(\d{8})_R(\d{8})\.nc$/;
/** Delay from the base time of a run to its publication, seconds. */
const SMOC_DELAY_S = 12 * HOUR_S;
/** Time for which daily runs stay, seconds. Those of Wednesdays stay forever. */
const SMOC_KEEPS_S = 7 * DAY_S;
const WEDNESDAY = 3;

/**
 * A day's file of a run. Every run has days from the day before it to ten days ahead; weekly runs also have the two
 * weeks before.
 */
function smocPublished(day: number, run: number, planet: Planet): Published | undefined {
  const ahead = (day - run) / DAY_S;
  const isWeekly = new Date(run * 1000).getUTCDay() === WEDNESDAY;
  if (ahead > 10 || ahead < (isWeekly ? -14 : -1)) return undefined;
  const from = run + SMOC_DELAY_S;
  return {
    from,
    ...(isWeekly ? {} : { until: from + SMOC_KEEPS_S }),
    contentType: NETCDF,
    pieces: (variant) => netcdfPieces(smocFile(day, run, planet, variant), variant),
  };
}

/** Copernicus Marine's bucket of daily files. */
export const smocHost: Host = ({ path }, planet) => {
  const [, year, month, day, run] = SMOC_NAME.exec(path.slice(SMOC_FOLDER.length)) ?? [];
  if (!path.startsWith(SMOC_FOLDER) || day === undefined || run === undefined) return undefined;
  if (!day.startsWith(`${year}${month}`)) return undefined;
  return smocPublished(timeOf(day), timeOf(run), planet);
};

const OISST_NAME = /^\/avhrr\/(\d{6})\/oisst-avhrr-v02r01\.(\d{8})(_preliminary)?\.nc$/;

/** A host with OISST: a preliminary file on the next day, replaced by the final one after two weeks. */
export function oisstHost(prefix: string): Host {
  return ({ path }, planet) => {
    const [, month, day, preliminary] = OISST_NAME.exec(path.slice(prefix.length)) ?? [];
    if (!path.startsWith(prefix) || day === undefined || !day.startsWith(month!)) return undefined;
    const time = timeOf(day);
    if (Number.isNaN(time)) return undefined;
    const first = time + DAY_S + 13 * HOUR_S;
    const final = time + 15 * DAY_S;
    return {
      ...(preliminary === undefined ? { from: final } : { from: first, until: final }),
      contentType: NETCDF,
      pieces: (variant) => netcdfPieces(oisstFile(time, planet, variant), variant),
    };
  };
}

/** Every n-th cell of ETOPO 2022, in the form of an ERDDAP request: `…nc?z[0:5:10799][0:5:21599]`. */
export const etopoHost: Host = ({ path, query }, planet) => {
  const [, rows, columns] = /^z\[0:(\d+):\d+\]\[0:(\d+):\d+\]$/.exec([...query.keys()].join("")) ?? [];
  if (path !== "/erddap/griddap/ETOPO_2022_v1_60s.nc" || rows === undefined || rows !== columns)
    return undefined;
  return {
    from: 0,
    contentType: NETCDF,
    pieces: (variant) => netcdfPieces(etopoFile(Number(rows), planet, variant), variant),
  };
};

const HYCOM_PATH = "/thredds/ncss/grid/FMRC_ESPC-D-V02_uv3z/FMRC_ESPC-D-V02_uv3z_best.ncd";
const HYCOM_DELAY_S = 30 * HOUR_S;
const HYCOM_AHEAD_S = 7 * DAY_S;
const HYCOM_BEHIND_S = 10 * DAY_S;

/** HYCOM's "best" series by the NetCDF Subset Service: the surface at one time, three-hourly. */
export const hycomHost: Host = ({ path, query, now }, planet) => {
  const time = Date.parse(query.get("time") ?? "") / 1000;
  const stride = Number(query.get("horizStride") ?? 1);
  if (path !== HYCOM_PATH || !(time % (3 * HOUR_S) === 0) || !(stride > 0)) return undefined;
  // There is a run at 12 UTC of every day.
  const newest = Math.floor((now - HYCOM_DELAY_S - DAY_S / 2) / DAY_S) * DAY_S + DAY_S / 2;
  return {
    from: time <= newest + HYCOM_AHEAD_S ? 0 : now + 1,
    until: time + HYCOM_BEHIND_S,
    contentType: NETCDF,
    version: String(newest),
    pieces: (variant) => netcdfPieces(hycomFile(time, stride, planet, variant), variant),
  };
};
