import type { NetcdfSelector } from "#server/ingest/sources/source.ts";

type Unit = NetcdfSelector["unit"];

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
  degree: { degree: {}, degrees: {}, deg: {}, degreetrue: {}, degreestrue: {}, "°": {} },
};

/**
 * How values in the units of a file are converted to one of our units.
 *
 * @param units As the file writes them.
 * @returns undefined for missing or unknown units: a guess could be wrong by a factor.
 */
export function conversionFrom(
  units: string | undefined,
  unit: Unit,
): { factor: number; offset: number } | undefined {
  const known = spellings[unit][(units ?? "").toLowerCase().replace(/[\s_.]/g, "")];
  return known && { factor: known.factor ?? 1, offset: known.offset ?? 0 };
}
