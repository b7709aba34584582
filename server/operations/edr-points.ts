import { randomUUID } from "node:crypto";
import { boxOfPlaces } from "@open-metocean/geo/box";
import type { z } from "zod";
import { storedPercentiles } from "#lib/catalog/ensemble.ts";
import { variable } from "#lib/catalog/variables.ts";
import { edrTrajectoryRequest, formatsOfQuery, positionQuery, trajectoryQuery } from "#lib/contract/edr.ts";
import { type EnsembleRequest, ensembleLimits } from "#lib/contract/ensemble.ts";
import { bodyLimits } from "#lib/contract/limits.ts";
import { type PointRequest, pointLimits } from "#lib/contract/point.ts";
import { type PointParameter, seriesPieces, trajectoryPieces } from "#lib/edr/coverage-json.ts";
import { featurePieces } from "#lib/edr/features.ts";
import { timesOfCollection } from "#lib/edr/metadata.ts";
import { EdrQueryError } from "#lib/edr/queries.ts";
import type { Geometry } from "#lib/edr/wkt.ts";
import { pointFormats } from "#lib/table/formats.ts";
import { pointNetcdf } from "#lib/table/netcdf.ts";
import { pointsOf, pointTable } from "#lib/table/table.ts";
import { formatInstant } from "#lib/time.ts";
import { answerEnsemble, type EnsembleAnswer } from "#server/ensembles/points.ts";
import type { Reply } from "#server/http/api-request.ts";
import { detailReply, HttpError } from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { nativeSteps } from "#server/metocean/box-plan.ts";
import { answerPoints, type PointAnswer } from "#server/metocean/points.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { acceptTask } from "./accept-task.ts";
import { originOf } from "./answer-formats.ts";
import {
  bodyOperation,
  type OperationDefinition,
  type ReadRequest,
  type RequestJob,
  readOperation,
} from "./definition.ts";
import {
  baseOf,
  collectionPath,
  type EdrQuestion,
  edrDocs,
  edrQuestion,
  edrReply,
  modelsOf,
  onCollectionAndInstance,
  oneInstant,
  readGeometry,
  readingQuery,
  tooLarge,
} from "./edr.ts";
import { POINT_BYTES_PER_VALUE } from "./points.ts";
import { yielding } from "./streamed-body.ts";

type Place = { latitude: number; longitude: number };

/** GET …/position: conditions at one place or several, at an instant or at all times of a range. */
export const positions: readonly OperationDefinition[] = onCollectionAndInstance((path, suffix) =>
  readOperation(
    {
      route: `GET ${path}/position`,

      group: "data",
      query: positionQuery,
      ...edrDocs({
        operationId: `getEdrPosition${suffix}`,
        summary: `Conditions at positions${suffix && ", from one run"}`,
        description:
          "Returns the numbers of POST /MetOcean, at a time exactly, or over a range at the native times inside it. Too " +
          "many places and times for a synchronous answer become a task (202).",
        query: positionQuery,
        path,
        formats: formatsOfQuery.position,
        mayBeTask: true,
      }),
    },
    answerPosition,
  ),
);

async function answerPosition(read: ReadRequest<z.output<typeof positionQuery>>) {
  const { query, context, request } = read;
  const question = await edrQuestion(context, request, query, formatsOfQuery.position);
  const { lists } = await readingQuery(() =>
    readGeometry(query.coords, ["POINT", "MULTIPOINT"], pointLimits.sync, question),
  );
  return answerSeries(read, question, lists[0]!, "position");
}

/** Answers places, each at the instant of a question or at all native times of its range. */
async function answerSeries(
  asker: EdrAsker,
  question: EdrQuestion,
  numbers: readonly number[],
  query: string,
): Promise<Reply> {
  const places: Place[] = [];
  for (let at = 0; at < numbers.length; at += 2)
    places.push({ longitude: numbers[at]!, latitude: numbers[at + 1]! });
  const times = await timesAt(question, places);
  const rows = places.length * times.length;
  if (rows > pointLimits.async)
    throw tooLarge(
      `${places.length} places at ${times.length} times, at most ${pointLimits.async} of both: ask for a shorter datetime, or for fewer places`,
    );
  const points = places.flatMap((place) => times.map((timestamp) => ({ ...place, timestamp })));
  if (question.statistics.length > 0) return answerStatistics(asker, question, points, places.length);
  return answerEdrPoints(asker, question, { points, places: places.length, query });
}

