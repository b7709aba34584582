import { randomUUID } from "node:crypto";
import { timeRule } from "#lib/catalog/datasets.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { hourFrom } from "#lib/contract/examples.ts";
import { queryParameters, reply, replyIn } from "#lib/contract/openapi.ts";
import { PLAIN_WORDS, type PointRequest, pointFormatNames, pointQuery } from "#lib/contract/point.ts";
import { plainWords } from "#lib/points/plain-words.ts";
import { aboutOf } from "#lib/table/table.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { invalid, withHeaders } from "#server/http/reply.ts";
import { answerPoints, type PointAnswer } from "#server/metocean/points.ts";
import { preferredType } from "#server/platform/negotiation.ts";
import { originOf, pointAnswerFormats } from "./answer-formats.ts";
import { readOperation } from "./definition.ts";
import { envelopeReply } from "./envelope-reply.ts";
import { requireModels } from "./models.ts";

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
      "The numbers of POST /MetOcean for one place and time. Send the key in the header x-api-key or as the " +
      "password of HTTP Basic, never in the query.",
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
    const { lat: latitude, lon: longitude, variables, wind_height, models, f } = query;
    const timestamp = query.time ?? formatInstant(HOUR_S * Math.round(now / HOUR_S));
    const points = [{ latitude, longitude, timestamp }];
    const msg = timeRule(now)(parseInstant(timestamp));
    if (msg) throw invalid({ type: "value_error", loc: ["query", "time"], msg });
    await requireModels(context.archive, models, ["query", "models"]);
    const mediaType = f ? pointFormatNames[f] : preferredType(request.header("accept"), offered);
    const body: PointRequest = {
      points,
      variables,
      wind_height,
      ...(models && { models }),
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
    const lines = answer.results.map((result) => {
      const { model } = result.coordinates;
      return `${model === undefined ? "" : `${model}: `}${plainWords(result, [...new Set(variables)])}.`;
    });
    return `${lines.join("\n")} ${notice}. ${provenance}\n`;
  },
});
