import type { Place } from "@open-metocean/geo/sphere";
import { variable } from "#lib/catalog/variables.ts";
import type { FileRequest } from "#lib/contract/files.ts";
import { type PointRequest, resultCount } from "#lib/contract/point.ts";
import { pointNetcdf } from "#lib/table/netcdf.ts";
import { pointsOf, pointTable } from "#lib/table/table.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { isSynthetic } from "#server/archive/run.ts";
import type { Reply } from "#server/http/api-request.ts";
import { jsonReply, noStore, syntheticHeader } from "#server/http/reply.ts";
import { answerPoints, type PointAnswer } from "#server/metocean/points.ts";
import { originOf, pointAnswerFormats } from "./answer-formats.ts";
import type { RequestJob } from "./definition.ts";
import { answerAtOnce } from "./envelope-reply.ts";
import { withAccept } from "./format-parameter.ts";
import { POINT_BYTES_PER_VALUE } from "./points.ts";
import { repeatable } from "./streamed-body.ts";
import { fileType } from "./task-handlers.ts";

/** Approximate size of a number in a file, bytes. */
const FILE_BYTES = 8;

/** Answers POST /files at points with a series for each place, one place after another. */
export async function seriesReply(job: RequestJob<FileRequest>, places: readonly Place[]): Promise<Reply> {
  const { body, context } = job;
  const variables = [...new Set(body.variables)];
  const times = timesOf(body);
  const points = places.flatMap(({ latitude, longitude }) =>
    times.map((timestamp) => ({ latitude, longitude, timestamp })),
  );
  const fields = variables.reduce((sum, name) => sum + variable(name).outputs.length, 0);
  const answers = resultCount({ points, models: body.models });
  const values = answers * fields;
  if (body.estimate) {
    const isDemo = isSynthetic(await context.archive.manifest());
    const estimate = estimateOf(body, places, times, fields, answers);
    return jsonReply(200, { estimate }, { ...noStore, ...(isDemo && syntheticHeader) });
  }
  const { wind_height, models, receive_mail, task_name } = body;
  const asked: PointRequest = {
    points,
    variables,
    wind_height,
    models,
    receive_mail,
    task_name,
    include_meta: true,
  };
  const type = fileType(body);
  const formats = {
    ...pointAnswerFormats,
    "application/x-netcdf": (answer: PointAnswer) =>
      repeatable(() =>
        pointNetcdf(pointTable(pointsOf(answer.results), originOf(answer)), {
          places: answer.results.length / times.length,
        }),
      ),
  };
  return answerAtOnce<PointRequest, PointAnswer>(
    "MetOcean",
    { ...job, body: asked, request: withAccept(job.request, type) },
    { taskIdAsList: true, formats, bytes: POINT_BYTES_PER_VALUE * values },
    ({ now, signal }) => answerPoints(context.archive, asked, now, signal),
    () => answers,
  );
}

/**
 * Returns the instants at whole multiples of the step since midnight UTC, both ends included; the two ends if there are
 * none.
 */
function timesOf({ from, to, step_hours = 1 }: FileRequest): string[] {
  const step = step_hours * HOUR_S;
  const [first, last] = [Math.ceil(parseInstant(from) / step), Math.floor(parseInstant(to) / step)];
  if (last < first) return [...new Set([from, to])];
  return Array.from({ length: last - first + 1 }, (_, at) => formatInstant((first + at) * step));
}

/** @param rows Number of results: one for each place, time and model. */
function estimateOf(
  { format, models }: FileRequest,
  places: readonly Place[],
  times: string[],
  fields: number,
  rows: number,
) {
  const ends = (name: keyof Place) => {
    const all = places.map((place) => place[name]);
    return [Math.min(...all), Math.max(...all)];
  };
  const values = rows * fields;
  return {
    format,
    bytes: values * FILE_BYTES + rows * FILE_BYTES,
    values,
    steps: times.length,
    rows: places.length,
    columns: 1,
    fields,
    ...(models && { models: new Set(models).size }),
    at_once: true,
    as_task: false,
    latitude: ends("latitude"),
    longitude: ends("longitude"),
    resolution: [0, 0],
    from: times[0],
    to: times.at(-1),
  };
}
