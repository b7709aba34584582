import { bodyLimits } from "#lib/contract/bodies.ts";
import { type PointRequest, pointLimits, pointRequest } from "#lib/contract/point.ts";
import type { ValidationIssue } from "#server/http/errors.ts";
import { answerPoints, timeIssues } from "#server/metocean/points.ts";
import { answerAtOnce } from "./answer-at-once.ts";
import { bodyEndpoint } from "./app-context.ts";
import { pointAnswerFormats, withProvenance } from "./formats.ts";

/** POST /MetOcean: conditions at points that each have their own place and time. */
export const metOcean = bodyEndpoint(
  {
    schema: pointRequest(pointLimits.sync),
    limitBytes: bodyLimits.sync,
    group: "data",
    validate: pointIssues,
  },
  (job) =>
    answerAtOnce(
      "MetOcean",
      job,
      { taskIdAsList: true, formats: pointAnswerFormats },
      ({ body, context, now, signal, request }) =>
        answerPoints(context.archive, withProvenance(body, request, pointAnswerFormats), now, signal),
      () => job.body.points.length,
    ),
);

/** What only the clock can tell of a point request. @param now Weather clock, Unix seconds. */
export function pointIssues(request: PointRequest, now: number): ValidationIssue[] {
  return timeIssues(request, now).map(({ index, message }) => ({
    type: "value_error",
    loc: ["body", "points", index, "timestamp"],
    msg: message,
  }));
}
