import { randomUUID } from "node:crypto";
import { timeRule } from "#lib/catalog/datasets.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { hourFrom } from "#lib/contract/examples.ts";
import { jsonContent, otherFormats, queryParameters, rateLimited, reply } from "#lib/contract/openapi.ts";
import type { PointRequest } from "#lib/contract/point.ts";
import { PLAIN_WORDS, pointFormatNames, pointQuery } from "#lib/contract/point-query.ts";
import { plainWords } from "#lib/points/plain-words.ts";
import { aboutOf } from "#lib/table/table.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { invalid, withHeaders } from "#server/http/reply.ts";
import { answerPoints, type PointAnswer } from "#server/metocean/points.ts";
import { preferredType } from "#server/platform/negotiation.ts";
import { envelopeReply } from "./answer-at-once.ts";
import { readOperation } from "./definition.ts";
import { originOf, pointAnswerFormats } from "./formats.ts";

const offered = ["application/json", PLAIN_WORDS, ...Object.keys(pointAnswerFormats)] as const;

/** GET /point: one place and time by a query, for what cannot send a body: a spreadsheet, a shell, a bookmark. */
export const point = readOperation(
  {
    method: "GET",
    path: "/point",
    group: "data",
    openToGuests: true,
    query: pointQuery,
    docs: {
      operationId: "getPoint",
      summary: "Conditions at one place, by query",
      description:
        "The numbers of POST /MetOcean for one place and time. The key is sent in the header x-api-key or as the password " +
        "of HTTP Basic, never in the query.",
      parameters: queryParameters(pointQuery),
      example: (now) => ({ parameters: { time: hourFrom(now, 6) } }),
      replies: {
        "200": {
          description: "The answer, or why the request could not be processed",
          headers: rateLimited,
          content: { ...jsonContent("PointResponse", "Failure"), ...otherFormats(offered.slice(1)) },
        },
        "422": reply("A parameter is missing or breaks a rule", "ValidationError"),
      },
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
