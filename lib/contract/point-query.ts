import { z } from "zod";
import { type VariableName, variableNames } from "#lib/catalog/variables.ts";
import { readDecimal } from "#lib/decimal.ts";
import type { pointMediaTypes } from "./media-types.ts";
import { utcInstant } from "./point.ts";

/** What a place is asked for where its query names no variables. */
export const everydayVariables = [
  "wind",
  "gust",
  "wave",
  "current",
  "pressure",
  "temp",
] as const satisfies readonly VariableName[];

/** Plain words: a format of one place alone. */
export const PLAIN_WORDS = "text/plain";

/** What `f` calls the formats of one place. */
export const pointFormatNames = {
  json: "application/json",
  csv: "text/csv",
  text: PLAIN_WORDS,
  ndjson: "application/x-ndjson",
  arrow: "application/vnd.apache.arrow.stream",
  netcdf: "application/x-netcdf",
  geojson: "application/geo+json",
} as const satisfies Record<string, (typeof pointMediaTypes)[number] | "application/json" | "text/plain">;

type FormatName = keyof typeof pointFormatNames;

/** A number in a query. */
const decimal = (min: number, max: number, example: number) =>
  z
    .string()
    .transform((text, context) => {
      const number = readDecimal(text);
      if (!Number.isNaN(number)) return number;
      context.addIssue({
        code: "custom",
        message: "Input should be a valid number",
        params: { type: "float_parsing" },
      });
      return z.NEVER;
    })
    .pipe(z.number().min(min).max(max))
    .meta({ type: "number", minimum: min, maximum: max, example });

const names = z
  .string()
  .transform((text) => text.split(",").map((name) => name.trim()))
  .pipe(z.array(z.enum(variableNames)).min(1))
  .meta({ type: "string", example: "wind,gust" });

/** Query of GET /point. */
export const pointQuery = z.object({
  lat: decimal(-90, 90, 48.5).describe("degrees north"),
  lon: decimal(-180, 180, -5.2).describe("degrees east, in the −180..180 convention"),
  time: utcInstant
    .optional()
    .describe("from 3 years in the past to 10 days in the future; the nearest full hour to now where absent"),
  variables: names
    .default([...everydayVariables])
    .describe(`names of variables with commas between them; ${everydayVariables.join(",")} where absent`),
  wind_height: decimal(10, 100, 10).default(10).describe("metres above the surface"),
  f: z
    .enum(Object.keys(pointFormatNames) as [FormatName, ...FormatName[]])
    .optional()
    .describe("the format, in place of the header Accept; text is plain words"),
});
