import { randomUUID } from "node:crypto";
import type { Box } from "@open-metocean/geo/box";
import { corridorAround } from "@open-metocean/geo/rhumb";
import type { z } from "zod";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import { areaQuery, corridorQuery, cubeQuery, formatsOfQuery, radiusQuery } from "#lib/contract/edr.ts";
import { type Map2dVariable, type MapRequest, mapLimits } from "#lib/contract/map2d.ts";
import { pointLimits } from "#lib/contract/point.ts";
import { gridPieces } from "#lib/edr/coverage-json.ts";
import { readBbox, readDistance } from "#lib/edr/queries.ts";
import { boxOfRings, type Geometry, nodesInside } from "#lib/edr/wkt.ts";
import type { MapField } from "#lib/field/map-field.ts";
import { mapFormats } from "#lib/table/formats.ts";
import { DAY_S, formatInstant } from "#lib/time.ts";
import type { Reply } from "#server/http/api-request.ts";
import { detailReply, HttpError } from "#server/http/reply.ts";
import { answerBox, type MapAnswer, type MaskOf, nodesWhere, planOfBox } from "#server/metocean/box.ts";
import { MapTooLargeError } from "#server/metocean/box-plan.ts";
import { acceptTask } from "./accept-task.ts";
import { originOf } from "./answer-formats.ts";
import { type OperationDefinition, type ReadRequest, readOperation } from "./definition.ts";
import {
  type EdrQuestion,
  edrDocs,
  edrQuestion,
  edrReply,
  modelsOf,
  onCollectionAndInstance,
  readGeometry,
  readingQuery,
  tooLarge,
} from "./edr.ts";
import { yielding } from "./streamed-body.ts";

/** Memory of an answer while it is computed and written, bytes a value. */
const BYTES_PER_VALUE = 16;

const limit = { max: mapLimits.sync, instead: "one after another" };

/** The area of a query: a box, and which of its nodes are inside. */
interface AskedArea {
  box: Box;
  /** Nodes outside are null; if absent, all nodes are inside. */
  maskOf?: MaskOf;
}

/** Limit of places in a corridor's line, because every node is compared with the whole line. */
const MAX_LINE_PLACES = 1000;

const asCube = "As cube, for the box around";

/** GET …/cube, …/area, …/radius and …/corridor: conditions on the nodes of the grid that are inside a shape. */
export const grids: readonly OperationDefinition[] = [
  ...gridOperations(
    "cube",
    cubeQuery,
    {
      summary: "Conditions in a box",
      description:
        "Returns all nodes of the grid inside the box, at a time or at the native times of a range, with the numbers " +
        "of POST /2DMetOcean. A box with wind, waves or currents alone that is too large for a synchronous answer " +
        "becomes a task (202).",
    },
    ({ bbox }, { isLatitudeFirst }) => ({ box: readBbox(bbox, isLatitudeFirst) }),
  ),
  ...gridOperations(
    "area",
    areaQuery,
    {
      summary: "Conditions in an area",
      description:
        `${asCube} a polygon: nodes outside are null. Edges are straight on the plane of longitude and latitude; an area ` +
        "across 180° is a MULTIPOLYGON that is cut there, or continues beyond 180.",
    },
    async ({ coords }, question) => {
      const { lists } = await readGeometry(coords, ["POLYGON", "MULTIPOLYGON"], pointLimits.sync, question);
      return {
        box: boxOfRings(lists),
        maskOf: ({ latitude, longitude }) => {
          const inside = nodesInside(lists, latitude, longitude);
          return (node) => inside[node] === 1;
        },
      };
    },
  ),
  ...gridOperations(
    "radius",
    radiusQuery,
    { summary: "Conditions in a circle", description: `${asCube} a circle: nodes outside are null.` },
    async ({ coords, within, "within-units": unit }, question) => {
      const km = readDistance("within", within, unit);
      return areaNear(await readGeometry(coords, ["POINT"], 1, question), km);
    },
  ),
  ...gridOperations(
    "corridor",
    corridorQuery,
    {
      summary: "Conditions in a corridor",
      description: `${asCube} all that is within half of the width of a line: nodes outside are null.`,
    },
    async ({ coords, "corridor-width": width, "width-units": unit }, question) => {
      const km = readDistance("corridor-width", width, unit) / 2;
      return areaNear(await readGeometry(coords, ["LINESTRING"], MAX_LINE_PLACES, question), km);
    },
  ),
];

