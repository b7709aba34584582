import { distanceKm, MILE_KM, type Place } from "@open-metocean/geo/sphere";
import { knownDangerArea } from "@open-metocean/storms/danger";
import { timeRule } from "#lib/catalog/datasets.ts";
import { bodyLimits, guestBodyLimit } from "#lib/contract/limits.ts";
import { createdReply, replyIn } from "#lib/contract/openapi.ts";
import {
  type OptimiseRequest,
  optimiseLimits,
  optimiseRequest,
  type PassageRequest,
  passageLimits,
  passageRequest,
} from "#lib/contract/passage.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { guestPointLimit } from "#lib/contract/point.ts";
import type { PassageAnswer } from "#lib/passage/files.ts";
import type { PredictedGate } from "#lib/passage/gates.ts";
import {
  milesOf,
  type PassageQuestion,
  planCount,
  questionOf,
  searchedEnds,
  searchRefusal,
} from "#lib/passage/question.ts";
import { parseInstant } from "#lib/time.ts";
import { withManifest } from "#server/archive/catalog.ts";
import { membersWith } from "#server/archive/ensembles.ts";
import { isSynthetic } from "#server/archive/run.ts";
import type { WrittenResults } from "#server/http/envelope.ts";
import { HttpError, invalid, type ValidationIssue } from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { betterPlans } from "#server/metocean/better-routes.ts";
import { allPlans, type KnownStorms, questionOfMembers } from "#server/metocean/passages.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { acceptTask, asTask } from "./accept-task.ts";
import { passageAnswerFormats as formats } from "./answer-formats.ts";
import { bodyOperation, queuedJob, type RequestJob } from "./definition.ts";
import { type Answer, answerAtOnce } from "./envelope-reply.ts";
import { GateError, gateIssues, needsTides, predictGates } from "./gates.ts";
import { requireMembers, requireModels } from "./models.ts";
import { notYetReceived } from "./storms.ts";

export const passageEvaluate = bodyOperation(
  {
    route: "POST /passages/evaluate",

    reader: bodyReader(passageRequest, (request, now) => {
      const question = questionOf(request);
      return [
        ...departureIssues(question, request, now),
        ...placeIssues(question, request),
        ...gateIssues(question),
      ];
    }),
    schemaName: "PassageRequest",
    limitBytes: bodyLimits.sync,
    limits: { passages: passageLimits },
    group: "data",
    guests: {
      limitBytes: guestBodyLimit,
      refusal: (body) => {
        const isOne = !body.async && body.ensemble === undefined && body.departures === undefined;
        return isOne && questionOf(body).places <= guestPointLimit
          ? undefined
          : `Visitors without an API key may evaluate one departure at once, of at most ${guestPointLimit} places: ask for less, or send a key in the header x-api-key`;
      },
    },
    operationId: "postPassagesEvaluate",
    summary: "Evaluate a passage at one or many departures",
    description:
      "Follows a vessel along a route, in pieces of at most half an hour and ten nautical miles. Each piece has the " +
      "weather of its own time, which decides how far the vessel gets, and each departure has a verdict against " +
      "limits and tidal gates. Distances are those on a sphere of 6371 km. meta.knowledge states what a plan does " +
      "not know. Not for navigation.",
    replies: {
      "200": replyIn(
        Object.keys(formats),
        "The plans, or why the request could not be processed",
        "PassageResponse",
        "Failure",
      ),
      ...createdReply,
    },
  },
  async (job) => {
    const question = await questionWithMembers(job);
    // A task uses the storms that are published when it begins. It is not accepted if no storms have been received.
    const storms = await stormsOf(job);
    const gates = await gatesOfRequest(job, question);
    await requireModels(job.context.archive, job.body.models, ["body", "models"]);
    const [tooLarge] = placeIssues(question, job.body);
    if (tooLarge) throw invalid(tooLarge);
    if (job.body.async) return acceptTask("passages/evaluate", job, question.places);
    const bytes = BYTES_PER_PLACE * question.places;
    return answerAtOnce<PassageRequest, Answer & PassageAnswer>(
      "passages/evaluate",
      job,
      { formats, bytes, asTask },
      (same) => answerPassages(question, { storms, gates }, same),
      () => question.places,
    );
  },
);

