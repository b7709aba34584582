import type { z } from "zod";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import type { Json } from "#lib/contract/described-api.ts";
import { type EdrFormat, edrFormats } from "#lib/contract/edr.ts";
import { hourFrom } from "#lib/contract/examples.ts";
import {
  createdReply,
  idParameter,
  type OperationDocs,
  otherFormats,
  queryParameters,
  rateLimited,
  reply,
} from "#lib/contract/openapi.ts";
import type { ReplyName } from "#lib/contract/wire-schemas.ts";
import {
  collectionOfEnsemble,
  collectionOfModel,
  type EdrCollection,
  edrCollections,
  isStatic,
  MODEL_SEPARATOR,
  timesOfCollection,
} from "#lib/edr/metadata.ts";
import {
  EdrQueryError,
  isLatitudeFirst,
  readDatetime,
  readHeight,
  readRealization,
  type SelectedParameters,
  selectParameters,
} from "#lib/edr/queries.ts";
import { type Geometry, type GeometryType, readWkt, TooManyPlacesError } from "#lib/edr/wkt.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import { ensemblesIn, manifestOfEnsemble, manifestOfMember, membersWith } from "#server/archive/ensembles.ts";
import { manifestOfModel, modelsIn } from "#server/archive/one-model.ts";
import { isEnsemble, type Manifest, type Run } from "#server/archive/run.ts";
import type { Context } from "#server/context.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { detailReply, HttpError, jsonReply } from "#server/http/reply.ts";
import type { MapSource } from "#server/metocean/box-read.ts";
import {
  runsWith,
  sourceOfEnsemble,
  sourceOfMember,
  sourceOfModel,
  sourceOfRun,
  spanOfRuns,
  variablesOf,
} from "#server/metocean/one-run.ts";
import { preferredType } from "#server/platform/negotiation.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import type { OperationDefinition, RequestJob } from "./definition.ts";
import { type Answer, envelopeReply } from "./envelope-reply.ts";

export const collectionPath = "/edr/collections/{collection_id}";
export const instancePath = `${collectionPath}/instances/{instance_id}`;

/** An operation on a collection, and the same on one of its instances. */
export function onCollectionAndInstance(
  define: (path: string, suffix: "" | "OfRun") => OperationDefinition,
): OperationDefinition[] {
  return [define(collectionPath, ""), define(instancePath, "OfRun")];
}

function pathParameters(path: string): Json[] {
  const collection = {
    name: "collection_id",
    in: "path",
    required: true,
    description: `Id of a collection; with ${MODEL_SEPARATOR} and the name of a model, that model answers alone`,
    schema: { type: "string" },
    example: "forecast",
  };
  return [
    ...(path.includes("{collection_id}") ? [collection] : []),
    ...(path.includes("{instance_id}")
      ? [idParameter("instance_id", { operationId: "getEdrInstances", pointer: "/instances/0/id" })]
      : []),
  ];
}

/** Errors of every operation below /edr. */
const edrErrorReplies = {
  "400": reply("The query breaks a rule", "EdrError"),
  "404": reply("No such collection, instance or item", "EdrError"),
};

/** Replies of an operation whose answer has one form. @param type Media type. */
export const edrAnswerIn = (type: string) => ({
  "200": {
    description: "The answer",
    headers: rateLimited,
    content: { [type]: { schema: { type: "object" } } },
  },
  ...edrErrorReplies,
});

interface EdrStatement extends Pick<OperationDocs, "operationId" | "summary" | "description"> {
  path: string;
  query?: z.ZodObject;
  formats: readonly EdrFormat[];
  mayBeTask: boolean;
}

/** Describes a data query in the OpenAPI document. */
export function edrDocs({ path, query, formats, mayBeTask, ...stated }: EdrStatement): OperationDocs {
  return {
    ...stated,
    errors: "EdrError",
    parameters: [...pathParameters(path), ...(query ? queryParameters(query) : [])],
    ...(query && { example: (now) => ({ parameters: { datetime: hourFrom(now, 6) } }) }),
    replies: {
      "200": {
        description: `The answer as ${formats.join(", ")}`,
        headers: rateLimited,
        content: otherFormats(formats.map((name) => edrFormats[name])),
      },
      ...(mayBeTask && createdReply),
      ...edrErrorReplies,
      "413": reply("The request is too large", "EdrError"),
    },
  };
}

/** Describes an operation that returns a JSON description in the OpenAPI document. */
export function edrJsonDocs(
  stated: Pick<OperationDocs, "operationId" | "summary" | "description">,
  path: string,
  query: z.ZodObject,
  schema: ReplyName,
): OperationDocs {
  return {
    ...stated,
    errors: "EdrError",
    parameters: [...pathParameters(path), ...queryParameters(query)],
    replies: { "200": reply(stated.summary, schema), ...edrErrorReplies },
  };
}