function gridOperations<Query extends z.ZodObject>(
  name: "cube" | "area" | "radius" | "corridor",
  query: Query,
  docs: { summary: string; description: string },
  areaOf: (query: z.output<Query>, question: EdrQuestion) => AskedArea | Promise<AskedArea>,
): OperationDefinition[] {
  const formats = formatsOfQuery[name];
  return onCollectionAndInstance((path, suffix) =>
    readOperation(
      {
        route: `GET ${path}/${name}`,

        group: "data",
        query,
        ...edrDocs({
          operationId: `getEdr${name.charAt(0).toUpperCase()}${name.slice(1)}${suffix}`,
          summary: `${docs.summary}${suffix && ", from one run"}`,
          description: docs.description,
          query,
          path,
          formats,
          mayBeTask: name === "cube",
        }),
      },
      async (read) => {
        const question = await edrQuestion(read.context, read.request, read.query, formats);
        const area = await readingQuery(() => areaOf(read.query, question));
        return answerGrid(read, question, area);
      },
    ),
  );
}

/** Returns the area within a distance of a line, or of a place. */
function areaNear({ lists }: Geometry, km: number): AskedArea {
  const numbers = lists[0]!;
  const places = Array.from({ length: numbers.length / 2 }, (_, at) => ({
    longitude: numbers[2 * at]!,
    latitude: numbers[2 * at + 1]!,
  }));
  const { box, contains } = corridorAround(places, km);
  return { box, maskOf: nodesWhere(contains) };
}

async function answerGrid(
  { caller, context, request }: Pick<ReadRequest<unknown>, "caller" | "context" | "request">,
  question: EdrQuestion,
  { box, maskOf }: AskedArea,
): Promise<Reply> {
  if (question.statistics.length > 0)
    throw new HttpError(
      detailReply(
        400,
        "parameter-name: statistics of an ensemble are parameters of position alone; POST /2DMetOcean has them on a grid",
      ),
    );
  const { source, variables, times, windHeight, now, outputs, format, mediaType } = question;
  const { from, to } = times;
  const asked = { box, variables, from, to, windHeight };
  const job = { caller, context, now, request, signal: request.signal, taskId: randomUUID() };
  const [name] = variables;
  if (format === "GRIB2" && windHeight !== 10)
    throw new HttpError(
      detailReply(400, "z: GRIB2 has the wind at 10 m only: leave z out, or choose another format"),
    );
  const isMoving = variables.some((one) => !variable(one).static);
  const isTooLong = isMoving && to - from > mapLimits.rangeDays * DAY_S;
  let values: number;
  try {
    if (isTooLong) throw tooLarge(`datetime: a range of at most ${mapLimits.rangeDays} days`);
    values = (await planOfBox(source, asked, now, limit)).values;
  } catch (error) {
    if (!(error instanceof MapTooLargeError)) throw error;
    const fits =
      error.values <= mapLimits.async &&
      windHeight === 10 &&
      !question.run &&
      !question.collection.ensemble &&
      !maskOf;
    if (!(fits && variables.length === 1 && isMap2d(name!))) throw tooLarge(error.message);
    const body = { ...boxRequest(box, name, times), ...modelsOf(question) };
    const bytes = Buffer.from(JSON.stringify(body));
    return acceptTask("2DMetOcean", { ...job, body, bytes }, error.values);
  }
  return edrReply<undefined, MapAnswer>(
    { ...job, body: undefined },
    {
      mediaType,
      bytes: BYTES_PER_VALUE * values,
      format: ({ field, meta, synthetic }: MapAnswer) => {
        // GRIB2 stores vectors as components, so the answer includes whole variables.
        if (format === "GRIB2")
          return yielding(mapFormats["application/x-grib2"](field, originOf({ meta, synthetic })));
        const chosen = { ...field, outputs: outputs.map((output) => outputOf(field, output)) };
        const origin = { ...originOf({ meta, synthetic }), isLatitudeFirst: question.isLatitudeFirst };
        if (format === "CSV") return yielding(mapFormats["text/csv"](chosen, origin));
        if (format === "NetCDF") return yielding(mapFormats["application/x-netcdf"](chosen, origin));
        return yielding(gridPieces(chosen, outputs, origin));
      },
    },
    ({ signal }) => answerBox(source, asked, now, signal, { limit, maskOf, include_meta: true }),
  );
}

/**
 * Finds the output of a parameter: outputs of a box have their names in 2D answers, parameters have those of points.
 */
function outputOf({ outputs }: MapField, { point, map2d }: Output) {
  const found = outputs.find(({ name }) => name === (map2d ?? point))!;
  return { ...found, name: point };
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
