import { dangerMethods, stormProviders } from "@open-metocean/storms/providers";
import { stormEntry } from "@open-metocean/storms/schema";
import { z } from "zod";

/** Query of GET /storms/outlooks. */
export const stormOutlooksQuery = z.object({
  provider: z.enum(["jtwc"]).describe("jtwc has the outlooks of JTWC, NHC and CPHC; the JMA publishes none"),
});

/** Answer of GET /storms. */
export const stormsResponse = z.strictObject({ results: z.array(stormEntry) });

/**
 * Most entries of an answer of GET /storms/{id}/history: 16 days of bulletins every 3 h, the interval of the
 * JMA, at 10 to 60 kB each.
 */
export const MAX_HISTORY = 128;

/** Answer of GET /storms/{id}/history. */
export const stormHistoryResponse = z.strictObject({
  results: z.array(
    z.strictObject({
      issued_at: z.int().describe("Time of issue of the bulletin, Unix seconds"),
      entry: stormEntry,
    }),
  ),
  continued_as: z.string().optional().describe("Id of the storm that this invest became"),
});

const yes = ["true", "1", "yes", "on"];
const no = ["false", "0", "no", "off"];

/** A boolean in a query, in upper or lower case. */
const flag = z
  .string()
  .transform((text, context) => {
    const word = text.toLowerCase();
    if (yes.includes(word)) return true;
    if (no.includes(word)) return false;
    context.addIssue({ code: "custom", message: `Input should be ${[...yes, ...no].join(", ")}` });
    return z.NEVER;
  })
  .meta({ type: "boolean" });

export const stormProviderQuery = z.object({
  provider: z
    .enum(stormProviders)
    .describe("Provider that tracks the storms; the storms of the two providers are never merged"),
});

/** Query of GET /storms. */
export const stormsQuery = stormProviderQuery.extend({
  include_invests: flag.default(true).describe("false leaves out invests, which are not storms yet"),
});

/** Query of GET /storms/{id}/danger. */
export const stormDangerQuery = z.object({
  provider: z.enum(stormProviders).describe("Provider that tracks the storm"),
  method: z
    .enum(dangerMethods)
    .default("classic")
    .describe(
      "classic: a forecast error of 100 n mi a day (the mariner's 1-2-3 rule); season: the radius of the storm's cone",
    ),
});

const dangerPlace = z.strictObject({ lat: z.number(), lon: z.number() });

/** Answer of GET /storms/{id}/danger. */
export const stormDanger = z.strictObject({
  provider: z.enum(stormProviders),
  id: z.string(),
  name: z.string().nullable(),
  method: z.enum(dangerMethods),
  threshold_kt: z.int().describe("Wind speed whose radius is used: 34 kt at jtwc, 30 kt at jma"),
  issued_at: z.int().describe("Base time of the forecast, Unix seconds"),
  rule: z.string().describe("How the area is made, as text"),
  circles: z.array(
    dangerPlace.extend({
      fhr: z.number().describe("Forecast hour: hours after issued_at, up to 72"),
      time: z.int().describe("Unix time, seconds, UTC"),
      r_km: z.number().describe("Radius: wind_km plus error_km, km"),
      wind_km: z.number().describe("Largest radius of the wind, km"),
      error_km: z.number().describe("Error of the forecast position, km"),
      wind_estimated: z.boolean().describe("true if the agency gives no radius and a typical one is used"),
    }),
  ),
  polygon: z
    .array(dangerPlace)
    .nullable()
    .describe("Outline of the area that the circles sweep, closed, counter-clockwise"),
  notice: z.string(),
});

export type StormDanger = z.infer<typeof stormDanger>;
