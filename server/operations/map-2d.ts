import { bodyLimits } from "#lib/contract/bodies.ts";
import { mapLimits, mapRequest } from "#lib/contract/map2d.ts";
import { createdReply, jsonContent, otherFormats, rateLimited } from "#lib/contract/openapi.ts";
import { invalid } from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { mapTimeIssues } from "#server/metocean/map-plan.ts";
import { answerMap, MapTooLargeError, sizeOfMap } from "#server/metocean/map2d.ts";
import { acceptTask } from "./accept-task.ts";
import { answerAtOnce, asTask } from "./answer-at-once.ts";
import { bodyOperation } from "./definition.ts";
import { formatParameter } from "./format-query.ts";
import { mapAnswerFormats as formats, withProvenance } from "./formats.ts";
import { taskSizeLimit } from "./task-handlers.ts";

/** POST /2DMetOcean: conditions on the grid of a box, at an instant or over a range; at once, or by a task. */
export const map2d = bodyOperation(
  {
    path: "/2DMetOcean",
    read: bodyReader(mapRequest, (request, now) =>
      mapTimeIssues(request, now).map(({ at, message }) => ({
        type: "value_error",
        loc: ["body", "bounding_boxes", 0, "timestamp", ...(at === undefined ? [] : [at])],
        msg: message,
      })),
    ),
    schemaName: "MapRequest",
    limitBytes: bodyLimits.sync,
    limits: {
      map: { values: { sync: mapLimits.sync, async: mapLimits.async }, range_days: mapLimits.rangeDays },
    },
    group: "data",
    takesFormat: true,
    docs: {
      operationId: "post2DMetOcean",
      summary: "Conditions on a grid",
      description:
        "All grid nodes inside one box, at one instant (interpolated to exactly that instant) or over a range (the native " +
        "steps inside it). A minimum longitude greater than the maximum crosses the antimeridian. Answered at once, or by a " +
        "task where async is true.",
      parameters: [formatParameter],
      replies: {
        "200": {
          description: "The answer, or why the request could not be processed",
          headers: rateLimited,
          content: { ...jsonContent("MapResponse", "Failure"), ...otherFormats(Object.keys(formats)) },
        },
        ...createdReply,
      },
    },
  },
  async (job) => {
    const { body, context, now } = job;
    if (body.async) {
      const size = await sizeOfMap(context.archive, body, now, taskSizeLimit).catch(rejectTooLarge);
      return acceptTask("2DMetOcean", job, size);
    }
    const values = await sizeOfMap(context.archive, body, now, syncSizeLimit).catch(rejectTooLarge);
    const request = withProvenance(job, formats);
    return answerAtOnce(
      "2DMetOcean",
      job,
      { formats, bytes: BYTES_PER_VALUE * values, asTask, hidesMeta: !body.include_meta },
      ({ signal }) => answerMap(context.archive, request, now, syncSizeLimit, signal).catch(rejectTooLarge),
      (answer) => answer?.field.outputs.reduce((sum, { entries }) => sum + entries.length, 0) ?? null,
    );
  },
);

/** Memory of an answer: its values, and columns of some steps, bytes. */
const BYTES_PER_VALUE = 4;

/** The largest map that is answered at once. */
const syncSizeLimit = {
  max: mapLimits.sync,
  instead: `one after another, or up to ${mapLimits.async} values with "async": true`,
};

/** A box that is too large is an invalid request, like any other: 422. */
function rejectTooLarge(error: unknown): never {
  if (!(error instanceof MapTooLargeError)) throw error;
  const { message, values, max } = error;
  throw invalid({
    type: "value_error",
    loc: ["body", "bounding_boxes", 0],
    msg: message,
    ctx: { values, most: max },
  });
}
