import { timeRule } from "#lib/catalog/datasets.ts";
import { bodyLimits } from "#lib/contract/bodies.ts";
import { createdReply, jsonContent, otherFormats, rateLimited } from "#lib/contract/openapi.ts";
import { type PassageRequest, passageLimits, passageRequest } from "#lib/contract/passage.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import type { PassageAnswer } from "#lib/passage/files.ts";
import { type PassageQuestion, questionOf } from "#lib/passage/question.ts";
import { knownDangerArea } from "#lib/storms/danger.ts";
import { withManifest } from "#server/archive/catalog.ts";
import { isSynthetic } from "#server/archive/run.ts";
import type { WrittenResults } from "#server/http/envelope.ts";
import { HttpError, type ValidationIssue } from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { joinPassageMeta, type KnownStorms, plansOf, SIDE_BY_SIDE } from "#server/metocean/passages.ts";
import { acceptTask } from "./accept-task.ts";
import { type Answer, answerAtOnce, asTask } from "./answer-at-once.ts";
import { bodyOperation, type RequestJob } from "./definition.ts";
import { passageAnswerFormats as formats } from "./formats.ts";
import { notYetReceived } from "./storms.ts";

/** POST /passages/evaluate: a route at one or many departures; at once, or by a task. */
export const passageEvaluate = bodyOperation(
  {
    path: "/passages/evaluate",
    reader: bodyReader(passageRequest, (request, now) => {
      const question = questionOf(request);
      return [...timeIssues(question, request, now), ...sizeIssues(question, request)];
    }),
    schemaName: "PassageRequest",
    limitBytes: bodyLimits.sync,
    limits: { passages: passageLimits },
    group: "data",
    docs: {
      operationId: "postPassagesEvaluate",
      summary: "A passage at one or many departures",
      description:
        "A route of a vessel, cut into pieces of at most half an hour and ten miles. Each piece has the weather of its own " +
        "time, which decides how far the vessel gets, and each departure has a verdict against limits. Distances are those " +
        "on a sphere of 6371 km. " +
        "What a plan does not know is in meta.knowledge. Not for navigation.",
      replies: {
        "200": {
          description: "The plans, or why the request could not be processed",
          headers: rateLimited,
          content: { ...jsonContent("PassageResponse", "Failure"), ...otherFormats(Object.keys(formats)) },
        },
        ...createdReply,
      },
    },
  },
  async (job) => {
    const question = questionOf(job.body);
    // A task looks at the storms that are published when it begins; it is not accepted where none could be.
    const storms = await stormsOf(job);
    if (job.body.async) return acceptTask("passages/evaluate", job, question.places);
    const bytes = BYTES_PER_PLACE * question.places;
    return answerAtOnce<PassageRequest, Answer & PassageAnswer>(
      "passages/evaluate",
      job,
      { formats, bytes, asTask },
      (same) => answerPassages(question, storms, same),
      () => question.places,
    );
  },
);

async function answerPassages(
  question: PassageQuestion,
  storms: KnownStorms | undefined,
  { context: { archive }, now, signal }: RequestJob<PassageRequest>,
): Promise<Answer & PassageAnswer> {
  const { length } = question.departures;
  return withManifest(archive, async (manifest) => {
    const some = (from: number) =>
      plansOf(archive, manifest, question, [from, from + SIDE_BY_SIDE], now, signal, { storms });
    let { plans, meta } = await some(0);
    for (let from = SIDE_BY_SIDE; from < length; from += SIDE_BY_SIDE) {
      const more = await some(from);
      plans = [...plans, ...more.plans];
      meta = joinPassageMeta(meta, more.meta);
    }
    return { results: written(plans), plans, meta, synthetic: isSynthetic(manifest) };
  });
}

/** Memory of a piece while a passage is evaluated, and of its row, bytes. */
const BYTES_PER_PLACE = 2_000;

/** @throws HttpError of 503 where storms were asked for that have never been received. */
export async function stormsOf({
  body,
  context,
}: RequestJob<Pick<PassageRequest, "storms" | "storm_method">>): Promise<KnownStorms | undefined> {
  const { storms: provider, storm_method } = body;
  if (provider === undefined) return undefined;
  const published = await context.storms.published(provider);
  if (!published) throw new HttpError(notYetReceived(provider));
  return { entries: published.entries, areaOf: (entry) => knownDangerArea(entry, storm_method) };
}

const utf8 = new TextEncoder();

/** Plans as text, one at a time: with their pieces they are large. */
function written(plans: readonly PassagePlan[]): WrittenResults {
  return {
    *pieces() {
      for (const [index, plan] of plans.entries())
        yield utf8.encode(`${index === 0 ? "[" : ","}${JSON.stringify(plan)}`);
      yield utf8.encode("]");
    },
  };
}

function timeIssues(
  { departures }: PassageQuestion,
  request: PassageRequest,
  now: number,
): ValidationIssue[] {
  const rule = timeRule(now);
  const issues = (time: number, ...loc: string[]) => {
    const msg = rule(time);
    return msg ? [{ type: "value_error", loc: ["body", ...loc], msg }] : [];
  };
  if (!request.departures) return issues(departures[0]!, "departure");
  return [...issues(departures[0]!, "departures", "from"), ...issues(departures.at(-1)!, "departures", "to")];
}

function sizeIssues(question: PassageQuestion, { async: isTask }: PassageRequest): ValidationIssue[] {
  const { places, departures, withPieces } = question;
  const { sync, async: most, rows } = passageLimits.places;
  const counted = `${places} places (${departures.length} departures of ${places / departures.length} pieces)`;
  const issue = (limit: number, msg: string) => [
    { type: "value_error", loc: ["body", "route"], msg, ctx: { places, most: limit } },
  ];
  if (withPieces && places > rows)
    return issue(
      rows,
      `These are ${counted}, and at most ${rows} are sent with their pieces: leave out include_pieces, or send fewer departures`,
    );
  if (!isTask && places > sync)
    return issue(
      sync,
      `These are ${counted}, and at most ${sync} are evaluated at once: send fewer departures, or up to ${most} places with "async": true`,
    );
  if (places > most)
    return issue(
      most,
      `These are ${counted}, and a task evaluates at most ${most}: send fewer departures, or a shorter route`,
    );
  return [];
}
