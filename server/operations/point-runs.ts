import { bodyLimits, guestBodyLimit } from "#lib/contract/limits.ts";
import { replyIn } from "#lib/contract/openapi.ts";
import { type PointRunsRequest, pointRunsLimits, pointRunsRequest } from "#lib/contract/point.ts";
import { bodyReader } from "#server/http/validation.ts";
import { answerRuns } from "#server/metocean/point-runs.ts";
import { pointIssues } from "./bodies.ts";
import { bodyOperation } from "./definition.ts";
import { envelopeReply } from "./envelope-reply.ts";
import { requireModels } from "./models.ts";
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
    summary: "Conditions at points from the last forecast runs",
    description:
      "As /MetOcean, but from each of the last forecast runs alone. For each variable these are runs of the source " +
      "that answers now. A run gives the numbers that /MetOcean answered while it was the newest. meta.missing " +
      "names what is missing, and why.",
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
    envelopeReply(job, { bytes: answerBytes(job.body) }, async ({ body, context, now, signal }) => {
      await requireModels(context.archive, body.model === undefined ? undefined : [body.model], [
        "body",
        "model",
      ]);
      return answerRuns(context.archive, body, now, signal);
    }),
);

function answerBytes({ points, variables, last_runs, reference_times }: PointRunsRequest): number {
  return POINT_BYTES_PER_VALUE * points.length * variables.length * (reference_times?.length ?? last_runs);
}
