import { bodyLimits, guestBodyLimit } from "#lib/contract/limits.ts";
import { createdReply, replyIn } from "#lib/contract/openapi.ts";
import { guestPointLimit, type PointRequest, pointLimits, resultCount } from "#lib/contract/point.ts";
import { answerPoints } from "#server/metocean/points.ts";
import { acceptTask } from "./accept-task.ts";
import { pointAnswerFormats as formats } from "./answer-formats.ts";
import { readPoints, taskPoints } from "./bodies.ts";
import { bodyOperation } from "./definition.ts";
import { answerAtOnce, withProvenance } from "./envelope-reply.ts";
import { requireModels } from "./models.ts";

export const metOcean = bodyOperation(
  {
    route: "POST /MetOcean",

    reader: readPoints,
    schemaName: "PointRequest",
    limitBytes: bodyLimits.sync,
    limits: { points: pointLimits },
    group: "data",
    guests: {
      limitBytes: guestBodyLimit,
      refusal: (body) =>
        resultCount(body) > guestPointLimit
          ? `Visitors without an API key may request at most ${guestPointLimit} points at once: request fewer, or send a key in the header x-api-key`
          : undefined,
    },
    operationId: "postMetOcean",
    summary: "Conditions at points",
    description:
      "Each point has its own place and time. Values are interpolated bilinearly in space and linearly in time. The " +
      "request is answered synchronously.",
    replies: {
      "200": replyIn(
        Object.keys(formats),
        "The answer, or why the request could not be processed",
        "PointResponse",
        "Failure",
      ),
    },
  },
  (job) =>
    answerAtOnce(
      "MetOcean",
      job,
      {
        taskIdAsList: true,
        formats,
        bytes: pointAnswerBytes(job.body),
        asTask: "to /MetOcean/async",
        hidesMeta: !job.body.include_meta,
      },
      async ({ context, now, signal }) => {
        await requireModels(context.archive, job.body.models, ["body", "models"]);
        return answerPoints(context.archive, withProvenance(job, formats), now, signal);
      },
      () => resultCount(job.body),
    ),
);

export const metOceanAsync = bodyOperation(
  {
    route: "POST /MetOcean/async",

    reader: taskPoints,
    schemaName: "ManyPointsRequest",
    limitBytes: bodyLimits.async,
    group: "data",
    operationId: "postMetOceanAsync",
    summary: "Conditions at many points, as a task",
    description: `As /MetOcean, for up to ${pointLimits.async} points and ${bodyLimits.async} bytes.`,
    replies: createdReply,
  },
  async (job) => {
    await requireModels(job.context.archive, job.body.models, ["body", "models"]);
    return acceptTask("MetOcean", job, job.body.size);
  },
);

/** Memory of an answer as objects and as text, bytes a value. */
export const POINT_BYTES_PER_VALUE = 64;

function pointAnswerBytes(body: PointRequest): number {
  return POINT_BYTES_PER_VALUE * resultCount(body) * body.variables.length;
}
