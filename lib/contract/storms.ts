import { z } from "zod";
import { stormFields } from "./storm-form.ts";
import { stormFaults } from "./storm-rules.ts";

/** A storm entry of one provider: its fields, and the rules between them. */
export const stormEntry = stormFields.superRefine((entry, context) => {
  for (const message of stormFaults(entry)) context.addIssue({ code: "custom", message });
});

/** Answer of GET /storms. */
export const stormsResponse = z.strictObject({ results: z.array(stormEntry) });

/** Most entries of an answer of GET /storms/{id}/history: 16 days of bulletins every 3 h, as of the JMA, with 10 to 60 kB each. */
export const MAX_HISTORY = 128;

/** Answer of GET /storms/{id}/history. */
export const stormHistoryResponse = z.strictObject({
  results: z.array(
    z.strictObject({ issued_at: z.int().describe("when the bulletin was issued"), entry: stormEntry }),
  ),
  continued_as: z
    .string()
    .optional()
    .describe("of an invest that has become a storm: the id under which that is published"),
});
