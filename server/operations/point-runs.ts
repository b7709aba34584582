import { bodyLimits, guestBodyLimit } from "#lib/contract/limits.ts";
import { replyIn } from "#lib/contract/openapi.ts";
import { type PointRunsRequest, pointRunsLimits, pointRunsRequest } from "#lib/contract/point.ts";
import { bodyReader } from "#server/http/validation.ts";
import { answerRuns } from "#server/metocean/point-runs.ts";
import { pointIssues } from "./bodies.ts";
import { bodyOperation } from "./definition.ts";
import { envelopeReply } from "./envelope-reply.ts";
import { POINT_BYTES_PER_VALUE } from "./points.ts";

export const pointRuns = bodyOperation(
  {
    route: "POST /MetOcean/runs",

    reader: bodyReader(pointRunsRequest, pointIssues),
    schemaName: "PointRunsRequest",
    limitBytes: bodyLimits.sync,
    limits: { point_runs: pointRunsLimits },
    group: "data",
    guests: { limitBytes: guestBodyLimit },
    operationId: "postMetOceanRuns",
    summary: "What the last runs say of points",
    description:
      "As /MetOcean, from each of the last forecast runs alone: of each variable those of the source that answers now. A run " +
      "says what /MetOcean answered while it was the newest. What is not there is named in meta.missing.",
    replies: {
      "200": replyIn(
        [],
        "The answers of the runs, or why the request could not be processed",
        "PointRunsResponse",
        "Failure",
      ),
    },
  },
  (job) =>
    envelopeReply(job, { bytes: answerBytes(job.body) }, ({ body, context, now, signal }) =>
      answerRuns(context.archive, body, now, signal),
    ),
);

function answerBytes({ points, variables, last_runs, reference_times }: PointRunsRequest): number {
  return POINT_BYTES_PER_VALUE * points.length * variables.length * (reference_times?.length ?? last_runs);
}
