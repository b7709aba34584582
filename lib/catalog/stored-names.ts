import { type StatisticName, statisticOf } from "./ensemble.ts";
import { type Field, type FieldName, fields } from "./fields.ts";

/** Name of what a run stores: a field, or in a run of an ensemble a statistic of its members. */
export type StoredName = FieldName | StatisticName;

/** The unit, the packing and the range of what is stored under a name. */
export function storedField(name: StoredName): Field {
  return statisticOf(name)?.field ?? fields[name as FieldName];
}
