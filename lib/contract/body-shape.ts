import { z } from "zod";

/**
 * How much JSON a valid body of a schema can hold, for a count before the body is parsed.
 *
 * Derived from the schema, so that a limit is written once.
 */
export interface BodyShape {
  /** Position of this shape in `most`. */
  id: number;
  fields?: readonly Field[];
  /** Of a list: the shape of its entries. */
  entries?: BodyShape;
}

export interface Field {
  key: string;
  shape: BodyShape;
}

export interface BodyBounds {
  shape: BodyShape;
  /** By id of a shape: how many values of it the largest valid body has; 0 for entries of a list without a limit. */
  most: readonly number[];
  /** Weight of what the schema does not name, which is ignored, but has to be read. */
  extras: number;
}

/** Deepest nesting of lists and objects. */
export const MAX_DEPTH = 64;

/** Weights against a number: of a list or an object by its memory; of a key that is new in its place by its time. */
export const CONTAINER_WEIGHT = 8;
export const NEW_KEY_WEIGHT = 64;

/** Unknown values of any body, and for each object of the largest valid one. */
const EXTRAS = 100_000;
const EXTRAS_OF_OBJECT = 16;

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  maxItems?: number;
  anyOf?: JsonSchema[];
}

export function bodyBounds(schema: z.ZodType): BodyBounds {
  const most: number[] = [];
  let objects = 0;
  const shapeOf = (json: JsonSchema, count: number): BodyShape => {
    const id = most.push(count) - 1;
    // At most one alternative of a union is a list or an object.
    const {
      properties,
      items,
      maxItems = 0,
    } = json.anyOf?.find((option) => option.items ?? option.properties) ?? json;
    if (items) return { id, entries: shapeOf(items, count * maxItems) };
    if (!properties) return { id };
    objects += count;
    const fields = Object.entries(properties).map(([key, field]) => ({ key, shape: shapeOf(field, count) }));
    return { id, fields };
  };
  const shape = shapeOf(z.toJSONSchema(schema, { io: "input" }) as JsonSchema, 1);
  return { shape, most, extras: EXTRAS + EXTRAS_OF_OBJECT * objects };
}
