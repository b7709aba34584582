import { bodyLimits } from "#lib/contract/bodies.ts";
import { mapLimits, mapRequest } from "#lib/contract/map2d.ts";
import { HttpError, invalidReply } from "#server/http/errors.ts";
import { mapTimeIssues } from "#server/metocean/map-plan.ts";
import { answerMap, MapTooLargeError, sizeOfMap } from "#server/metocean/map2d.ts";
import { acceptTask } from "./accept-task.ts";
import { answerAtOnce } from "./answer-at-once.ts";
import { bodyEndpoint } from "./app-context.ts";
import { mapAnswerFormats, withProvenance } from "./formats.ts";
import { taskSizeLimit } from "./task-handlers.ts";

/** POST /2DMetOcean: conditions on the grid of a box, at an instant or over a range; at once, or by a task. */
export const map2d = bodyEndpoint(
  {
    schema: mapRequest,
    limitBytes: bodyLimits.sync,
    group: "data",
    validate: (request, now) =>
      mapTimeIssues(request, now).map(({ at, message }) => ({
        type: "value_error",
        loc: ["body", "bounding_boxes", 0, "timestamp", ...(at === undefined ? [] : [at])],
        msg: message,
      })),
  },
  async (job) => {
    const { body, context, now } = job;
    if (body.async) {
      const size = await sizeOfMap(context.archive, body, now, taskSizeLimit).catch(refuseTooLarge);
      return acceptTask("2DMetOcean", job, size);
    }
    const asked = withProvenance(body, job.request, mapAnswerFormats);
    return answerAtOnce(
      "2DMetOcean",
      job,
      { formats: mapAnswerFormats },
      ({ signal }) => answerMap(context.archive, asked, now, syncRoom, signal).catch(refuseTooLarge),
      (answer) => answer?.field.outputs.reduce((sum, { entries }) => sum + entries.length, 0) ?? null,
    );
  },
);

/** What is answered at once. */
const syncRoom = {
  most: mapLimits.sync,
  instead: `one after another, or up to ${mapLimits.async} values with "async": true`,
};

/** A box that is too large is a fault of the request, like any other: 422. */
function refuseTooLarge(error: unknown): never {
  if (!(error instanceof MapTooLargeError)) throw error;
  const { message, values, most } = error;
  const issue = {
    type: "value_error",
    loc: ["body", "bounding_boxes", 0],
    msg: message,
    ctx: { values, most },
  };
  throw new HttpError(invalidReply([issue]));
}
