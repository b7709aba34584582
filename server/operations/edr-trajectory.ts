import type { z } from "zod";
import { bodyLimits } from "#lib/contract/bodies.ts";
import { edrTrajectoryRequest, formatsOfQuery, trajectoryQuery } from "#lib/contract/edr.ts";
import { type PointRequest, pointLimits } from "#lib/contract/point.ts";
import { timesOfCollection } from "#lib/edr/collections.ts";
import { EdrQueryError } from "#lib/edr/query-error.ts";
import type { Geometry } from "#lib/edr/wkt.ts";
import { formatInstant } from "#lib/time.ts";
import type { Reply } from "#server/http/api-request.ts";
import { bodyReader } from "#server/http/validation.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { bodyOperation, type OperationDefinition, readOperation } from "./definition.ts";
import { collectionPath, edrDocs, onCollectionAndInstance } from "./edr-docs.ts";
import { answerEdrPoints, type EdrAsker } from "./edr-points.ts";
import { answerSeries } from "./edr-position.ts";
import {
  type EdrQuestion,
  edrQuestion,
  oneInstant,
  readGeometry,
  readingQuery,
  tooLarge,
} from "./edr-question.ts";

const summary = "Conditions along a trajectory";
const description =
  "A LINESTRINGM is a list of points with a time for each, Unix seconds: numbers of POST /MetOcean, in the order of the " +
  "line; the same place and time twice is answered once. A LINESTRING has one datetime, by default the nearest full hour to now; " +
  "over a range it is a series at each of its places. " +
  `More than ${pointLimits.sync} places become a task (202).`;

/** GET …/trajectory: conditions along a line. */
export const trajectories: readonly OperationDefinition[] = [
  ...onCollectionAndInstance((path, suffix) =>
    readOperation(
      {
        method: "GET",
        path: `${path}/trajectory`,
        group: "data",
        query: trajectoryQuery,
        docs: edrDocs({
          operationId: `getEdrTrajectory${suffix}`,
          summary: `${summary}${suffix && ", from one run"}`,
          description,
          query: trajectoryQuery,
          path,
          formats: formatsOfQuery.trajectory,
          mayBeTask: true,
        }),
      },
      (read) => answer(read, read.query),
    ),
  ),
  bodyOperation(
    {
      path: `${collectionPath}/trajectory`,
      reader: bodyReader(edrTrajectoryRequest),
      schemaName: "EdrTrajectoryRequest",
      limitBytes: bodyLimits.async,
      group: "data",
      docs: edrDocs({
        operationId: "postEdrTrajectory",
        summary: `${summary}, of any length`,
        description: `${description} The body has the parameters of the query.`,
        path: collectionPath,
        formats: formatsOfQuery.trajectory,
        mayBeTask: true,
      }),
    },
    (job) => answer(job, job.body),
  ),
];

async function answer(asker: EdrAsker, query: z.output<typeof edrTrajectoryRequest>): Promise<Reply> {
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
  return answerEdrPoints(asker, question, { points, query: "trajectory" });
}

/** Places that are made without a pause. */
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
    // A coverage has no place and time twice.
    const key = `${longitude} ${latitude} ${time}`;
    if (seen.has(key)) continue;
    seen.add(key);
    points.push({ latitude, longitude, timestamp: formatInstant(time) });
  }
  return points;
}
