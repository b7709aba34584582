import { timeRule } from "#lib/catalog/datasets.ts";
import { bodyLimits } from "#lib/contract/limits.ts";
import { workabilityMediaTypes } from "#lib/contract/media-types.ts";
import { createdReply, replyIn } from "#lib/contract/openapi.ts";
import { type WorkabilityRequest, workabilityLimits, workabilityRequest } from "#lib/contract/workability.ts";
import { parseInstant } from "#lib/time.ts";
import { type WorkabilityTableAnswer, workabilityCsv } from "#lib/workability/files.ts";
import { placeCount } from "#lib/workability/places.ts";
import { withManifest } from "#server/archive/catalog.ts";
import { membersOf } from "#server/archive/ensembles.ts";
import { isSynthetic } from "#server/archive/run.ts";
import { invalid, type ValidationIssue } from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { stepsAhead, stepsOf, workabilityOf } from "#server/metocean/workability.ts";
import { acceptTask, asTask } from "./accept-task.ts";
import { bodyOperation, type RequestJob } from "./definition.ts";
import { type Answer, answerAtOnce } from "./envelope-reply.ts";
import { requireEnsemble } from "./models.ts";
import { yielding } from "./streamed-body.ts";

const formats = { "text/csv": (answer: WorkabilityTableAnswer) => yielding(workabilityCsv(answer)) };

export const workability = bodyOperation(
  {
    route: "POST /workability",

    reader: bodyReader(workabilityRequest, (request, now) => [
      ...timeIssues(request, now),
      ...sizeIssues(request),
    ]),
    schemaName: "WorkabilityRequest",
    limitBytes: bodyLimits.sync,
    limits: { workability: workabilityLimits },
    group: "data",
    operationId: "postWorkability",
    summary: "Weather windows and share of time within limits",
    description:
      "At a point or in a box, over past years or the forecast, by calendar month: the share of hours within " +
      "limits, windows in which an operation fits, the wait for one, and how often each quantity exceeds levels. " +
      "Missing hours are counted and belong to no share. meta names the method. Not for navigation.",
    replies: {
      "200": replyIn(
        workabilityMediaTypes,
        "The months, or why the request could not be processed",
        "WorkabilityResponse",
        "Failure",
      ),
      ...createdReply,
    },
  },
  async (job) => {
    const samples = samplesOf(job.body) + (await memberSamples(job));
    if (job.body.async) return acceptTask("workability", job, samples);
    return answerAtOnce<WorkabilityRequest, Answer & WorkabilityTableAnswer>(
      "workability",
      job,
      { formats, bytes: BYTES_PER_VALUE * samples * job.body.limits.length, asTask },
      ({ body, context: { archive }, now, signal }) =>
        withManifest(archive, async (manifest) => {
          const { rows, meta } = await workabilityOf(archive, manifest, body, now, signal);
          return { results: rows, rows, meta, synthetic: isSynthetic(manifest) };
        }),
      () => samples,
    );
  },
);

/**
 * Values of the members of the ensemble that a request names.
 *
 * @throws HttpError of 422 if there is no such ensemble, or if they are too many.
 */
async function memberSamples({ body, context, now }: RequestJob<WorkabilityRequest>): Promise<number> {
  const { ensemble, area } = body;
  if (ensemble === undefined) return 0;
  await requireEnsemble(context.archive, ensemble, ["body", "ensemble"]);
  const members = membersOf(await context.archive.manifest(), ensemble).length;
  const values = members * placeCount(area) * stepsAhead(body, now);
  const { sync, async: most } = workabilityLimits.member_samples;
  const limit = body.async ? most : sync;
  if (values <= limit) return values;
  const msg = `These are ${values} values of members, and at most ${limit} are ${body.async ? "read by a task" : 'answered at once: send it with "async": true'}`;
  throw invalid({ type: "value_error", loc: ["body", "ensemble"], msg, ctx: { most: limit } });
}

/** Memory of a value while it is read, bytes. */
const BYTES_PER_VALUE = 64;

const samplesOf = (request: WorkabilityRequest) => placeCount(request.area) * stepsOf(request);

function timeIssues({ from, to }: WorkabilityRequest, now: number): ValidationIssue[] {
  const rule = timeRule(now);
  return Object.entries({ from, to }).flatMap(([name, text]) => {
    const msg = rule(parseInstant(text));
    return msg ? [{ type: "value_error", loc: ["body", name], msg }] : [];
  });
}

function sizeIssues(request: WorkabilityRequest): ValidationIssue[] {
  const length = placeCount(request.area);
  const steps = stepsOf(request);
  const samples = length * steps;
  const { sync, async: most } = workabilityLimits.samples;
  const issue = (loc: string[], limit: number, msg: string) => [
    { type: "value_error", loc: ["body", ...loc], msg, ctx: { most: limit } },
  ];
  if (length > workabilityLimits.places)
    return issue(
      ["area"],
      workabilityLimits.places,
      `The box has ${length} places, and at most ${workabilityLimits.places} are allowed: choose a larger spacing_deg or a smaller box`,
    );
  const counted = `${samples} values of a place and a step (${length} places of ${steps} steps)`;
  if (samples > most)
    return issue(
      ["to"],
      most,
      `These are ${counted}, and a task takes at most ${most}: take longer steps, fewer places or a shorter time`,
    );
  if (samples > sync && !request.async)
    return issue(
      ["to"],
      sync,
      `These are ${counted}, and at most ${sync} are answered at once: choose longer steps, or send up to ${most} with "async": true`,
    );
  return [];
}
