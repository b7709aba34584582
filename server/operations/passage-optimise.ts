import { timeRule } from "#lib/catalog/datasets.ts";
import { bodyLimits } from "#lib/contract/bodies.ts";
import { createdReply, jsonContent, otherFormats, rateLimited } from "#lib/contract/openapi.ts";
import { type OptimiseRequest, optimiseLimits, optimiseRequest } from "#lib/contract/passage-optimise.ts";
import { distanceKm, MILE_KM, type Place } from "#lib/geo/sphere.ts";
import type { PassageAnswer } from "#lib/passage/files.ts";
import { milesOf, searchRefusal } from "#lib/passage/question.ts";
import { parseInstant } from "#lib/time.ts";
import { withManifest } from "#server/archive/catalog.ts";
import { isSynthetic } from "#server/archive/run.ts";
import type { ValidationIssue } from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { betterPlans } from "#server/metocean/better-routes.ts";
import { knownCoast } from "#server/metocean/passages.ts";
import { acceptTask } from "./accept-task.ts";
import { type Answer, answerAtOnce, asTask } from "./answer-at-once.ts";
import { bodyOperation } from "./definition.ts";
import { passageAnswerFormats as formats } from "./formats.ts";
import { stormsOf } from "./passage-evaluate.ts";

/** POST /passages/optimise: a better route than the user's own; at once where it is short, or by a task. */
export const passageOptimise = bodyOperation(
  {
    path: "/passages/optimise",
    reader: bodyReader(optimiseRequest, (request, now) => {
      const issues = [...timeIssues(request, now), ...landIssues(request)];
      return issues.length > 0 ? issues : sizeIssues(request, now);
    }),
    schemaName: "OptimiseRequest",
    limitBytes: bodyLimits.sync,
    limits: { better_routes: optimiseLimits },
    group: "data",
    docs: {
      operationId: "postPassagesOptimise",
      summary: "A better route than one's own",
      description:
        "Searches a better route from the first to the last waypoint by isochrones, around land, around storms, and within " +
        "the limits where a way exists; the results are the plan of the own route and that of the better one, both as " +
        "POST /passages/evaluate makes them, and meta.better has the difference. Not for navigation.",
      replies: {
        "200": {
          description: "Both plans, or why there are none",
          headers: rateLimited,
          content: { ...jsonContent("PassageResponse", "Failure"), ...otherFormats(Object.keys(formats)) },
        },
        ...createdReply,
      },
    },
  },
  async (job) => {
    const size = Math.max(1, Math.round(milesOf(job.body)));
    // A task looks at the storms that are published when it begins; it is not accepted where none could be.
    const storms = await stormsOf(job);
    if (job.body.async) return acceptTask("passages/optimise", job, size);
    return answerAtOnce<OptimiseRequest, Answer & PassageAnswer>(
      "passages/optimise",
      job,
      { formats, bytes: SEARCH_BYTES, asTask },
      ({ body, context: { archive }, now, signal }) =>
        withManifest(archive, async (manifest) => {
          const { plans, meta } = await betterPlans(archive, manifest, body, now, signal, { storms });
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

/** The first and the last waypoint should be on water; where they are not, the nearest water is offered. */
function landIssues({ route }: OptimiseRequest): Issues {
  return [0, route.length - 1].flatMap((index) => {
    const place = route[index]!;
    const coast = knownCoast().line;
    if (!coast.isLand(place)) return [];
    const water = coast.nearestWater(place, optimiseLimits.nearest_water_nm);
    const what = index === 0 ? "The start" : "The end";
    const msg = water
      ? `${what} is on land (Natural Earth 1:10 million, the coast of the map). The nearest water is at ${positionText(water)}, ${Math.round(distanceKm(place, water) / MILE_KM)} n mi away: take that`
      : `${what} is on land, and there is no water within ${optimiseLimits.nearest_water_nm} n mi`;
    return [issueOf(["route", index], msg, water ? { nearest_water: water } : {})];
  });
}

const positionText = ({ latitude, longitude }: Place) => `${latitude.toFixed(3)}, ${longitude.toFixed(3)}`;

function sizeIssues(request: OptimiseRequest, now: number): Issues {
  const refusal = searchRefusal(request, now);
  if (!refusal) return [];
  const { why, miles, knots, hours, known } = refusal;
  const { distance_nm: most, hours: limits } = optimiseLimits;
  const about = `about ${hours} h (${miles} n mi at ${knots.toFixed(1)} kt)`;
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
