import type { Unit } from "#server/ingest/sources/source.ts";
import type { NetcdfRecord } from "./record.ts";

/** Units as files spell them, in lower case without separators: value · factor + offset is in our unit. */
const spellings: Readonly<Record<Unit, Readonly<Record<string, { factor?: number; offset?: number }>>>> = {
  "m s-1": {
    "ms-1": {},
    "m/s": {},
    "ms^-1": {},
    "ms**-1": {},
    "metersecond-1": {},
    "cms-1": { factor: 0.01 },
    "cm/s": { factor: 0.01 },
  },
  m: { m: {}, meter: {}, meters: {}, metre: {}, metres: {}, km: { factor: 1000 }, cm: { factor: 0.01 } },
  s: { s: {}, sec: {}, second: {}, seconds: {} },
  degC: {
    degc: {},
    degreec: {},
    degreesc: {},
    celsius: {},
    degreecelsius: {},
    degreescelsius: {},
    "°c": {},
    c: {},
    k: { offset: -273.15 },
    kelvin: { offset: -273.15 },
    degk: { offset: -273.15 },
  },
  hPa: { hpa: {}, mbar: {}, millibar: {}, pa: { factor: 0.01 }, pascal: { factor: 0.01 } },
  "%": { "%": {}, percent: {}, "1": { factor: 100 }, fraction: { factor: 100 } },
  "kg m-2 h-1": {
    "kgm-2h-1": {},
    "mm/h": {},
    "mmh-1": {},
    "kgm-2s-1": { factor: 3600 },
    "kgm**-2s**-1": { factor: 3600 },
    "mm/s": { factor: 3600 },
    "mms-1": { factor: 3600 },
    "ms-1": { factor: 3_600_000 },
  },
  "J kg-1": { "jkg-1": {}, "j/kg": {}, "jkg**-1": {}, "m2s-2": {} },
  degree: { degree: {}, degrees: {}, deg: {}, degreetrue: {}, degreestrue: {}, "°": {} },
};

/**
 * How the values of a file are converted to one of our units and to our sense: directions are those that waves come FROM,
 * heights grow upwards. A file that says otherwise of itself is believed.
 *
 * @returns undefined for missing or unknown units: a guess could be wrong by a factor.
 */
export function conversionFrom(
  { units, standardName = "", positive }: Pick<NetcdfRecord, "units" | "standardName" | "positive">,
  unit: Unit,
): { factor: number; offset: number } | undefined {
  const known = spellings[unit][(units ?? "").toLowerCase().replace(/[\s_.]/g, "")];
  if (!known) return undefined;
  const { factor = 1, offset = 0 } = known;
  if (unit === "degree" && /_to_direction$/.test(standardName)) return { factor, offset: offset + 180 };
  const isDown = positive?.toLowerCase() === "down" || /_depth(_|$)|^depth/.test(standardName);
  return unit === "m" && isDown ? { factor: -factor, offset } : { factor, offset };
}