/** The question with the members of its ensemble. @throws HttpError of 422 if there is no such ensemble. */
async function questionWithMembers({ body, context }: RequestJob<PassageRequest>): Promise<PassageQuestion> {
  const question = questionOf(body);
  if (body.ensemble === undefined) return question;
  return questionOfMembers(
    question,
    await requireMembers(context.archive, body.ensemble, ["body", "ensemble"]),
  );
}

async function answerPassages(
  question: PassageQuestion,
  surroundings: { storms: KnownStorms | undefined; gates: PredictedGate[] },
  { body, context: { archive }, now, signal }: RequestJob<PassageRequest>,
): Promise<Answer & PassageAnswer> {
  return withManifest(archive, async (manifest) => {
    // The members are those of the manifest that answers, which may be newer than the one that was counted.
    const asked = body.ensemble === undefined ? question : questionOfMembers(questionOf(body), manifest);
    const { plans, meta } = await allPlans(archive, manifest, asked, now, signal, surroundings);
    return { results: written(plans), plans, meta, synthetic: isSynthetic(manifest) };
  });
}

/**
 * Predicts the gates of a request. Each station takes a turn of its own in the queue of the tides thread, so that other
 * requests come between.
 *
 * @throws HttpError of 422, with the place in the body. @throws OverloadError
 */
async function gatesOfRequest(
  { caller, context, request }: Pick<RequestJob<unknown>, "caller" | "context" | "request">,
  question: PassageQuestion,
): Promise<PredictedGate[]> {
  if (!needsTides(question)) return [];
  const inTurn = <Answer>(ask: () => Promise<Answer>) =>
    context.queues.tides.run(queuedJob(caller.owner, request), ask);
  try {
    return await predictGates(
      {
        station: (id, asked) => inTurn(() => context.tides.station(id, asked)),
        nearest: (asked) => inTurn(() => context.tides.nearest(asked)),
      },
      question,
    );
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    throw invalid(error.issue);
  }
}

/** Memory of a piece while a passage is evaluated, and of its row, bytes. */
const BYTES_PER_PLACE = 2_000;

