import type { StormEntry } from "@open-metocean/storms/schema";
import { timeRule } from "#lib/catalog/datasets.ts";
import { type FileRequest, fileFormats, fileLimits, fileRequest } from "#lib/contract/files.ts";
import { bodyLimits } from "#lib/contract/limits.ts";
import { type MapRequest, mapLimits, mapRequest } from "#lib/contract/map2d.ts";
import { fileName } from "#lib/contract/media-types.ts";
import { createdReply, replyIn } from "#lib/contract/openapi.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { isSynthetic } from "#server/archive/run.ts";
import type { Reply } from "#server/http/api-request.ts";
import {
  HttpError,
  invalid,
  jsonReply,
  noStore,
  syntheticHeader,
  type ValidationIssue,
  withHeaders,
} from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { answerBox, type MapAnswer, planOfBox } from "#server/metocean/box.ts";
import { type BoxPlan, MapTooLargeError, mapQuestion } from "#server/metocean/box-plan.ts";
import { preferredType } from "#server/platform/negotiation.ts";
import { acceptTask, asTask } from "./accept-task.ts";
import { mapAnswerFormats as formats } from "./answer-formats.ts";
import { bodyOperation, type RequestJob } from "./definition.ts";
import { ensembleBoxReply } from "./ensemble-box.ts";
import { answerAtOnce, withProvenance } from "./envelope-reply.ts";
import { formatParameter, withAccept } from "./format-parameter.ts";
import { refuseManyModels, requireModels } from "./models.ts";
import { seriesReply } from "./series.ts";
import { notYetReceived } from "./storms.ts";
import { estimatedBytes, fileQuestion, fileType, taskSizeLimit } from "./task-handlers.ts";

export const map2d = bodyOperation(
  {
    route: "POST /2DMetOcean",

    reader: bodyReader(mapRequest, timeIssues),
    schemaName: "MapRequest",
    limitBytes: bodyLimits.sync,
    limits: {
      map: { values: { sync: mapLimits.sync, async: mapLimits.async }, range_days: mapLimits.rangeDays },
    },
    group: "data",
    takesFormat: true,
    checkFormat(request, { models }) {
      const type = preferredType(request.header("accept"), ["application/json", ...Object.keys(formats)]);
      refuseManyModels(type, models, ["body", "models"]);
    },
    operationId: "post2DMetOcean",
    summary: "Conditions on a grid",
    description:
      "Returns all grid nodes inside one box, at one time (interpolated to exactly that time) or over a range (the " +
      "native steps inside it). A minimum longitude greater than the maximum crosses the antimeridian. With async " +
      "true the request becomes a task. ensemble asks for statistics of the members of an ensemble, or for the members.",
    parameters: [formatParameter],
    replies: {
      "200": replyIn(
        Object.keys(formats),
        "The answer, or why the request could not be processed",
        "MapResponse",
        "Failure",
      ),
      ...createdReply,
    },
  },
  async (job) => {
    const { body, context, now } = job;
    if (body.ensemble) return ensembleBoxReply(job, body.ensemble).catch(rejectTooLarge);
    await requireModels(context.archive, body.models, ["body", "models"]);
    const question = mapQuestion(body);
    const limit = body.async ? taskSizeLimit : syncSizeLimit;
    const { values } = await planOfBox(context.archive, question, now, limit).catch(rejectTooLarge);
    if (body.async) return acceptTask("2DMetOcean", job, values);
    const { include_meta } = withProvenance(job, formats);
    const options = { limit, isJson: true, include_meta };
    return answerAtOnce(
      "2DMetOcean",
      job,
      { formats, bytes: BYTES_PER_VALUE * values, asTask, hidesMeta: !body.include_meta },
      ({ signal }) => answerBox(context.archive, question, now, signal, options).catch(rejectTooLarge),
      (answer) => answer?.field.outputs.reduce((sum, { entries }) => sum + entries.length, 0) ?? null,
    );
  },
);

/** Memory of an answer: its values, and columns of some steps, bytes. */
const BYTES_PER_VALUE = 4;

/** The largest map that is answered at once. */
const syncSizeLimit = {
  max: mapLimits.sync,
  instead: `one after another, or up to ${mapLimits.async} values with "async": true`,
};

/** Rules that need the clock. @param now Weather clock, Unix seconds. */
function timeIssues({ bounding_boxes }: MapRequest, now: number): ValidationIssue[] {
  const rule = timeRule(now);
  const { timestamp } = bounding_boxes[0]!;
  const isRange = typeof timestamp !== "string";
  return [timestamp].flat().flatMap((text, at) => {
    const msg = rule(parseInstant(text));
    const loc = ["body", "bounding_boxes", 0, "timestamp", ...(isRange ? [at] : [])];
    return msg ? [{ type: "value_error", loc, msg }] : [];
  });
}

/** A box that is too large is an invalid request, like any other: 422. */
function rejectTooLarge(error: unknown): never {
  if (!(error instanceof MapTooLargeError)) throw error;
  const { message, values, max } = error;
  throw invalid({
    type: "value_error",
    loc: ["body", "bounding_boxes", 0],
    msg: message,
    ctx: { values, most: max },
  });
}

const types = [...new Set(Object.values(fileFormats).flatMap((packings) => Object.values(packings)))].filter(
  (type) => type !== "application/json",
);