/** The parameters that all queries have. */
interface SharedQuery {
  datetime?: string;
  "parameter-name"?: string;
  z?: string;
  realization?: string;
  crs?: string;
  f?: string;
}

/** A query with its collection and the part of the archive that answers it. */
export interface EdrQuestion extends SelectedParameters {
  collection: EdrCollection;
  /** Present if the query names an instance. */
  run?: Run;
  /** Whether the query names a member of an ensemble. */
  isOfMember: boolean;
  source: MapSource;
  /** Weather clock, Unix seconds. */
  now: number;
  /** Times to answer, Unix seconds. */
  times: { from: number; to: number; isInstant: boolean };
  windHeight: number;
  /** Whether coordinates give latitude first, as EPSG:4326 does. */
  isLatitudeFirst: boolean;
  format: EdrFormat;
  mediaType: string;
}

/** Turns errors of reading a query into replies. */
export async function readingQuery<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof EdrQueryError) throw new HttpError(detailReply(400, error.message));
    if (error instanceof TooManyPlacesError) throw tooLarge(error.message);
    throw error;
  }
}

/** 413: beyond the limits, in words that say what to ask for instead. */
export function tooLarge(description: string): HttpError {
  return new HttpError(detailReply(413, description));
}

/** A collection, and the part of the archive's manifest that answers it. */
export interface FoundCollection {
  collection: EdrCollection;
  manifest: Manifest;
}

/** Throws `HttpError` of 404. @param whole The archive's manifest. */
export function collectionOf({ params }: Pick<ApiRequest, "params">, whole: Manifest): FoundCollection {
  const [name, ...rest] = params.collection_id!.split(MODEL_SEPARATOR);
  const collection = edrCollections.find(({ id }) => id === name);
  if (!collection) throw new HttpError(detailReply(404, "There is no such collection with this query"));
  if (rest.length === 0) return { collection, manifest: whole };
  const models = [...collectionsOfModels(collection, whole), ...collectionsOfEnsembles(collection, whole)];
  const found = models.find((one) => one.collection.id === params.collection_id);
  if (found) return found;
  const ids = models.map((one) => one.collection.id).join(", ");
  throw new HttpError(
    detailReply(404, `The archive has no such model in ${name}${ids && `: it has ${ids}`}`),
  );
}

/** The collections in which one model answers alone. A collection that does not change with time has none. */
export function collectionsOfModels(collection: EdrCollection, whole: Manifest): FoundCollection[] {
  if (isStatic(collection)) return [];
  return modelsIn(whole).flatMap((model) => {
    const manifest = manifestOfModel(whole, model);
    const runs = runsWith(manifest, collection.datasets, collection.variables);
    const [newest] = runs;
    if (!newest) return [];
    const variables = collection.variables.filter((name) =>
      runs.some((run) => variablesOf(run, [name]).length > 0),
    );
    return [{ collection: collectionOfModel(collection, model, newest.model, variables), manifest }];
  });
}

/** The collections of ensembles. Their manifests have the runs of the ensemble, as instances. */
export function collectionsOfEnsembles(collection: EdrCollection, whole: Manifest): FoundCollection[] {
  if (collection.datasets[0] !== "Forecast") return [];
  return ensemblesIn(whole).flatMap((name) => {
    const manifest = manifestOfEnsemble(whole, name);
    const [newest] = runsWith(manifest, collection.datasets, collection.variables);
    if (!newest) return [];
    const variables = collection.variables.filter((one) =>
      manifest.runs.some((run) => variablesOf(run, [one]).length > 0),
    );
    const members = variables.map((one) => membersWith(whole, name, one));
    const ensemble = {
      name,
      members: [...new Set(members.flat())].sort((one, other) => one - other),
      variables: variables.filter((_, at) => members[at]!.length > 0),
      stored: new Set(manifest.runs.flatMap(({ fields }) => Object.keys(fields))),
    };
    return [{ collection: collectionOfEnsemble(collection, ensemble, newest.model, variables), manifest }];
  });
}

/** The run that an instance is. Throws `HttpError` of 404. */
export function runOf(manifest: Manifest, { datasets, variables }: EdrCollection, id: string): Run {
  const run = runsWith(manifest, datasets, variables).find((one) => one.id === id);
  if (!run) throw new HttpError(detailReply(404, "There is no such instance, or its run was removed"));
  return run;
}

