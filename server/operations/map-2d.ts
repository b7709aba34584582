import { bodyLimits } from "#lib/contract/bodies.ts";
import { mapLimits, mapRequest } from "#lib/contract/map2d.ts";
import { invalidReply, Refusal } from "#server/http/errors.ts";
import { mapTimeIssues } from "#server/metocean/map-plan.ts";
import { answerMap, MapTooLargeError } from "#server/metocean/map2d.ts";
import { taskEndpoint } from "#server/operations/house.ts";

/** POST /2DMetOcean: conditions on the grid of a box, at an instant or over a range. */
export const map2d = taskEndpoint(
  {
    schema: mapRequest,
    limitBytes: bodyLimits.sync,
    group: "data",
    validate: (request, now) => [
      ...mapTimeIssues(request, now).map(({ at, message }) => ({
        type: "value_error",
        loc: ["body", "bounding_boxes", 0, "timestamp", ...(at === undefined ? [] : [at])],
        msg: message,
      })),
      // Until there are tasks, it is said at once rather than answered another way than was asked.
      ...(request.async ? [noTasksYet] : []),
    ],
  },
  ({ body, context, now, signal }) =>
    answerMap(context.archive, body, now, { most: mapLimits.sync, instead: SPLIT }, signal).catch(
      refuseTooLarge,
    ),
);

const SPLIT = "one after another";

const noTasksYet = {
  type: "value_error",
  loc: ["body", "async"],
  msg: "This server has no tasks: leave async out, and ask for parts of at most the size that is answered at once",
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
  throw new Refusal(invalidReply([issue]));
}
