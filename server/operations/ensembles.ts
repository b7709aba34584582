import { variable } from "#lib/catalog/variables.ts";
import {
  type EnsembleRequest,
  ensembleLimits,
  ensembleRequest,
  guestEnsemblePoints,
} from "#lib/contract/ensemble.ts";
import { bodyLimits, guestBodyLimit } from "#lib/contract/limits.ts";
import { tableMediaTypes } from "#lib/contract/media-types.ts";
import { replyIn } from "#lib/contract/openapi.ts";
import { ensembleTable } from "#lib/table/ensemble-table.ts";
import { pointFormats } from "#lib/table/formats.ts";
import { answerEnsemble, type EnsembleAnswer } from "#server/ensembles/points.ts";
import { bodyReader } from "#server/http/validation.ts";
import { pointIssues } from "./bodies.ts";
import { bodyOperation } from "./definition.ts";
import { envelopeReply, repeatedAsSent } from "./envelope-reply.ts";
import { requireEnsemble } from "./models.ts";
import { POINT_BYTES_PER_VALUE } from "./points.ts";
import { repeatable } from "./streamed-body.ts";

export const ensemble = bodyOperation(
  {
    route: "POST /MetOcean/ensemble",

    reader: bodyReader(ensembleRequest, pointIssues),
    schemaName: "EnsembleRequest",
    limitBytes: bodyLimits.sync,
    limits: { ensemble: ensembleLimits },
    group: "data",
    guests: {
      limitBytes: guestBodyLimit,
      refusal: ({ points }) =>
        points.length > guestEnsemblePoints
          ? `Visitors without an API key may request at most ${guestEnsemblePoints} points of an ensemble at once: request fewer, or send a key in the header x-api-key`
          : undefined,
    },
    operationId: "postMetOceanEnsemble",
    summary: "Distribution over the members of an ensemble at points",
    description:
      "Control, mean, spread, percentiles, shares of members over thresholds, and the members themselves. They are " +
      "computed from the members at each place and time where the run keeps them, and otherwise interpolated from " +
      "stored statistics; meta.ensembles says which, and on how many members of which run the numbers stand.",
    replies: {
      "200": replyIn(
        tableMediaTypes,
        "The distributions, or why the request could not be processed",
        "EnsembleResponse",
        "Failure",
      ),
    },
  },
  async (job) =>
    repeatedAsSent(
      await envelopeReply(
        job,
        { taskIdAsList: true, formats: formatsOf(job.body), bytes: answerBytes(job.body) },
        async ({ body, context, now, signal }) => {
          if (body.ensemble !== undefined)
            await requireEnsemble(context.archive, body.ensemble, ["body", "ensemble"]);
          return answerEnsemble(context.archive, body, now, signal);
        },
      ),
    ),
);

/** Formats of the answer by media type, written while they are sent. */
function formatsOf(request: EnsembleRequest) {
  return Object.fromEntries(
    tableMediaTypes.map((type) => [
      type,
      ({ results, meta, synthetic }: EnsembleAnswer) => {
        const provenance = meta.ensembles.map((one) => ({ ...one, dataset: one.ensemble }));
        return repeatable(() =>
          pointFormats[type](ensembleTable({ results, meta }, request, { provenance, synthetic })),
        );
      },
    ]),
  );
}

/** Members of a large ensemble, for an estimate of memory before the run is known. */
const MANY_MEMBERS = 51;

function answerBytes({ points, variables, percentiles, thresholds, members }: EnsembleRequest): number {
  const outputs = variables.reduce((sum, name) => sum + variable(name).outputs.length, 0);
  const numbers = 4 + percentiles.length + (members ? MANY_MEMBERS : 0);
  return POINT_BYTES_PER_VALUE * points.length * (outputs * numbers + 3 * thresholds.length);
}
