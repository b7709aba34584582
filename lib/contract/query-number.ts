import { z } from "zod";
import { readDecimal } from "#lib/decimal.ts";

/** A number that arrives as the text of a query. */
export const queryNumber = <Schema extends z.ZodType<unknown, number>>(schema: Schema) =>
  z.preprocess((text) => (typeof text === "string" ? readDecimal(text) : text), schema);
