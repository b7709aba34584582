import { z } from "zod";

/** The least and the greatest number that a field accepts. */
export type NumberRange = readonly [least: number, most: number];

/**
 * The numbers that a schema accepts at a path, so that a form need not repeat them.
 *
 * @param value What the schema describes; it selects the branch of a union by its discriminator.
 * @returns undefined where there is no number with both bounds.
 */
export function numberRangeAt(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[] = [],
  value?: unknown,
): NumberRange | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return numberRangeAt(schema.unwrap(), path, value);
  const [key, ...rest] = path;
  if (key === undefined) {
    if (!(schema instanceof z.ZodNumber)) return undefined;
    const { minValue, maxValue } = schema;
    return minValue === null || maxValue === null ? undefined : [minValue, maxValue];
  }
  const inner = Object(value)[key];
  if (schema instanceof z.ZodArray) return numberRangeAt(schema.element, rest, inner);
  if (schema instanceof z.ZodObject) {
    const property = schema.shape[String(key)];
    return property && numberRangeAt(property, rest, inner);
  }
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return undefined;
  const { discriminator } = schema.def;
  const branch = schema.options.find(
    (option) =>
      option instanceof z.ZodObject &&
      option.shape[discriminator]?.safeParse(Object(value)[discriminator]).success,
  );
  return branch && numberRangeAt(branch, path, value);
}
