import "#components/api-client/without-eval.ts";
import { passageResponse } from "#lib/contract/passage-reply.ts";
import { failureResponse } from "#lib/contract/point.ts";
import { stormDanger } from "#lib/contract/storms.ts";
import { taskCreated } from "#lib/contract/task.ts";

/**
 * Contract schemas of the replies about passages. This file is separate so that it loads with the first of
 * them.
 */
export const passageSchemas = {
  passage: passageResponse,
  failure: failureResponse,
  danger: stormDanger,
  taskCreated,
} as const;
