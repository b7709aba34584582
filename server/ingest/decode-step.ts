import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { plausibleRange } from "#lib/catalog/plausible.ts";
import { formatInstant } from "#lib/time.ts";
import { isDirection, type Selector } from "#server/ingest/sources/source.ts";
import { DecodeError, type Decoder } from "./decoder.ts";
import type { PlannedStep } from "./plan.ts";
import type { FieldRecord, Partner, Rejection } from "./record.ts";
import { conversionFrom } from "./units.ts";
import { meanSinceBefore } from "./window.ts";

/** NCEP writes 9.999e20 for missing values if the packing has no other code for them. */
const NCEP_MISSING = 9.9e20;

/** A record that cannot be decoded or has impossible values. */
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
  const values = choice.convert(decoded);
  keepToRange(name, values, inputs[0]!.record);
  return values;
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
 * Reduces values that packing has put a little beyond what is possible to the bound.
 *
 * @throws UnusableRecordError for values farther outside: they are damage that no checksum caught.
 */
function keepToRange(name: FieldName, values: Float32Array, record: FieldRecord): void {
  const { min, max, noise } = plausibleRange(name);
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
    `it makes ${name} ${Number(found.toPrecision(4))} ${fields[name].unit}, which cannot be outside ${min} to ${max}`,
  );
}

/** The rejection of a record, with the reason. */
export function rejectionOf(record: FieldRecord, reason: string): Rejection {
  const variable = record.kind === "netcdf" ? record.variable : undefined;
  return { file: record.file, message: describeRecord(record), reason, variable };
}

/** A record for people: "message 6 (10/0/11, level 1:0, 2011-01-15T12:00:00Z)". */
function describeRecord(record: FieldRecord): string {
  const time = formatInstant(record.validTime);
  if (record.kind === "netcdf") {
    const level = record.level === undefined ? "" : ` at ${record.level} m`;
    return `${record.variable}${level}${record.timeless ? "" : `, ${time}`}`;
  }
  const { message, part, discipline, category, parameter, level } = record.field;
  return `message ${part > 1 ? `${message}.${part}` : message} (${discipline}/${category}/${parameter}, level ${level.type}:${level.value}, ${time})`;
}