export const files = bodyOperation(
  {
    route: "POST /files",

    reader: bodyReader(fileRequest, fileTimeIssues),
    schemaName: "FileRequest",
    limitBytes: bodyLimits.sync,
    limits: {
      files: {
        ...fileLimits,
        values: { sync: mapLimits.sync, async: mapLimits.async },
        range_days: mapLimits.rangeDays,
      },
    },
    group: "data",
    operationId: "postFiles",
    summary: "Download a file for navigation programs and others",
    description:
      "Returns any variables on one grid and one set of times, in a box, around the forecast track of a storm, " +
      "along a route or at points. Formats are GRIB2 for navigation programs, NetCDF (CF) and CSV, at points also " +
      "XLSX and JSON. Values at nodes are those of POST /MetOcean; GRIB2 has vectors as components, in the units of " +
      "WMO. estimate returns the size beforehand. With async true the request becomes a task. Not for navigation.",
    replies: {
      "200": replyIn(
        types,
        "The file, its estimate, or why the request could not be processed",
        "FileEstimate",
        "PointResponse",
        "Failure",
      ),
      ...createdReply,
    },
  },
  async (job) => {
    const { body, context, now } = job;
    await requireModels(context.archive, body.models, ["body", "models"]);
    if (body.area.type === "points") {
      const reply = await seriesReply(job, body.area.points);
      const isFile = reply.headers["content-type"] === fileType(body) && !reply.transient && !body.estimate;
      return isFile ? asFile(reply, body) : reply;
    }
    const asked = fileQuestion(body, await stormOf(job));
    const limit = body.estimate ? unlimited : body.async ? taskSizeLimit : fileSizeLimit;
    const plan = await planOfBox(context.archive, asked.question, now, limit).catch(rejectLargeFile);
    if (body.estimate) {
      const isDemo = isSynthetic(await context.archive.manifest());
      return withHeaders(estimateReply(body, plan), isDemo ? syntheticHeader : {});
    }
    const { values } = plan;
    if (body.async) return acceptTask("files", job, values);
    const type = fileType(body);
    const options = { limit, maskOf: asked.maskOf, include_meta: true };
    const reply = await answerAtOnce<FileRequest, MapAnswer>(
      "files",
      { ...job, request: withAccept(job.request, type) },
      { formats, bytes: FILE_BYTES_PER_VALUE * values, asTask },
      ({ signal }) => answerBox(context.archive, asked.question, now, signal, options),
      () => values,
    );
    return reply.headers["content-type"] === type ? asFile(reply, body) : reply;
  },
);

/** Memory of an answer: its values, and columns of one step, bytes. */
const FILE_BYTES_PER_VALUE = 6;

const unlimited = { max: Number.POSITIVE_INFINITY, instead: "" };

const fileSizeLimit = {
  max: mapLimits.sync,
  instead: `with a stride or one after another, or up to ${mapLimits.async} values with "async": true`,
};

/**
 * Turns the reply into a file with a name. An Idempotency-Key stores the file itself rather than JSON, because only
 * JSON is stored with its provenance.
 */
function asFile(reply: Reply, body: FileRequest): Reply {
  const { asJson: _json, provenance: _provenance, ...file } = reply;
  return withHeaders(file, { "content-disposition": `attachment; filename="${fileName(body)}"` });
}

function estimateReply(body: FileRequest, plan: BoxPlan): Reply {
  const { latitude, longitude, times, values, grid, stride, answers } = plan;
  const [rows, columns, steps] = [latitude.length, longitude.length, times.length];
  const estimate = {
    format: body.format,
    bytes: Math.round(estimatedBytes(body, plan)),
    values,
    steps,
    rows,
    columns,
    fields: values / (answers.length * rows * columns * steps),
    ...(body.models && { models: answers.length }),
    at_once: values <= mapLimits.sync,
    as_task: values <= mapLimits.async,
    latitude: [latitude[0], latitude.at(-1)],
    longitude: [longitude[0], longitude.at(-1)],
    resolution: [grid.latitude.step * stride, grid.longitude.step * stride],
    from: formatInstant(times[0]!),
    to: formatInstant(times.at(-1)!),
  };
  return jsonReply(200, { estimate }, noStore);
}

/** Returns the storm that an area is around. */
async function stormOf({
  body: { area },
  context,
}: RequestJob<FileRequest>): Promise<StormEntry | undefined> {
  if (area.type !== "storm") return undefined;
  const published = await context.storms.published(area.provider);
  if (!published) throw new HttpError(notYetReceived(area.provider));
  const found = published.entries.find(({ id }) => id === area.id);
  if (found) return found;
  const msg = `No storm of ${area.provider} has this id at the moment: see GET /storms`;
  throw invalid({ type: "value_error", loc: ["body", "area", "id"], msg });
}

function fileTimeIssues({ from, to }: FileRequest, now: number) {
  const rule = timeRule(now);
  return Object.entries({ from, to }).flatMap(([name, text]) => {
    const msg = rule(parseInstant(text));
    return msg ? [{ type: "value_error", loc: ["body", name], msg }] : [];
  });
}

/** A file that is too large is an invalid request, like any other: 422. */
function rejectLargeFile(error: unknown): never {
  if (!(error instanceof MapTooLargeError)) throw error;
  const { message, values, max } = error;
  throw invalid({ type: "value_error", loc: ["body", "area"], msg: message, ctx: { values, most: max } });
}
