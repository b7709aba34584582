import { bodyLimits } from "#lib/contract/bodies.ts";
import { createdReply, idempotencyKey } from "#lib/contract/openapi.ts";
import { pointLimits } from "#lib/contract/point.ts";
import { acceptTask } from "./accept-task.ts";
import { bodyOperation } from "./definition.ts";
import { pointIssues } from "./met-ocean.ts";
import { taskHandlers } from "./task-handlers.ts";

/** POST /MetOcean/async: like /MetOcean, answered by a task. */
export const metOceanAsync = bodyOperation(
  {
    path: "/MetOcean/async",
    schema: taskHandlers.MetOcean.schema,
    schemaName: "PointRequest",
    limitBytes: bodyLimits.async,
    group: "data",
    validate: pointIssues,
    docs: {
      operationId: "postMetOceanAsync",
      summary: "Conditions at many points, as a task",
      description: `As /MetOcean, for up to ${pointLimits.async} points and ${bodyLimits.async} bytes.`,
      parameters: [idempotencyKey],
      replies: createdReply,
    },
  },
  (job) => acceptTask("MetOcean", job, job.body.points.length),
);
