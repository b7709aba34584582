import {
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  get,
  type ResolverError,
  type ResolverSuccess,
  set,
} from "react-hook-form";
import type { z } from "zod";
import { type NumberRange, numberRangeAt } from "#lib/contract/number-range.ts";

/** A fault that the schema of the contract finds in the request of a form. */
export type ContractIssue = z.core.$ZodIssue & {
  /** The numbers that are accepted there, if the value should be one between two bounds. */
  range: NumberRange | undefined;
};

interface Options<Values extends FieldValues, Body> {
  schema: z.ZodType;
  /** The request that the values make; a number that cannot be read is NaN. */
  bodyOf(values: Values): Body;
  /** The field with the value that an issue is about. */
  fieldOf(issue: ContractIssue, values: Values): FieldPath<Values>;
  /** Describes an issue in the language of the page. */
  textOf(issue: ContractIssue, values: Values): string;
}

/**
 * A resolver of a form, which checks the request that its values make by the schema of the contract: limits
 * and rules stand in the schema alone. A form that is valid submits the request. It answers at once, so that
 * a form can also say what is wrong before it is submitted.
 */
export function contractResolver<Values extends FieldValues, Body>({
  schema,
  bodyOf,
  fieldOf,
  textOf,
}: Options<Values, Body>) {
  return (values: Values): ResolverSuccess<Body> | ResolverError<Values> => {
    const body = bodyOf(values);
    const { error } = schema.safeParse(body);
    if (!error) return { values: body, errors: {} };
    const errors: FieldErrors<Values> = {};
    for (const found of error.issues) {
      const issue = { ...found, range: numberRangeAt(schema, found.path, body) };
      const field = fieldOf(issue, values);
      if (!get(errors, field)) set(errors, field, { type: issue.code, message: textOf(issue, values) });
    }
    return { values: {}, errors };
  };
}

/** The problem of the first field of a form that is wrong; undefined if none is. */
export function firstProblem<Values extends FieldValues>(errors: FieldErrors<Values>): string | undefined {
  for (const error of Object.values(errors)) {
    if (!error) continue;
    const text = "message" in error ? String(error.message) : firstProblem(error as FieldErrors);
    if (text !== undefined) return text;
  }
  return undefined;
}
