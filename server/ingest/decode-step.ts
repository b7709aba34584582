import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { formatInstant } from "#lib/time.ts";
import { conversionFrom, isDirection, type Selector } from "#server/ingest/sources/source.ts";
import { DecodeError, type Decoder } from "./decoder.ts";
import { meanSinceBefore, type PlannedStep, recordsOf } from "./plan.ts";
import type { FieldRecord, Partner, Rejection } from "./record.ts";

/** NCEP writes 9.999e20 for missing values if the packing has no other code for them; larger values are missing. */
const NCEP_MISSING = 9.9e20;

/** A record cannot be decoded or has impossible values. */
export class UnusableRecordError extends Error {
  override readonly name = "UnusableRecordError";
  readonly record: FieldRecord;
  constructor(record: FieldRecord, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.record = record;
  }
}

/**
 * Decodes the records of one step and converts them to the archive's field.
 *
 * @returns Values in the catalog's unit, (nLat, nLon) row-major, south to north; NaN = missing.
 * @throws UnusableRecordError if a record cannot be decoded or its values are impossible.
 */
export async function decodeStep(
  decoder: Pick<Decoder, "decode">,
  name: FieldName,
  step: PlannedStep,
  signal: AbortSignal,
): Promise<Float32Array> {
  const values = await decodeDifference(decoder, step, signal);
  keepToRange(name, values, step.inputs[0]!.record);
  return values;
}

/** Decodes as `decodeStep` does, but does not check the range of the field: a spread, the size of differences, has another. */
export async function decodeDifference(
  decoder: Pick<Decoder, "decode">,
  { choice, inputs }: PlannedStep,
  signal: AbortSignal,
): Promise<Float32Array> {
  const decoded: Float32Array[] = [];
  for (const input of inputs) {
    const { selector, record, before, partner } = input;
    const values = await decodeInput(decoder, selector, record, signal, partner);
    const earlier = before && (await decodeInput(decoder, selector, before, signal));
    decoded.push(meanSinceBefore(input, values, earlier));
  }
  return choice.convert(decoded);
}

async function decodeInput(
  decoder: Pick<Decoder, "decode">,
  selector: Selector,
  record: FieldRecord,
  signal: AbortSignal,
  partner?: Partner,
): Promise<Float32Array> {
  const values = await decoder
    .decode(record, signal, { partner, isDirection: isDirection(selector) })
    .catch((error: unknown) => {
      if (error instanceof DecodeError)
        throw new UnusableRecordError(record, error.message, { cause: error });
      throw error;
    });
  const cells = record.grid.latitude.count * record.grid.longitude.count;
  if (values.length !== cells) {
    throw new UnusableRecordError(record, `it has ${values.length} values on a grid of ${cells} cells`);
  }
  const conversion =
    selector.kind === "netcdf" && record.kind === "netcdf"
      ? conversionFrom(record, selector.unit)
      : { factor: 1, offset: 0 };
  if (!conversion) throw new UnusableRecordError(record, "it has units that are not known");
  const { factor, offset } = conversion;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    values[i] = Math.abs(value) >= NCEP_MISSING ? Number.NaN : value * factor + offset;
  }
  return values;
}

/**
 * Clamps values that packing has put slightly beyond the possible range.
 *
 * @throws UnusableRecordError for values farther outside: the data is damaged in a way that no checksum detected.
 */
function keepToRange(name: FieldName, values: Float32Array, record: FieldRecord): void {
  const { min, max, noise, unit } = fields[name];
  let [least, most] = [min, max];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < min) {
      least = Math.min(least, value);
      values[i] = min;
    } else if (value > max) {
      most = Math.max(most, value);
      values[i] = max;
    }
  }
  if (least >= min - noise && most <= max + noise) return;
  const found = least < min - noise ? least : most;
  throw new UnusableRecordError(
    record,
    `it makes ${name} ${Number(found.toPrecision(4))} ${unit}, which cannot be outside ${min} to ${max}`,
  );
}

export function rejectionOf(record: FieldRecord, reason: string): Rejection {
  const variable = record.kind === "netcdf" ? record.variable : undefined;
  return { file: record.file, message: describeRecord(record), reason, variable };
}

/** Describes a record for people: "message 6 (10/0/11, level 1:0, 2011-01-15T12:00:00Z)". */
function describeRecord(record: FieldRecord): string {
  const time = formatInstant(record.validTime);
  if (record.kind === "netcdf") {
    const level = record.level === undefined ? "" : ` at ${record.level} m`;
    return `${record.variable}${level}${record.timeless ? "" : `, ${time}`}`;
  }
  const { message, part, discipline, category, parameter, level } = record.field;
  return `message ${part > 1 ? `${message}.${part}` : message} (${discipline}/${category}/${parameter}, level ${level.type}:${level.value}, ${time})`;
}

/** Limit of decoded values that wait for their next use, bytes: some steps of the fields that are written together. */
const MAX_WAITING = 96e6;

/**
 * Returns a decoder that decodes a record once for several fields or steps, if its uses follow each other closely. When
 * the waiting values exceed their limit, the oldest are dropped and decoded again later.
 *
 * @param steps All steps that will be decoded.
 * @returns Each call returns an array of its own.
 */
export function decodeOnce(
  decoder: Pick<Decoder, "decode">,
  steps: Iterable<PlannedStep>,
  maxWaiting = MAX_WAITING,
): Pick<Decoder, "decode"> {
  const uses = new Map<FieldRecord, number>();
  for (const step of steps)
    for (const record of recordsOf(step)) uses.set(record, (uses.get(record) ?? 0) + 1);
  /** Ordered by age, the oldest first. */
  const waiting = new Map<FieldRecord, Promise<Float32Array>>();
  return {
    async decode(record, signal, meaning) {
      // A component that is turned has one use only.
      if (meaning?.partner) return decoder.decode(record, signal, meaning);
      const left = (uses.get(record) ?? 1) - 1;
      uses.set(record, left);
      const values = waiting.get(record) ?? decoder.decode(record, signal, meaning);
      waiting.delete(record);
      if (left === 0) return values;
      waiting.set(record, values);
      const { latitude, longitude } = record.grid;
      const most = Math.floor(maxWaiting / (4 * latitude.count * longitude.count));
      for (const oldest of waiting.keys()) {
        if (waiting.size <= most) break;
        waiting.delete(oldest);
      }
      // The values are copied because conversions write into their input.
      return (await values).slice();
    },
  };
}

/** Groups fields that share records, so that they are written together and each record is decoded once. */
export function fieldsByRecords<Field extends { steps: readonly PlannedStep[] }>(
  fields: readonly Field[],
): Field[][] {
  let groups: { fields: Field[]; records: Set<FieldRecord> }[] = [];
  for (const field of fields) {
    const records = field.steps.flatMap(recordsOf);
    const related = groups.filter((group) => records.some((record) => group.records.has(record)));
    groups = [
      ...groups.filter((group) => !related.includes(group)),
      {
        fields: [...related.flatMap((group) => group.fields), field],
        records: new Set([...related.flatMap((group) => [...group.records]), ...records]),
      },
    ];
  }
  return groups.map((group) => group.fields);
}
