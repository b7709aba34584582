import { timeRule } from "#lib/catalog/datasets.ts";
import { bodyLimits } from "#lib/contract/bodies.ts";
import { type MapRequest, mapLimits, mapRequest } from "#lib/contract/map2d.ts";
import { createdReply, jsonContent, otherFormats, rateLimited } from "#lib/contract/openapi.ts";
import { parseInstant } from "#lib/time.ts";
import { invalid, type ValidationIssue } from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { answerBox, planOfBox } from "#server/metocean/box.ts";
import { MapTooLargeError, mapQuestion } from "#server/metocean/box-plan.ts";
import { acceptTask } from "./accept-task.ts";
import { answerAtOnce, asTask } from "./answer-at-once.ts";
import { bodyOperation } from "./definition.ts";
import { taskSizeLimit } from "./file-task.ts";
import { formatParameter } from "./format-query.ts";
import { mapAnswerFormats as formats, withProvenance } from "./formats.ts";

/** POST /2DMetOcean: conditions on the grid of a box, at an instant or over a range; at once, or by a task. */
export const map2d = bodyOperation(
  {
    path: "/2DMetOcean",
    reader: bodyReader(mapRequest, timeIssues),
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
    const question = mapQuestion(body);
    const limit = body.async ? taskSizeLimit : syncSizeLimit;
    const { values } = await planOfBox(context.archive, question, now, limit).catch(rejectTooLarge);
    if (body.async) return acceptTask("2DMetOcean", job, values);
    const { include_meta } = withProvenance(job, formats);
    const options = { limit, isJson: true, include_meta };
    return answerAtOnce(
      "2DMetOcean",
      job,
      { formats, bytes: BYTES_PER_VALUE * values, asTask, hidesMeta: !body.include_meta },
      ({ signal }) => answerBox(context.archive, question, now, signal, options).catch(rejectTooLarge),
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

/** Rules that need the clock. @param now Weather clock, Unix seconds. */
function timeIssues({ bounding_boxes }: MapRequest, now: number): ValidationIssue[] {
  const rule = timeRule(now);
  const { timestamp } = bounding_boxes[0]!;
  const isRange = typeof timestamp !== "string";
  return [timestamp].flat().flatMap((text, at) => {
    const msg = rule(parseInstant(text));
    const loc = ["body", "bounding_boxes", 0, "timestamp", ...(isRange ? [at] : [])];
    return msg ? [{ type: "value_error", loc, msg }] : [];
  });
}

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