/** Returns the instant of a question, or the native times of its range; the ends of the range if it has none. */
async function timesAt(
  { source, variables, now, times: { from, to, isInstant } }: EdrQuestion,
  places: readonly Place[],
): Promise<string[]> {
  if (isInstant || variables.every((name) => variable(name).static)) return [formatInstant(from)];
  const manifest = await source.manifest();
  const box = boxOfPlaces(places)!;
  const found = new Set(variables.flatMap((name) => nativeSteps({ manifest, name, now }, box, from, to)));
  return [...(found.size > 0 ? found : new Set([from, to]))].sort((a, b) => a - b).map(formatInstant);
}

const summary = "Conditions along a trajectory";
const description =
  "Returns the numbers of POST /MetOcean along a line. A LINESTRINGM is a list of points with a time for each, " +
  "Unix seconds; points keep the order of the line, and the same place and time twice is answered once. A " +
  "LINESTRING has one datetime, by default the full hour nearest to now; a range gives a series at each of its " +
  `places. More than ${pointLimits.sync} places become a task (202).`;

/** GET …/trajectory: conditions along a line. */
export const trajectories: readonly OperationDefinition[] = [
  ...onCollectionAndInstance((path, suffix) =>
    readOperation(
      {
        route: `GET ${path}/trajectory`,

        group: "data",
        query: trajectoryQuery,
        ...edrDocs({
          operationId: `getEdrTrajectory${suffix}`,
          summary: `${summary}${suffix && ", from one run"}`,
          description,
          query: trajectoryQuery,
          path,
          formats: formatsOfQuery.trajectory,
          mayBeTask: true,
        }),
      },
      (read) => answerTrajectory(read, read.query),
    ),
  ),
  bodyOperation(
    {
      route: `POST ${collectionPath}/trajectory`,

      reader: bodyReader(edrTrajectoryRequest),
      schemaName: "EdrTrajectoryRequest",
      limitBytes: bodyLimits.async,
      group: "data",
      ...edrDocs({
        operationId: "postEdrTrajectory",
        summary: `${summary}, of any length`,
        description: `${description} The body has the parameters of the query.`,
        path: collectionPath,
        formats: formatsOfQuery.trajectory,
        mayBeTask: true,
      }),
    },
    (job) => answerTrajectory(job, job.body),
  ),
];

async function answerTrajectory(
  asker: EdrAsker,
  query: z.output<typeof edrTrajectoryRequest>,
): Promise<Reply> {
  const { context, request } = asker;
  const question = await edrQuestion(context, request, query, formatsOfQuery.trajectory);
  const line = await readingQuery(() =>
    readGeometry(query.coords, ["LINESTRING", "LINESTRINGM"], pointLimits.async, question),
  );
  if (line.stride === 2 && query.datetime !== undefined && !question.times.isInstant) {
    const numbers = line.lists[0]!;
    if (numbers.length / 2 > pointLimits.sync)
      throw tooLarge(
        `coords: at most ${pointLimits.sync} places over a range: send the rest in another request`,
      );
    return answerSeries(asker, question, numbers, "trajectory");
  }
  const points = await readingQuery(() => pointsAlong(line, question, query.datetime));
  if (question.statistics.length > 0)
    throw new HttpError(
      detailReply(400, "parameter-name: statistics of an ensemble are parameters of position alone"),
    );
  return answerEdrPoints(asker, question, { points, query: "trajectory" });
}

/** Number of places that are made without a pause. */
const PLACES_PER_TURN = 8192;

async function pointsAlong(
  { lists, stride }: Geometry,
  question: EdrQuestion,
  datetime: string | undefined,
): Promise<PointRequest["points"]> {
  if (stride === 3 && datetime !== undefined)
    throw new EdrQueryError("datetime: a LINESTRINGM has a time for each place");
  const { first, last } = timesOfCollection(question.collection, question.now);
  const instant = stride === 3 ? 0 : oneInstant(question);
  const numbers = lists[0]!;
  const points: PointRequest["points"] = [];
  const seen = new Set<string>();
  for (let at = 0; at < numbers.length; at += stride) {
    if (points.length % PLACES_PER_TURN === PLACES_PER_TURN - 1) await nextTurn();
    const [longitude, latitude] = [numbers[at]!, numbers[at + 1]!];
    const time = stride === 3 ? numbers[at + 2]! : instant;
    if (time < first || time > last)
      throw new EdrQueryError(
        `coords: the time of place ${at / stride + 1} is outside this collection, which has times from ${formatInstant(first)} to ${formatInstant(last)}`,
      );
    // A coverage contains no pair of place and time twice.
    const key = `${longitude} ${latitude} ${time}`;
    if (seen.has(key)) continue;
    seen.add(key);
    points.push({ latitude, longitude, timestamp: formatInstant(time) });
  }
  return points;
}

