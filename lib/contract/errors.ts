import { z } from "zod";

/** Body of 401, 403, 404, 405, 413, 415 and 503. */
export const detailError = z.object({ detail: z.string() });

/** Body of 422, in the form of FastAPI and pydantic v2. */
export const validationError = z.object({
  detail: z
    .array(
      z.object({
        type: z.string().describe("kind of the fault, such as missing or less_than_equal"),
        loc: z.array(z.union([z.string(), z.int()])).describe('where: ["body", "points", 0, "latitude"]'),
        msg: z.string(),
        ctx: z.record(z.string(), z.unknown()).optional().describe("the rule's own numbers and words"),
      }),
    )
    .max(50),
});

/** Body of 429. */
export const rateLimitError = z.object({
  error: z.string().meta({ example: "Rate limit exceeded: 10 per 1 minute" }),
});
