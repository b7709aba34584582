import { z } from "zod";
import { stormProviders } from "./storm-providers.ts";

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
  provider: z.enum(stormProviders).describe("who tracks the storms; each has its own set, never merged"),
});

/** Query of GET /storms. */
export const stormsQuery = stormProviderQuery.extend({
  include_invests: flag.default(true).describe("false leaves out areas of interest that are no storms yet"),
});