/** The caller of a query; it is a job if a body was sent. */
type EdrAsker = Pick<ReadRequest<unknown>, "caller" | "context" | "request"> &
  Partial<Pick<RequestJob<unknown>, "idempotency">>;

/** Places and times that a query resolves to. */
interface AskedPoints {
  points: PointRequest["points"];
  /** Number of places, each with all times in turn; undefined for a trajectory. */
  places?: number;
  /** Path of the query below its collection. */
  query: string;
}

/**
 * Answers places and times by the function of POST /MetOcean: at once, or by a task if there are too many for that.
 * Throws `HttpError` of 413 beyond the limits of tasks.
 */
async function answerEdrPoints(
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
    const most = question.run || question.collection.ensemble ? pointLimits.sync : pointLimits.async;
    if (points.length > most)
      throw tooLarge(
        `${points.length} places and times, at most ${most} in one request: ask for a shorter datetime, or for fewer places`,
      );
    const request = { ...body, ...modelsOf(question) };
    const bytes = Buffer.from(JSON.stringify(request));
    const task = { ...job, body: request, bytes, idempotency: asker.idempotency };
    return acceptTask("MetOcean", task, points.length);
  }
  const collection = `${baseOf(request, context)}${request.path.replace(/\/[^/]+$/, "")}`;
  const address = { collection, endpoint: `${collection}/${query}` };
  return edrReply(
    job,
    {
      mediaType: question.mediaType,
      bytes: POINT_BYTES_PER_VALUE * points.length * variables.length,
      format: (answer: PointAnswer) => yielding(piecesOf(answer, question, places, address)),
    },
    ({ signal }) => answerPoints(source, body, now, signal),
  );
}

/** Answers statistics over the members of an ensemble at places, each with all times, by the function of POST /MetOcean/ensemble. */
async function answerStatistics(
  { caller, context, request }: EdrAsker,
  question: EdrQuestion,
  points: EnsembleRequest["points"],
  places: number,
): Promise<Reply> {
  const { statistics, variables, windHeight, now, collection, isLatitudeFirst } = question;
  if (question.isOfMember)
    throw new HttpError(detailReply(400, "realization: a statistic is one over all members"));
  if (question.run)
    throw new HttpError(
      detailReply(400, "parameter-name: statistics are parameters of the collection, not of its runs"),
    );
  if (question.format !== "CoverageJSON")
    throw new HttpError(
      detailReply(
        400,
        "f: statistics of an ensemble are CoverageJSON; POST /MetOcean/ensemble has other formats",
      ),
    );
  if (points.length > ensembleLimits.points)
    throw tooLarge(
      `${points.length} places and times, at most ${ensembleLimits.points} of statistics in one request: ask for a shorter datetime, or for fewer places`,
    );
  const body: EnsembleRequest = {
    points,
    variables: variables as EnsembleRequest["variables"],
    wind_height: windHeight,
    ensemble: collection.ensemble!.name,
    percentiles: [...storedPercentiles],
    thresholds: [],
    members: false,
  };
  const job = { body, caller, context, now, request, signal: request.signal, taskId: randomUUID() };
  return edrReply(
    job,
    {
      mediaType: question.mediaType,
      bytes: POINT_BYTES_PER_VALUE * points.length * statistics.length,
      format: ({ results, meta, synthetic }: EnsembleAnswer) => {
        const provenance = meta.ensembles.map((one) => ({ ...one, dataset: one.ensemble }));
        const parameters = statistics.map(
          ({ of, figure, output }): PointParameter => ({
            output,
            value: (row) => {
              const distribution = results[row]!.conditions[of.point];
              return (distribution && figure.of(distribution)) ?? Number.NaN;
            },
          }),
        );
        const origin = { provenance, synthetic, isLatitudeFirst, caution: meta.caution };
        const rows = results.map(({ coordinates }) => ({ coordinates, conditions: {} }));
        return yielding(seriesPieces(pointsOf(rows), places, parameters, origin));
      },
    },
    ({ signal }) => answerEnsemble(context.archive, body, now, signal),
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
