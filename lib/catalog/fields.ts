import type { Field } from "./variable-row.ts";
import {
  type FieldName,
  type Output,
  type Variable,
  type VariableName,
  variable,
  variableNames,
} from "./variables.ts";

export type { Field, FieldName };

/** The fields that the archive stores, collected from the rows of all variables. */
export const fields = Object.assign({}, ...variableNames.map((name) => variable(name).stores)) as Readonly<
  Record<FieldName, Field>
>;

export const fieldNames = Object.keys(fields) as FieldName[];

/** The stored fields of a variable. */
export function fieldsOf(name: VariableName): FieldName[] {
  return Object.keys(variable(name).stores) as FieldName[];
}

const rows = new Map(
  variableNames.flatMap((name) => fieldsOf(name).map((field) => [field, variable(name)] as const)),
);

/** The row of the variable that a stored field belongs to. */
export function rowOf(field: FieldName): Variable {
  return rows.get(field)!;
}

/**
 * The outputs of a variable that a run with these stored fields can provide. Each output is checked by
 * itself; a vector needs both components.
 */
export function outputsIn(stored: Readonly<Record<string, unknown>>, name: VariableName): Output[] {
  return variable(name).outputs.filter(({ of }: Output) => of.every((field) => stored[field]));
}
