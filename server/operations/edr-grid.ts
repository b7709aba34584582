import { randomUUID } from "node:crypto";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import { areaQuery, cubeQuery, formatsOfQuery } from "#lib/contract/edr.ts";
import { type Map2dVariable, type MapRequest, mapLimits } from "#lib/contract/map2d.ts";
import { pointLimits } from "#lib/contract/point.ts";
import { readBbox } from "#lib/edr/bbox.ts";
import { gridPieces } from "#lib/edr/coverage-json.ts";
import { boxOfRings, nodesInside } from "#lib/edr/polygon.ts";
import { type MapField, NULL_ENTRY } from "#lib/field/map-field.ts";
import type { Box } from "#lib/geo/box.ts";
import { mapFormats } from "#lib/table/formats.ts";
import { DAY_S, formatInstant } from "#lib/time.ts";
import type { Reply } from "#server/http/api-request.ts";
import { detailReply, HttpError } from "#server/http/reply.ts";
import { answerBox, type BoxAnswer, sizeOfBox } from "#server/metocean/box.ts";
import { MapTooLargeError } from "#server/metocean/map2d.ts";
import { acceptTask } from "./accept-task.ts";
import type { Answer } from "./answer-at-once.ts";
import { type OperationDefinition, type ReadRequest, readOperation } from "./definition.ts";
import { edrDocs, onCollectionAndInstance } from "./edr-docs.ts";
import { type EdrQuestion, edrQuestion, readGeometry, readingQuery, tooLarge } from "./edr-question.ts";
import { edrReply } from "./edr-reply.ts";
import { originOf } from "./formats.ts";
import { yielding } from "./held-body.ts";

/** Memory of an answer while it is computed and written, bytes a value. */
const BYTES_PER_VALUE = 16;

const limit = { max: mapLimits.sync, instead: "one after another" };

/** GET …/cube and …/area: conditions on the grid of a box, or on the nodes of it that are inside a polygon. */
export const grids: readonly OperationDefinition[] = [
  ...onCollectionAndInstance((path, suffix) =>
    readOperation(
      {
        method: "GET",
        path: `${path}/cube`,
        group: "data",
        query: cubeQuery,
        docs: edrDocs({
          operationId: `getEdrCube${suffix}`,
          summary: `Conditions in a box${suffix && ", from one run"}`,
          description:
            "All nodes of the grid inside the box, at an instant or at the native times of a range; numbers of POST /2DMetOcean. " +
            "A box with wind, waves or currents alone that is too large to be answered at once becomes a task (202).",
          query: cubeQuery,
          path,
          formats: formatsOfQuery.cube,
          mayBeTask: true,
        }),
      },
      async (read) => {
        const question = await edrQuestion(read.context, read.request, read.query, formatsOfQuery.cube);
        const box = await readingQuery(() => readBbox(read.query.bbox));
        return answerGrid(read, question, box);
      },
    ),
  ),
  ...onCollectionAndInstance((path, suffix) =>
    readOperation(
      {
        method: "GET",
        path: `${path}/area`,
        group: "data",
        query: areaQuery,
        docs: edrDocs({
          operationId: `getEdrArea${suffix}`,
          summary: `Conditions in an area${suffix && ", from one run"}`,
          description:
            "As cube, for the box around a polygon: nodes outside are null. Edges are straight on the plane of longitude and " +
            "latitude; an area across 180° is a MULTIPOLYGON that is cut there.",
          query: areaQuery,
          path,
          formats: formatsOfQuery.area,
          mayBeTask: false,
        }),
      },
      async (read) => {
        const question = await edrQuestion(read.context, read.request, read.query, formatsOfQuery.area);
        const { lists } = await readingQuery(() =>
          readGeometry(read.query.coords, ["POLYGON", "MULTIPOLYGON"], pointLimits.sync),
        );
        return answerGrid(read, question, boxOfRings(lists), lists);
      },
    ),
  ),
];

