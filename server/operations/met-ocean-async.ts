import { bodyLimits } from "#lib/contract/bodies.ts";
import { acceptTask } from "#server/operations/accept-task.ts";
import { bodyEndpoint } from "#server/operations/house.ts";
import { pointIssues } from "#server/operations/met-ocean.ts";
import { works } from "#server/operations/works.ts";

/** POST /MetOcean/async: as /MetOcean, answered by a task. */
export const metOceanAsync = bodyEndpoint(
  { schema: works.MetOcean.schema, limitBytes: bodyLimits.async, group: "data", validate: pointIssues },
  (job) => acceptTask("MetOcean", job, job.body.points.length),
);
