import type { Decoder } from "./decoder.ts";
import { type PlannedStep, recordsOf } from "./plan.ts";
import type { FieldRecord } from "./record.ts";

/** Values that wait for their next use, bytes: some steps of the fields that are written together. */
const MAX_WAITING = 96e6;

/**
 * Decodes a record that several fields or steps need once, as long as its uses follow each other closely: of values that
 * wait for longer, the oldest are dropped, and decoded again.
 *
 * @param steps All that will be decoded.
 * @returns Each call's values are the caller's.
 */
export function decodeOnce(
  decoder: Pick<Decoder, "decode">,
  steps: Iterable<PlannedStep>,
  maxWaiting = MAX_WAITING,
): Pick<Decoder, "decode"> {
  const uses = new Map<FieldRecord, number>();
  for (const step of steps)
    for (const record of recordsOf(step)) uses.set(record, (uses.get(record) ?? 0) + 1);
  /** The oldest first. */
  const waiting = new Map<FieldRecord, Promise<Float32Array>>();
  return {
    async decode(record, signal, meaning) {
      // A component that is turned is needed once.
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
      // Conversions write into what they are given.
      return (await values).slice();
    },
  };
}

/** Fields in groups that share records: they are to be written together. */
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
