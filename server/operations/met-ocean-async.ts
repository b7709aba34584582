import { bodyLimits } from "#lib/contract/bodies.ts";
import { acceptTask } from "./accept-task.ts";
import { bodyEndpoint } from "./app-context.ts";
import { pointIssues } from "./met-ocean.ts";
import { taskHandlers } from "./task-handlers.ts";

/** POST /MetOcean/async: as /MetOcean, answered by a task. */
export const metOceanAsync = bodyEndpoint(
  {
    schema: taskHandlers.MetOcean.schema,
    limitBytes: bodyLimits.async,
    group: "data",
    validate: pointIssues,
  },
  (job) => acceptTask("MetOcean", job, job.body.points.length),
);