/** A collection of an ensemble as one run of it has it; other collections are the same for all runs. */
export function collectionOfRun(collection: EdrCollection, run: Run): EdrCollection {
  const { ensemble } = collection;
  if (!ensemble || !isEnsemble(run)) return collection;
  const fields = Object.fromEntries(Object.entries(run.fields).filter(([, { members }]) => members));
  const variables = variablesOf({ ...run, fields }, ensemble.variables);
  const members = variables.length > 0 ? run.ensemble.members : [];
  return { ...collection, ensemble: { ...ensemble, variables, members } };
}

/** Reads a query except for its place. @param formats Formats of the query, the default first. */
export async function edrQuestion(
  { archive, weather }: Pick<Context, "archive" | "weather">,
  request: ApiRequest,
  query: SharedQuery,
  formats: readonly [EdrFormat, ...EdrFormat[]],
): Promise<EdrQuestion> {
  const now = weather.now();
  const whole = await archive.manifest();
  const { collection: found, manifest } = collectionOf(request, whole);
  const { instance_id } = request.params;
  const run = instance_id === undefined ? undefined : runOf(manifest, found, instance_id);
  const collection = run ? collectionOfRun(found, run) : found;
  const variables = run ? variablesOf(run, collection.variables) : collection.variables;
  return readingQuery(() => {
    const hasWind = variables.some((name) => variable(name).atHeights);
    const format = formatOf(query.f, request.header("accept"), formats);
    const member = readRealization(query.realization, collection.ensemble);
    const selected = selectParameters(query["parameter-name"], variables, collection.ensemble);
    const asked = selected.statistics.length > 0 ? undefined : member;
    return {
      ...selected,
      collection,
      run,
      isOfMember: query.realization !== undefined,
      source: sourceOfQuestion(archive, whole, collection, run, asked),
      now,
      times: timesOf(query.datetime, collection, extentOf(manifest, collection, variables, run), now),
      windHeight: readHeight(query.z, hasWind),
      isLatitudeFirst: isLatitudeFirst(query.crs),
      format,
      mediaType: edrFormats[format],
    };
  });
}

/**
 * The part of the archive that answers a question.
 *
 * @param member CF realization, in a collection of an ensemble; undefined for statistics over all members.
 */
function sourceOfQuestion(
  archive: MapSource,
  whole: Manifest,
  { model, ensemble }: EdrCollection,
  run: Run | undefined,
  member: number | undefined,
): MapSource {
  if (ensemble && member === undefined) return sourceOfEnsemble(archive, ensemble.name);
  if (ensemble && member !== undefined) {
    if (!run) return sourceOfMember(archive, ensemble.name, member);
    const own = manifestOfMember(whole, ensemble.name, member).runs.find(({ id }) => id === run.id);
    if (!own) throw new EdrQueryError(`realization: this run does not have member ${member}`);
    return sourceOfRun(archive, own);
  }
  if (run) return sourceOfRun(archive, run);
  return model ? sourceOfModel(archive, model) : archive;
}

/** Names the model of a query in the request that its task has. */
export const modelsOf = ({ collection: { model } }: EdrQuestion): { models?: string[] } =>
  model === undefined ? {} : { models: [model] };

/** Times at which the runs of a collection, or one run, answer; undefined for none. */
export function extentOf(
  manifest: Manifest,
  { datasets }: EdrCollection,
  variables: readonly VariableName[],
  run?: Run,
): { first: number; last: number } | undefined {
  return spanOfRuns(run ? [run] : runsWith(manifest, datasets, variables));
}

/** The nearest full hour. @param now Unix seconds. */
const hourOf = (now: number) => HOUR_S * Math.round(now / HOUR_S);

function timesOf(
  datetime: string | undefined,
  collection: EdrCollection,
  extent: { first: number; last: number } | undefined,
  now: number,
): EdrQuestion["times"] {
  const asked = readDatetime(datetime);
  if (datetime === undefined && isStatic(collection)) return instantAt(hourOf(now));
  const { first, last } = timesOfCollection(collection, now);
  if (asked.isInstant ? asked.from < first || asked.to > last : asked.from > last || asked.to < first)
    throw new EdrQueryError(
      `datetime: this collection has times from ${formatInstant(first)} to ${formatInstant(last)}`,
    );
  if (asked.isInstant) return instantAt(asked.from);
  if (isStatic(collection))
    return instantAt(Number.isFinite(asked.from) ? Math.max(first, asked.from) : hourOf(now));
  // An open end of the range becomes that of the data.
  const from = Number.isFinite(asked.from) ? asked.from : Math.min(extent?.first ?? first, asked.to);
  const to = Number.isFinite(asked.to) ? asked.to : Math.max(extent?.last ?? last, asked.from);
  return { from: Math.max(first, from), to: Math.max(first, Math.min(last, to)), isInstant: false };
}

