import { bodyLimits } from "#lib/contract/bodies.ts";
import { pointLimits, pointRequest } from "#lib/contract/point.ts";
import { answerPoints, timeIssues } from "#server/metocean/point.ts";
import { taskEndpoint } from "#server/operations/house.ts";

/** POST /MetOcean: conditions at points that each have their own place and time. */
export const metOcean = taskEndpoint(
  {
    schema: pointRequest(pointLimits.sync),
    limitBytes: bodyLimits.sync,
    group: "data",
    taskIdAsList: true,
    validate: (request, now) =>
      timeIssues(request, now).map(({ index, message }) => ({
        type: "value_error",
        loc: ["body", "points", index, "timestamp"],
        msg: message,
      })),
  },
  ({ body, context, now, signal }) => answerPoints(context.archive, body, now, signal),
);
