import type { GribSelector, PlannedInput, Selector } from "#server/ingest/sources/source.ts";
import { matches } from "#server/ingest/sources/source.ts";
import type { Grib2Field } from "./grib2/field.ts";
import type { Packing } from "./grib2/packing.ts";
import type { FieldRecord, GribRecord, Partner } from "./record.ts";

/** Longest window that stands for its step where no step is before it, seconds: the longest that NCEP averages over. */
const MAX_ALONE = 6 * 3600;

/** Rounding of float32, relative. */
const FLOAT_ERROR = 2 ** -23;

/** The records at a time. */
export interface RecordsAt {
  time: number;
  records: readonly FieldRecord[];
}

/**
 * Finds the record that a selector selects at a step.
 *
 * Sums and averages are wanted of the time since the step before, but files have them since the start of the forecast, or
 * since the last multiple of six hours. A window that starts before the step before is therefore reduced by the record
 * there whose window has the same start. Without such a record there is no input: it would be of another time.
 *
 * @param before The step before, whatever fields it has; undefined at the first step.
 */
export function findInput(
  selector: Selector,
  at: RecordsAt,
  before: RecordsAt | undefined,
): PlannedInput | undefined {
  const found = at.records.filter((record) => matches(selector, record));
  if (!isWindowed(selector)) {
    for (const record of found) {
      const partner = findPartner(selector, record, at.records);
      if (partner !== "none") return { selector, record, partner };
    }
    return undefined;
  }
  // Components along the grid are not averaged here: their mean would have to be turned.
  const windows = found
    .filter((record) => record.kind === "grib2")
    .filter((record) => lengthOf(record) > 0 && findPartner(selector, record, at.records) === undefined);
  // Of several the shortest: it loses least by the difference.
  for (const record of windows.sort((a, b) => lengthOf(a) - lengthOf(b))) {
    const { start } = record.field.time;
    if (before ? start >= before.time : lengthOf(record) <= MAX_ALONE) return { selector, record };
    const earlier = before?.records.find(
      (other) => other.kind === "grib2" && matches(selector, other) && other.field.time.start === start,
    );
    if (earlier) return { selector, record, before: earlier };
  }
  return undefined;
}

/** Numbers of the components of a velocity along x and y, in the categories of momentum of air and of currents. */
const COMPONENTS = [2, 3];

/**
 * The other component of a vector that is given along the columns and rows of its grid.
 *
 * @returns undefined where the record needs none; "none" where it needs one that is not there.
 */
function findPartner(
  selector: Selector,
  record: FieldRecord,
  records: readonly FieldRecord[],
): Partner | undefined | "none" {
  if (record.kind === "netcdf") {
    const turned = selector.kind === "netcdf" ? selector.turnedWith : undefined;
    if (!turned) return undefined;
    const other = records.find(
      (one) => one.kind === "netcdf" && one.variable === turned.variable && one.level === record.level,
    );
    return other ? { record: other, toward: turned.toward } : "none";
  }
  const { field } = record;
  const component = selector.kind === "grib2" ? selector.component : undefined;
  if (!field.projected?.isGridRelative || !(component || isVelocity(field))) return undefined;
  if (isTowardEarth(field)) return undefined;
  const isOther = (one: GribRecord) =>
    component
      ? component.other !== undefined && matches(component.other, one)
      : isVelocity(one.field) &&
        one.field.discipline === field.discipline &&
        one.field.parameter === COMPONENTS.find((number) => number !== field.parameter);
  const other = records.find(
    (one) =>
      one.kind === "grib2" &&
      isOther(one) &&
      one.field.level.type === field.level.type &&
      one.field.level.value === field.level.value &&
      one.field.time.kind === field.time.kind &&
      one.field.ensemble === undefined,
  );
  const toward = component?.toward ?? (field.parameter === COMPONENTS[0] ? "east" : "north");
  return other ? { record: other, toward } : "none";
}

/** Eastward and northward current (10/1/5 and 6): whatever their grid, by their definition. */
function isTowardEarth({ discipline, category, parameter }: Grib2Field): boolean {
  return discipline === 10 && category === 1 && [5, 6].includes(parameter);
}

function isVelocity({ discipline, category, parameter }: Grib2Field): boolean {
  return (
    ((discipline === 0 && category === 2) || (discipline === 10 && category === 1)) &&
    COMPONENTS.includes(parameter)
  );
}

function isWindowed(selector: Selector): selector is GribSelector {
  return selector.kind === "grib2" && (selector.time === "average" || selector.time === "accumulation");
}

function lengthOf({ field: { time } }: GribRecord): number {
  return time.end - time.start;
}

/**
 * Mean of an average or accumulation since the step before; of an accumulation, a second.
 *
 * The quantity is never negative. A difference that is negative by less than the packing of both numbers can explain is
 * 0; by more, the records contradict each other, and the value is missing.
 *
 * @param values Of the record, in the units of the file; overwritten.
 * @param earlier Of the record before, if the input has one.
 */
export function meanSinceBefore(
  { selector, record, before }: PlannedInput,
  values: Float32Array,
  earlier: Float32Array | undefined,
): Float32Array {
  if (!isWindowed(selector) || record.kind !== "grib2" || (before && before.kind !== "grib2")) return values;
  const accumulated = selector.time === "accumulation";
  if (!accumulated && !before) return values;
  // As sums: value · weight. An average is a sum a second of its window.
  const weight = accumulated ? 1 : lengthOf(record);
  const weightBefore = accumulated || !before ? 1 : lengthOf(before);
  const seconds = record.field.time.end - (before?.field.time.end ?? record.field.time.start);
  const packed =
    weight * resolutionOf(record.field.packing) +
    (before ? weightBefore * resolutionOf(before.field.packing) : 0);
  for (let i = 0; i < values.length; i++) {
    const sum = values[i]! * weight;
    const sumBefore = earlier ? earlier[i]! * weightBefore : 0;
    const difference = sum - sumBefore;
    const tolerance = packed + Math.abs(sum) * FLOAT_ERROR * 4;
    values[i] = difference >= 0 ? difference / seconds : difference >= -tolerance ? 0 : Number.NaN;
  }
  return values;
}

/** The smallest difference between two coded values. */
function resolutionOf(packing: Packing): number {
  if (packing.kind === "ieee" || packing.bits === 0) return 0;
  return packing.binaryFactor * packing.decimalFactor;
}

/** Comment with the length of what a value is the mean of. */
export function meanUntil([input]: readonly PlannedInput[]): string {
  const time = input?.record.kind === "grib2" ? input.record.field.time : undefined;
  const from = input?.before?.validTime ?? time?.start ?? 0;
  const hours = time ? (time.end - from) / 3600 : 0;
  return `${Number(hours.toFixed(1))}-h average ending at the valid time`;
}
