import { z } from "zod";
import { dangerMethods, stormProviders } from "./storm-providers.ts";

/** Query of GET /storms/{id}/danger. */
export const stormDangerQuery = z.object({
  provider: z.enum(stormProviders).describe("who tracks the storm"),
  method: z
    .enum(dangerMethods)
    .default("classic")
    .describe(
      "classic: 100 n mi of error a day (the mariner's 1-2-3 rule); season: the radius of the storm's cone",
    ),
});

const place = z.strictObject({ lat: z.number(), lon: z.number() });

/** Answer of GET /storms/{id}/danger. */
export const stormDanger = z.strictObject({
  provider: z.enum(stormProviders),
  id: z.string(),
  name: z.string().nullable(),
  method: z.enum(dangerMethods),
  threshold_kt: z.int().describe("whose reach it is: 34 kt at jtwc, 30 kt at jma"),
  issued_at: z.int().describe("base time of the forecast, Unix seconds"),
  rule: z.string().describe("how it is made, in words"),
  circles: z.array(
    place.extend({
      fhr: z.number().describe("hours after issued_at, to 72"),
      time: z.int().describe("Unix time, seconds, UTC"),
      r_km: z.number().describe("wind and error together, km"),
      wind_km: z.number().describe("furthest reach of the wind, km"),
      error_km: z.number().describe("error of the forecast position, km"),
      wind_estimated: z.boolean().describe("the reach is not given but typical of such a storm"),
    }),
  ),
  polygon: z.array(place).nullable().describe("what the circles sweep: closed, counter-clockwise"),
  notice: z.string(),
});

export type StormDanger = z.infer<typeof stormDanger>;
