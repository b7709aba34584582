import { randomUUID } from "node:crypto";
import { type PointRequest, pointLimits } from "#lib/contract/point.ts";
import { type PointParameter, seriesPieces, trajectoryPieces } from "#lib/edr/coverage-json.ts";
import { featurePieces } from "#lib/edr/features.ts";
import { pointNetcdf } from "#lib/table/cf.ts";
import { pointFormats } from "#lib/table/formats.ts";
import { pointsOf, pointTable } from "#lib/table/table.ts";
import type { Reply } from "#server/http/api-request.ts";
import { answerPoints, type PointAnswer } from "#server/metocean/points.ts";
import { acceptTask } from "./accept-task.ts";
import type { ReadRequest, RequestJob } from "./definition.ts";
import { baseOf } from "./edr-base.ts";
import { type EdrQuestion, tooLarge } from "./edr-question.ts";
import { edrReply } from "./edr-reply.ts";
import { originOf } from "./formats.ts";
import { yielding } from "./held-body.ts";

/** Who asks; a job where a body was sent. */
export type EdrAsker = Pick<ReadRequest<unknown>, "caller" | "context" | "request"> &
  Partial<Pick<RequestJob<unknown>, "idempotency">>;

/** Places and times that a query resolves to. */
export interface AskedPoints {
  points: PointRequest["points"];
  /** Number of places, each with all times in turn; undefined for a trajectory. */
  places?: number;
  /** Path of the query below its collection. */
  query: string;
}

/** Memory of an answer as objects and as text, bytes a value. */
const BYTES_PER_VALUE = 64;

/**
 * Answers places and times by the function of POST /MetOcean: at once, or by a task where there are more of them than that
 * takes. Throws `HttpError` of 413 beyond the limits of tasks.
 */
export async function answerEdrPoints(
  asker: EdrAsker,
  question: EdrQuestion,
  { points, places, query }: AskedPoints,
): Promise<Reply> {
  const { caller, context, request } = asker;
  const { variables, windHeight, now, source } = question;
  const body: PointRequest = {
    points,
    variables: variables as PointRequest["variables"],
    wind_height: windHeight,
    receive_mail: false,
    include_meta: true,
  };
  const job = { body, caller, context, now, request, signal: request.signal, taskId: randomUUID() };
  if (points.length > pointLimits.sync) {
    const most = question.run ? pointLimits.sync : pointLimits.async;
    if (points.length > most)
      throw tooLarge(
        `${points.length} places and times, at most ${most} in one request: ask for a shorter datetime, or for fewer places`,
      );
    const bytes = Buffer.from(JSON.stringify(body));
    return acceptTask("MetOcean", { ...job, bytes, idempotency: asker.idempotency }, points.length);
  }
  const collection = `${baseOf(request, context)}${request.path.replace(/\/[^/]+$/, "")}`;
  const address = { collection, endpoint: `${collection}/${query}` };
  return edrReply(
    job,
    {
      mediaType: question.mediaType,
      bytes: BYTES_PER_VALUE * points.length * variables.length,
      format: (answer: PointAnswer) => yielding(piecesOf(answer, question, places, address)),
    },
    ({ signal }) => answerPoints(source, body, now, signal),
  );
}

function piecesOf(
  answer: PointAnswer,
  { format, outputs, isLatitudeFirst }: EdrQuestion,
  places: number | undefined,
  address: { collection: string; endpoint: string },
): Iterable<Uint8Array> {
  const origin = { ...originOf(answer), isLatitudeFirst };
  const points = pointsOf(answer.results);
  const parameters = outputs.map((output): PointParameter => ({ output, value: points.value(output.point) }));
  switch (format) {
    case "GeoJSON":
      return featurePieces(points, parameters, address, origin);
    case "CSV":
      return pointFormats["text/csv"](tableOf());
    case "NetCDF":
      return pointNetcdf(tableOf(), places === undefined ? "trajectory" : { places });
    default:
      return places === undefined
        ? trajectoryPieces(points, parameters, origin)
        : seriesPieces(points, places, parameters, origin);
  }

  function tableOf() {
    return pointTable({ ...points, names: outputs.map(({ point }) => point) }, origin);
  }
}
