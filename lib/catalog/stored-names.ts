import { type StatisticName, statisticOf } from "./ensemble.ts";
import { type Field, type FieldName, fields } from "./fields.ts";

/** Name of a field that a run stores, or of a statistic over members in a run of an ensemble. */
export type StoredName = FieldName | StatisticName;

/** The unit, the packing and the range of a stored field or statistic. */
export function storedField(name: StoredName): Field {
  return statisticOf(name)?.field ?? fields[name as FieldName];
}
