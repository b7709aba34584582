import type { Field } from "./variable-row.ts";
import { type FieldName, variable, variableNames } from "./variables.ts";

export type { Field, FieldName };

/** int16 value that stands for missing (CF `_FillValue`). */
export const FILL = -32768;

/** The fields that the archive stores, each from the row of its variable. */
export const fields = Object.assign({}, ...variableNames.map((name) => variable(name).stores)) as Readonly<
  Record<FieldName, Field>
>;

export const fieldNames = Object.keys(fields) as FieldName[];
