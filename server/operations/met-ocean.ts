import { bodyLimits } from "#lib/contract/bodies.ts";
import {
  createdReply,
  idempotencyKey,
  jsonContent,
  otherFormats,
  rateLimited,
} from "#lib/contract/openapi.ts";
import { type PointRequest, pointLimits, pointRequest } from "#lib/contract/point.ts";
import type { ValidationIssue } from "#server/http/reply.ts";
import { answerPoints, timeIssues } from "#server/metocean/points.ts";
import { acceptTask } from "./accept-task.ts";
import { answerAtOnce } from "./answer-at-once.ts";
import { bodyOperation } from "./definition.ts";
import { pointAnswerFormats as formats, withProvenance } from "./formats.ts";
import { taskHandlers } from "./task-handlers.ts";

/** POST /MetOcean: conditions at points that each have their own place and time. */
export const metOcean = bodyOperation(
  {
    path: "/MetOcean",
    schema: pointRequest(pointLimits.sync),
    schemaName: "PointRequest",
    limitBytes: bodyLimits.sync,
    limits: { points: pointLimits },
    group: "data",
    validate: pointIssues,
    docs: {
      operationId: "postMetOcean",
      summary: "Conditions at points",
      description:
        "Each point has its own place and time. Values are bilinear in space and linear in time. Answered at once.",
      parameters: [idempotencyKey],
      replies: {
        "200": {
          description: "The answer, or why the request could not be processed",
          headers: rateLimited,
          content: { ...jsonContent("PointResponse", "Failure"), ...otherFormats(Object.keys(formats)) },
        },
      },
    },
  },
  (job) =>
    answerAtOnce(
      "MetOcean",
      job,
      { taskIdAsList: true, formats },
      ({ body, context, now, signal, request }) =>
        answerPoints(context.archive, withProvenance(body, request, formats), now, signal),
      () => job.body.points.length,
    ),
);

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

/** Rules of a point request that need the clock. @param now Weather clock, Unix seconds. */
function pointIssues(request: PointRequest, now: number): ValidationIssue[] {
  return timeIssues(request, now).map(({ index, message }) => ({
    type: "value_error",
    loc: ["body", "points", index, "timestamp"],
    msg: message,
  }));
}