const instantAt = (at: number) => ({ from: at, to: at, isInstant: true });

/** Returns the instant of a line without times of its own: that of the query, by default the nearest full hour. */
export function oneInstant({ times, now, collection }: EdrQuestion): number {
  if (times.isInstant) return times.from;
  const { first, last } = timesOfCollection(collection, now);
  return Math.max(first, Math.min(last, hourOf(now)));
}

function formatOf(
  f: string | undefined,
  accept: string | undefined,
  formats: readonly [EdrFormat, ...EdrFormat[]],
): EdrFormat {
  const types = formats.map((name): string => edrFormats[name]) as [string, ...string[]];
  if (f === undefined) return formats[types.indexOf(preferredType(accept, types))]!;
  const name = f.toLowerCase().replace(/^(?:application\/)?json$/, "coveragejson");
  const found = formats.find((format) => format.toLowerCase() === name || edrFormats[format] === name);
  if (!found) throw new EdrQueryError(`f: should be one of ${formats.join(", ")}`);
  return found;
}

/** Reads coordinates, with pauses. Throws `EdrQueryError` and `TooManyPlacesError`. */
export async function readGeometry(
  text: string,
  types: readonly GeometryType[],
  maxPlaces: number,
  { isLatitudeFirst }: EdrQuestion,
): Promise<Geometry> {
  const reading = readWkt(text, types, maxPlaces, isLatitudeFirst);
  let step = reading.next();
  for (; !step.done; step = reading.next()) await nextTurn();
  return step.value;
}

/**
 * Runs a computation when there is room for it, and writes its answer in the format of the query. A failure is an HTTP
 * error, because EDR has no envelope.
 */
export async function edrReply<Body, Result extends Answer>(
  job: Omit<RequestJob<Body>, "bytes">,
  {
    mediaType,
    bytes,
    format,
  }: { mediaType: string; bytes: number; format: (answer: Result) => Reply["body"] },
  compute: (job: Pick<RequestJob<Body>, "signal">) => Promise<Result>,
): Promise<Reply> {
  const rules = { mediaType, bytes, hidesMeta: true, formats: { [mediaType]: format } };
  const reply = await envelopeReply({ ...job, bytes: new Uint8Array() }, rules, compute);
  if (reply.transient) {
    const { error } = JSON.parse(String(reply.body)) as { error: string };
    throw new HttpError(jsonReply(500, { detail: error }));
  }
  // The reply is not stored, because a stored answer could only be repeated as JSON.
  return { ...reply, transient: true };
}

const isBelowEdr = (path: string) => /^\/edr(?:\/|$)/i.test(path);

/** Error codes by the status that they express. */
const codes: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  429: "TooManyRequests",
  503: "ServiceUnavailable",
};

/** Returns errors below /edr in the form of its standard, `{code, description}`; an invalid request is 400 there. */
export function edrErrors(path: string, reply: Reply): Reply {
  if (reply.status < 400 || !isBelowEdr(path)) return reply;
  const status = reply.status === 422 ? 400 : reply.status;
  const code = codes[status] ?? "ServerError";
  const body = JSON.stringify({ code, description: descriptionOf(reply) });
  return { ...reply, status, headers: { ...reply.headers, "content-type": "application/json" }, body };
}

function descriptionOf({ body }: Pick<Reply, "body">): string {
  const { detail, error } = JSON.parse(String(body)) as {
    detail?: string | { loc: (string | number)[]; msg: string }[];
    error?: string;
  };
  if (typeof detail === "string") return detail;
  if (detail)
    return detail.map(({ loc, msg }) => [loc.slice(1).join("."), msg].filter(Boolean).join(": ")).join("; ");
  return error ?? "";
}

/** Matches a host and its port, so that no other characters get into an address. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * A shared cache may store a reply that names the configured address, but not one that names the host of a single
 * request.
 */
export function cachedLinks({ linkBase }: Pick<Context, "linkBase">): Record<string, string> {
  return { "cache-control": `${linkBase === undefined ? "private" : "public"}, max-age=300` };
}

/**
 * Returns the address of the service in links, without a trailing slash: `PUBLIC_URL` if set, otherwise the host that
 * the request names.
 */
export function baseOf(request: Pick<ApiRequest, "header">, { linkBase }: Pick<Context, "linkBase">): string {
  const host = request.header("host");
  return linkBase ?? (host !== undefined && HOST.test(host) ? `http://${host}` : "http://localhost");
}