/** @param rings Nodes outside them are null. */
async function answerGrid(
  { caller, context, request }: Pick<ReadRequest<unknown>, "caller" | "context" | "request">,
  question: EdrQuestion,
  box: Box,
  rings?: readonly (readonly number[])[],
): Promise<Reply> {
  const { source, variables, times, windHeight, now, outputs, format, mediaType } = question;
  const { from, to } = times;
  const asked = { box, variables, from, to, windHeight };
  const job = { caller, context, now, request, signal: request.signal, taskId: randomUUID() };
  const [name] = variables;
  if (format === "GRIB2" && windHeight !== 10)
    throw new HttpError(
      detailReply(400, "z: GRIB2 has the wind at 10 m only: leave z out, or ask for another format"),
    );
  const isMoving = variables.some((one) => !variable(one).static);
  const isTooLong = isMoving && to - from > mapLimits.rangeDays * DAY_S;
  let values: number;
  try {
    if (isTooLong) throw tooLarge(`datetime: a range of at most ${mapLimits.rangeDays} days`);
    values = (await sizeOfBox(source, asked, now, limit)).values;
  } catch (error) {
    if (!(error instanceof MapTooLargeError)) throw error;
    const fits = error.values <= mapLimits.async && windHeight === 10 && !question.run && !rings;
    if (!(fits && variables.length === 1 && isMap2d(name!))) throw tooLarge(error.message);
    const body = boxRequest(box, name, times);
    const bytes = Buffer.from(JSON.stringify(body));
    return acceptTask("2DMetOcean", { ...job, body, bytes }, error.values);
  }
  return edrReply<undefined, BoxAnswer & Answer>(
    { ...job, body: undefined },
    {
      mediaType,
      bytes: BYTES_PER_VALUE * values,
      kind: "edr grids",
      format: ({ field, meta, synthetic }: BoxAnswer) => {
        // GRIB2 has vectors as components, so that a variable is there as a whole.
        if (format === "GRIB2") {
          if (rings) blankOutside(field, rings);
          return yielding(mapFormats["application/x-grib2"](field, originOf({ meta, synthetic })));
        }
        const chosen = { ...field, outputs: outputs.map((output) => outputOf(field, output)) };
        if (rings) blankOutside(chosen, rings);
        const origin = originOf({ meta, synthetic });
        if (format === "CSV") return yielding(mapFormats["text/csv"](chosen, origin));
        if (format === "NetCDF") return yielding(mapFormats["application/x-netcdf"](chosen, origin));
        return yielding(gridPieces(chosen, outputs, origin));
      },
    },
    async ({ signal }) => ({ ...(await answerBox(source, asked, now, limit, signal)), results: [] }),
  );
}

/** Of a box, an output has its name in 2D answers; here it has that of its parameter. */
function outputOf({ outputs }: MapField, { point, map2d }: Output) {
  const found = outputs.find(({ name }) => name === (map2d ?? point))!;
  return { ...found, name: point };
}

function blankOutside(
  { latitude, longitude, times, outputs }: MapField,
  rings: readonly (readonly number[])[],
): void {
  const inside = nodesInside(rings, latitude, longitude);
  for (const { entries } of outputs)
    for (let step = 0; step < times.length; step++)
      for (let node = 0; node < inside.length; node++)
        if (!inside[node]) entries[step * inside.length + node] = NULL_ENTRY;
}

function isMap2d(name: VariableName): name is Map2dVariable {
  return variable(name).outputs.every(({ map2d }) => map2d !== undefined);
}

function boxRequest(
  { south, north, west, east }: Box,
  name: Map2dVariable,
  { from, to, isInstant }: EdrQuestion["times"],
): MapRequest {
  const timestamp = isInstant ? formatInstant(from) : [formatInstant(from), formatInstant(to)];
  return {
    bounding_boxes: [{ latitude: [south, north], longitude: [west, east], timestamp }],
    variable: name,
    async: true,
    receive_mail: false,
    include_meta: true,
  };
}
