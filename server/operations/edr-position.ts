import type { z } from "zod";
import { variable } from "#lib/catalog/variables.ts";
import { formatsOfQuery, positionQuery } from "#lib/contract/edr.ts";
import { pointLimits } from "#lib/contract/point.ts";
import { boxOfPlaces } from "#lib/geo/box.ts";
import { formatInstant } from "#lib/time.ts";
import type { Reply } from "#server/http/api-request.ts";
import { nativeSteps } from "#server/metocean/box-plan.ts";
import { type OperationDefinition, type ReadRequest, readOperation } from "./definition.ts";
import { edrDocs, onCollectionAndInstance } from "./edr-docs.ts";
import { answerEdrPoints, type EdrAsker } from "./edr-points.ts";
import { type EdrQuestion, edrQuestion, readGeometry, readingQuery, tooLarge } from "./edr-question.ts";

type Place = { latitude: number; longitude: number };

/** GET …/position: conditions at one place or several, at an instant or at all times of a range. */
export const positions: readonly OperationDefinition[] = onCollectionAndInstance((path, suffix) =>
  readOperation(
    {
      method: "GET",
      path: `${path}/position`,
      group: "data",
      query: positionQuery,
      docs: edrDocs({
        operationId: `getEdrPosition${suffix}`,
        summary: `Conditions at positions${suffix && ", from one run"}`,
        description:
          "Numbers of POST /MetOcean: at an instant exactly, over a range at the native times inside it. Places and times that are too many to be answered at once become a task (202).",
        query: positionQuery,
        path,
        formats: formatsOfQuery.position,
        mayBeTask: true,
      }),
    },
    answer,
  ),
);

async function answer(read: ReadRequest<z.output<typeof positionQuery>>) {
  const { query, context, request } = read;
  const question = await edrQuestion(context, request, query, formatsOfQuery.position);
  const { lists } = await readingQuery(() =>
    readGeometry(query.coords, ["POINT", "MULTIPOINT"], pointLimits.sync, question),
  );
  return answerSeries(read, question, lists[0]!, "position");
}

/** Answers places, each at the instant of a question or at all native times of its range. */
export async function answerSeries(
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
  return answerEdrPoints(asker, question, { points, places: places.length, query });
}

/** The instant of a question, or the native times of its range; its ends where there are none. */
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