/** @throws HttpError of 503 if the requested storms have never been received. */
async function stormsOf({
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

/** Writes plans as text one at a time, because with their pieces they are large. */
function written(plans: readonly PassagePlan[]): WrittenResults {
  return {
    *pieces() {
      for (const [index, plan] of plans.entries())
        yield utf8.encode(`${index === 0 ? "[" : ","}${JSON.stringify(plan)}`);
      yield utf8.encode("]");
    },
  };
}

function departureIssues(
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

function placeIssues(question: PassageQuestion, { async: isTask }: PassageRequest): ValidationIssue[] {
  const { places, departures, models, members, ensemble, withPieces, gates } = question;
  const { sync, async: many, rows } = passageLimits.places;
  const most = ensemble === undefined ? many : passageLimits.members;
  const waits = gates.some(({ gate }) => gate.wait) ? ", waits before gates included" : "";
  const named =
    models.length > 1
      ? `${models.length} models of `
      : members.length > 0
        ? `${members.length} members and the best forecast of `
        : "";
  const counted = `${places} places (${named}${departures.length} departures of ${places / planCount(question)} pieces${waits})`;
  const issue = (limit: number, msg: string) => [
    { type: "value_error", loc: ["body", "route"], msg, ctx: { places, most: limit } },
  ];
  const plain = (places / planCount(question)) * departures.length * Math.max(1, models.length);
  if (withPieces && plain > rows)
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

export const passageOptimise = bodyOperation(
  {
    route: "POST /passages/optimise",

    reader: bodyReader(optimiseRequest, (request, now) => {
      const issues = [
        ...timeIssues(request, now),
        ...landIssues(request),
        ...gateIssues(questionOf(request)),
      ];
      return issues.length > 0 ? issues : sizeIssues(request, now);
    }),
    schemaName: "OptimiseRequest",
    limitBytes: bodyLimits.sync,
    limits: { better_routes: optimiseLimits },
    group: "data",
    operationId: "postPassagesOptimise",
    summary: "Find a better route than your own",
    description:
      "Searches a better route from the first to the last waypoint by isochrones, through the waypoints with a " +
      "gate, before which the vessel may wait, around land and storms, and within the limits if there is such a " +
      "way. The results are the plan of your own route and that of the better one, both in the form of POST " +
      "/passages/evaluate, and meta.better has the difference. Not for navigation.",
    replies: {
      "200": replyIn(Object.keys(formats), "Both plans, or why there are none", "PassageResponse", "Failure"),
      ...createdReply,
    },
  },
  async (job) => {
    const { body } = job;
    const manifest =
      body.ensemble === undefined
        ? undefined
        : await requireMembers(job.context.archive, body.ensemble, ["body", "ensemble"]);
    const members = manifest ? membersWith(manifest, body.ensemble!, "wind").length : 0;
    const models = Math.max(1, questionOf(body).models.length);
    const size = Math.max(1, Math.round(milesOf(body) * models), members);
    // A task uses the storms that are published when it begins. It is not accepted if no storms have been received.
    const storms = await stormsOf(job);
    const gates = await gatesOfRequest(job, questionOf(job.body));
    await requireModels(job.context.archive, job.body.models, ["body", "models"]);
    if (job.body.async) return acceptTask("passages/optimise", job, size);
    return answerAtOnce<OptimiseRequest, Answer & PassageAnswer>(
      "passages/optimise",
      job,
      { formats, bytes: SEARCH_BYTES, asTask },
      ({ body, context: { archive }, now, signal }) =>
        withManifest(archive, async (manifest) => {
          const { plans, meta } = await betterPlans(archive, manifest, body, now, signal, { storms, gates });
          return { results: plans, plans, meta, synthetic: isSynthetic(manifest) };
        }),
      () => size,
    );
  },
);

/** Memory of a search, about: points of isochrones, and two plans. */
const SEARCH_BYTES = 20_000_000;

type Issues = ValidationIssue[];

const issueOf = (
  loc: (string | number)[],
  msg: string,
  ctx: Record<string, unknown> = {},
): ValidationIssue => ({
  type: "value_error",
  loc: ["body", ...loc],
  msg,
  ctx,
});

function timeIssues({ departure }: OptimiseRequest, now: number): Issues {
  const wrong = timeRule(now)(parseInstant(departure));
  return wrong ? [issueOf(["departure"], wrong)] : [];
}

/** Reports the first and the last waypoint, and gates, that are not on water, and suggests the nearest water. */
function landIssues({ route }: OptimiseRequest): Issues {
  return searchedEnds(route).flatMap((index) => {
    const place = route[index]!;
    const coast = knownCoast().line;
    if (!coast.isLand(place)) return [];
    const water = coast.nearestWater(place, optimiseLimits.nearest_water_nm);
    const what = index === 0 ? "The start" : index === route.length - 1 ? "The end" : "The gate";
    const msg = water
      ? `${what} is on land (OpenStreetMap of 2017, the coast of the map). The nearest water is at ${positionText(water)}, ${Math.round(distanceKm(place, water) / MILE_KM)} n mi away: take that`
      : `${what} is on land, and there is no water within ${optimiseLimits.nearest_water_nm} n mi`;
    return [issueOf(["route", index], msg, water ? { nearest_water: water } : {})];
  });
}

const positionText = ({ latitude, longitude }: Place) => `${latitude.toFixed(3)}, ${longitude.toFixed(3)}`;

function sizeIssues(request: OptimiseRequest, now: number): Issues {
  const refusal = searchRefusal(request, now);
  if (!refusal) return [];
  const { why, miles, knots, hours, known, models } = refusal;
  const { distance_nm: most, hours: limits } = optimiseLimits;
  const each = models > 1 ? ` in each of ${models} models` : "";
  const about = `about ${hours} h (${miles} n mi at ${knots.toFixed(1)} kt)${each}`;
  const ctx = { hours };
  switch (why) {
    case "distance":
      return [
        issueOf(
          ["route"],
          `The ends are ${miles} n mi apart, and routes of at most ${most} n mi are searched: send the parts one by one`,
          { distance_nm: miles, most },
        ),
      ];
    case "hours":
      return [
        issueOf(
          ["route"],
          `This takes ${about}, and at most ${limits.async} h are searched: send a part of it`,
          ctx,
        ),
      ];
    case "forecast":
      return [
        issueOf(
          ["departure"],
          `This takes ${about}, and the forecast ends ${known} h after the departure: leave earlier, or send a part of the route`,
          ctx,
        ),
      ];
    case "at_once":
      return [
        issueOf(
          ["route"],
          `This takes ${about}, and at most ${limits.sync} h are searched at once: send it with "async": true`,
          ctx,
        ),
      ];
  }
}
