import { randomUUID } from "node:crypto";
import { timeRule } from "#lib/catalog/datasets.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { hourFrom } from "#lib/contract/examples.ts";
import { bodyLimits, guestBodyLimit } from "#lib/contract/limits.ts";
import { createdReply, queryParameters, reply, replyIn } from "#lib/contract/openapi.ts";
import {
  guestPointLimit,
  PLAIN_WORDS,
  type PointRequest,
  type PointRunsRequest,
  pointFormatNames,
  pointLimits,
  pointQuery,
  pointRunsLimits,
  pointRunsRequest,
} from "#lib/contract/point.ts";
import { plainWords } from "#lib/points/plain-words.ts";
import { aboutOf } from "#lib/table/table.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { invalid, withHeaders } from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { answerRuns } from "#server/metocean/point-runs.ts";
import { answerPoints, type PointAnswer } from "#server/metocean/points.ts";
import { preferredType } from "#server/platform/negotiation.ts";
import { acceptTask } from "./accept-task.ts";
import { answerAtOnce, envelopeReply, withProvenance } from "./answer.ts";
import { pointAnswerFormats as formats, originOf, pointAnswerFormats } from "./answer-formats.ts";
import { pointIssues, readPoints, taskPoints } from "./bodies.ts";
import { bodyOperation, readOperation } from "./definition.ts";

export const metOcean = bodyOperation(
  {
    route: "POST /MetOcean",

    reader: readPoints,
    schemaName: "PointRequest",
    limitBytes: bodyLimits.sync,
    limits: { points: pointLimits },
    group: "data",
    guests: {
      limitBytes: guestBodyLimit,
      refusal: ({ points }) =>
        points.length > guestPointLimit
          ? `Visitors without an API key may ask for at most ${guestPointLimit} points at once: ask for fewer, or send a key in the header x-api-key`
          : undefined,
    },
    operationId: "postMetOcean",
    summary: "Conditions at points",
    description:
      "Each point has its own place and time. Values are bilinear in space and linear in time. Answered at once.",
    replies: {
      "200": replyIn(
        Object.keys(formats),
        "The answer, or why the request could not be processed",
        "PointResponse",
        "Failure",
      ),
    },
  },
  (job) =>
    answerAtOnce(
      "MetOcean",
      job,
      {
        taskIdAsList: true,
        formats,
        bytes: pointAnswerBytes(job.body),
        asTask: "to /MetOcean/async",
        hidesMeta: !job.body.include_meta,
      },
      ({ context, now, signal }) => answerPoints(context.archive, withProvenance(job, formats), now, signal),
      () => job.body.points.length,
    ),
);

export const metOceanAsync = bodyOperation(
  {
    route: "POST /MetOcean/async",

    reader: taskPoints,
    schemaName: "ManyPointsRequest",
    limitBytes: bodyLimits.async,
    group: "data",
    operationId: "postMetOceanAsync",
    summary: "Conditions at many points, as a task",
    description: `As /MetOcean, for up to ${pointLimits.async} points and ${bodyLimits.async} bytes.`,
    replies: createdReply,
  },
  (job) => acceptTask("MetOcean", job, job.body.size),
);

/** Memory of an answer as objects and as text, bytes a value. */
const BYTES_PER_VALUE = 64;

function pointAnswerBytes({ points, variables }: PointRequest): number {
  return BYTES_PER_VALUE * points.length * variables.length;
}

const offered = ["application/json", PLAIN_WORDS, ...Object.keys(pointAnswerFormats)] as const;

export const point = readOperation(
  {
    route: "GET /point",

    group: "data",
    openToGuests: true,
    query: pointQuery,
    operationId: "getPoint",
    summary: "Conditions at one place, by query",
    description:
      "The numbers of POST /MetOcean for one place and time. The key is sent in the header x-api-key or as the password " +
      "of HTTP Basic, never in the query.",
    parameters: queryParameters(pointQuery),
    example: (now) => ({ parameters: { time: hourFrom(now, 6) } }),
    replies: {
      "200": replyIn(
        offered.slice(1),
        "The answer, or why the request could not be processed",
        "PointResponse",
        "Failure",
      ),
      "422": reply("A parameter is missing or breaks a rule", "ValidationError"),
    },
  },
  async ({ query, context, caller, request }) => {
    const now = context.weather.now();
    const { lat: latitude, lon: longitude, variables, wind_height, f } = query;
    const timestamp = query.time ?? formatInstant(HOUR_S * Math.round(now / HOUR_S));
    const points = [{ latitude, longitude, timestamp }];
    const msg = timeRule(now)(parseInstant(timestamp));
    if (msg) throw invalid({ type: "value_error", loc: ["query", "time"], msg });
    const mediaType = f ? pointFormatNames[f] : preferredType(request.header("accept"), offered);
    const body: PointRequest = {
      points,
      variables,
      wind_height,
      receive_mail: false,
      include_meta: mediaType !== "application/json",
    };
    const reply = await envelopeReply(
      { body, caller, context, now, request, signal: request.signal, taskId: randomUUID(), bytes: noBytes },
      { taskIdAsList: true, hidesMeta: true, mediaType, formats: formatsOf(variables) },
      (job) => answerPoints(context.archive, body, now, job.signal),
    );
    const isText = reply.headers["content-type"] === PLAIN_WORDS;
    return isText ? withHeaders(reply, { "content-type": `${PLAIN_WORDS}; charset=utf-8` }) : reply;
  },
);

const noBytes = new Uint8Array();

const formatsOf = (variables: readonly VariableName[]) => ({
  ...pointAnswerFormats,
  [PLAIN_WORDS]: (answer: PointAnswer) => {
    const { notice, provenance } = aboutOf(originOf(answer));
    return `${plainWords(answer.results[0]!, [...new Set(variables)])}. ${notice}. ${provenance}\n`;
  },
});

export const pointRuns = bodyOperation(
  {
    route: "POST /MetOcean/runs",

    reader: bodyReader(pointRunsRequest, pointIssues),
    schemaName: "PointRunsRequest",
    limitBytes: bodyLimits.sync,
    limits: { point_runs: pointRunsLimits },
    group: "data",
    guests: { limitBytes: guestBodyLimit },
    operationId: "postMetOceanRuns",
    summary: "What the last runs say of points",
    description:
      "As /MetOcean, from each of the last forecast runs alone: of each variable those of the source that answers now. A run " +
      "says what /MetOcean answered while it was the newest. What is not there is named in meta.missing.",
    replies: {
      "200": replyIn(
        [],
        "The answers of the runs, or why the request could not be processed",
        "PointRunsResponse",
        "Failure",
      ),
    },
  },
  (job) =>
    envelopeReply(job, { bytes: answerBytes(job.body) }, ({ body, context, now, signal }) =>
      answerRuns(context.archive, body, now, signal),
    ),
);
function answerBytes({ points, variables, last_runs, reference_times }: PointRunsRequest): number {
  return BYTES_PER_VALUE * points.length * variables.length * (reference_times?.length ?? last_runs);
}
