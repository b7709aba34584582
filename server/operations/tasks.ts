import { json } from "node:stream/consumers";
import { z } from "zod";
import type { MapRequest } from "#lib/contract/map2d.ts";
import { oneModelMediaTypes } from "#lib/contract/media-types.ts";
import {
  anyJson,
  header,
  idParameter,
  jsonContent,
  notModified,
  otherFormats,
  rateLimited,
  reply,
} from "#lib/contract/openapi.ts";
import { listQuery, taskKinds, taskStates } from "#lib/contract/task.ts";
import type { Reply } from "#server/http/api-request.ts";
import {
  conditionalReply,
  detailReply,
  failureValue,
  HttpError,
  invalid,
  jsonReply,
  limitReply,
  noStore,
  syntheticHeader,
} from "#server/http/reply.ts";
import { preferredEncoding, preferredType } from "#server/platform/negotiation.ts";
import { typesOfResult } from "#server/tasks/converted-files.ts";
import { streamLimits } from "#server/tasks/events.ts";
import { gunzipped, readVerified } from "#server/tasks/gzip-blobs.ts";
import type { TaskWithResult } from "#server/tasks/reader.ts";
import { finishedForm, listedForm, pendingForm, type Task } from "#server/tasks/task.ts";
import { type ReadRequest, readOperation } from "./definition.ts";
import { formatParameter, withFormat } from "./format-parameter.ts";
import { refuseManyModels } from "./models.ts";

const parameters = [
  idParameter(
    "task_id",
    { operationId: "getUserTasks", pointer: "/results/0/task_id" },
    { operationId: "postMetOceanAsync", pointer: "/task_id" },
  ),
];

const expiredReply = { "410": reply("The result has expired", "DetailError") };

const notFoundReply = { "404": reply("No task of the caller's has this id", "DetailError") };

export const task = readOperation(
  {
    // Another format of a result is made with the first request for it.
    takesOwnTime: true,
    route: "GET /task/{task_id}",
    operationId: "getTask",
    summary: "Progress or result of a task",
    description:
      "Returns PENDING with the progress and the position in the queue, or the envelope of the answer with the " +
      "times of the task next to result. A final state never changes. A result is available in the formats of its " +
      "operation: GeoJSON for points only, frames for boxes only.",
    parameters: [...parameters, formatParameter],
    replies: {
      "200": {
        description: "The task",
        headers: rateLimited,
        content: {
          ...jsonContent(
            "PendingTask",
            "FinishedPoints",
            "FinishedMap",
            "FinishedFile",
            "FinishedPassage",
            "FinishedWorkability",
            "FailedTask",
          ),
          ...otherFormats(new Set(taskKinds.flatMap((kind) => typesOfResult(kind).slice(1)))),
        },
      },
      ...notModified,
      ...notFoundReply,
      ...expiredReply,
    },
  },
  async (read) => {
    const { context, request } = read;
    const found = await ownTask(read);
    if (found.task.status === "PENDING") {
      const form = pendingForm(found.task, await context.tasks.reader.position(found.task));
      return jsonReply(200, form, { ...noStore, "retry-after": "1" });
    }
    if (found.task.status === "FAILURE") return jsonReply(200, failureOf(found.task), noStore);
    const { resultHash, resultFile } = found.task;
    if (resultFile === null || found.expired) return expired();
    const type = preferredType(withFormat(request).header("accept"), typesOfResult(found.task.kind));
    const isStored = type === "application/json";
    const etag = isStored ? `"${resultHash}"` : `"${resultHash}-${type}"`;
    const make = () =>
      isStored ? resultReply(found, read, resultFile) : convertedReply(type, found, read, resultFile);
    return conditionalReply(request, etag, "private, no-cache", make, "X-API-Key, Accept");
  },
);

export const deleteTask = readOperation(
  {
    route: "DELETE /task/{task_id}",
    operationId: "deleteTask",
    summary: "Cancel a pending task, or delete an ended one with its result",
    parameters,
    replies: {
      "200": reply("The task was pending and is cancelled", "FailedTask"),
      "204": { description: "The task is deleted" },
      ...notFoundReply,
    },
  },
  async (read) => {
    const { task } = await ownTask(read);
    const { context, caller } = read;
    if (task.status === "PENDING") {
      const ended = await context.tasks.cancel(caller.owner, task.id);
      // A task that has succeeded meanwhile is removed instead.
      if (ended?.task.status === "FAILURE") return jsonReply(200, failureOf(ended.task), noStore);
    }
    if (!(await context.tasks.remove(caller.owner, task.id))) throw notFound();
    return { status: 204, headers: noStore, body: null };
  },
);

export const cancelTask = readOperation(
  {
    route: "POST /cancel_task/{task_id}",
    operationId: "postCancelTask",
    summary: "Cancel a task",
    description:
      'The task becomes FAILURE with the error "Task cancelled by user". Repeating the request gives the same reply.',
    parameters,
    replies: {
      "200": reply("The cancelled task", "FailedTask"),
      ...notFoundReply,
      "409": reply("The task has succeeded", "DetailError"),
    },
  },
  cancel,
);

export const taskEvents = readOperation(
  {
    route: "GET /task/{task_id}/events",
    operationId: "getTaskEvents",
    summary: "Progress of a task as events",
    description:
      "Server-sent events: progress whenever something changes, end at the end; the data is an entry of TaskList. " +
      "Read the stream by fetch, because EventSource cannot send the key.",
    parameters,
    replies: {
      "200": {
        description: "The event stream",
        headers: rateLimited,
        content: { "text/event-stream": { schema: { type: "string" } } },
      },
      ...notFoundReply,
    },
    limits: { event_streams: { of_key: streamLimits.ofKey, all: streamLimits.all } },
  },
  async (read) => {
    const { context, caller, request } = read;
    const { task } = await ownTask(read);
    const body = context.taskEvents.follow(caller.id, task, request.signal);
    if (body === "key is full")
      throw new HttpError(limitReply(`${streamLimits.ofKey} event streams`, STREAMS_RETRY_S));
    return {
      status: 200,
      // Compression would delay events.
      headers: { "content-type": "text/event-stream", "cache-control": "no-store, no-transform" },
      body,
    };
  },
);

export const taskRequest = readOperation(
  {
    route: "GET /task/{task_id}/request",
    operationId: "getTaskRequest",
    summary: "Request of a task",
    description:
      "The body of the request that made the task, as it was sent except for a byte order mark. It is available " +
      "until the result expires.",
    parameters,
    replies: {
      "200": { description: "The body of the request", headers: rateLimited, content: anyJson },
      ...notFoundReply,
      ...expiredReply,
    },
  },
  async (read) => {
    const { task, expired: isOver } = await ownTask(read);
    if (task.requestFile === null || isOver) return expired();
    return {
      status: 200,
      headers: { "content-type": "application/json", ...noStore },
      body: gunzipped(read.context.tasks.blobs.read(task.requestFile)),
    };
  },
);

/** Retry-After when a key has as many streams as it may, seconds: one of them may end at any time. */
const STREAMS_RETRY_S = 10;

type TaskRead = ReadRequest<unknown>;

/** The same reply for an unknown task, one of another owner and a malformed id. */
const notFound = () => new HttpError(detailReply(404, "Task not found"));

const expired = () => detailReply(410, "Task result expired");

async function ownTask({ context, caller, request }: TaskRead): Promise<TaskWithResult> {
  const found = await context.tasks.reader.find(caller.owner, request.params.task_id ?? "");
  if (!found) throw notFound();
  return found;
}

async function cancel({ context, caller, request }: TaskRead): Promise<Reply> {
  const ended = await context.tasks.cancel(caller.owner, request.params.task_id ?? "");
  if (!ended) throw notFound();
  const { task } = ended;
  if (task.status === "SUCCESS") return detailReply(409, "The task has succeeded and cannot be cancelled");
  return jsonReply(200, failureOf(task), noStore);
}

function failureOf(task: Task): object {
  return failureValue(task.id, task.error ?? "", finishedForm(task));
}

/**
 * Replies with the bytes of the file if the client accepts gzip; otherwise they are decompressed while they are sent.
 */
function resultReply({ task, result }: TaskWithResult, { context, request }: TaskRead, file: string): Reply {
  const headers = {
    "content-type": "application/json",
    ...(task.synthetic && syntheticHeader),
  };
  const bytes = () => readVerified(context.tasks.blobs, file, task.resultHash!);
  const gzip = preferredEncoding(request.header("accept-encoding"), "gzip") === "gzip";
  if (!gzip) return { status: 200, headers, body: result?.plain ?? gunzipped(bytes()) };
  const packed = {
    ...headers,
    "content-encoding": "gzip",
    "content-length": String(task.resultBytes),
    vary: "X-API-Key, Accept, Accept-Encoding",
  };
  return { status: 200, headers: packed, body: result?.packed ?? bytes() };
}

/** Replies with the same numbers in another format. */
async function convertedReply(
  type: string,
  { task, result }: TaskWithResult,
  { context, caller, request }: TaskRead,
  file: string,
): Promise<Reply> {
  const { kind, size, synthetic, requestFile } = task;
  if (kind === "2DMetOcean" && oneModelMediaTypes.includes(type) && requestFile !== null) {
    const { models } = (await json(gunzipped(context.tasks.blobs.read(requestFile)))) as MapRequest;
    refuseManyModels(type, models, ["query", "f"]);
  }
  const source = { file, hash: task.resultHash ?? undefined, kind, size, synthetic: synthetic === true };
  const { headers, body } = await context.conversions.reply(
    caller.owner,
    source,
    type,
    request,
    result?.plain,
  );
  return { status: 200, headers: { ...headers, ...(synthetic && syntheticHeader) }, body };
}

const listReplies = {
  "200": reply("The caller's tasks, newest first", "TaskList", {
    ...rateLimited,
    Link: header('</user/tasks?…>; rel="next"', "The next page, if there is one"),
  }),
  "422": reply("The query or the state breaks a rule", "ValidationError"),
};

const listParameters = [
  { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 100 } },
  {
    name: "cursor",
    in: "query",
    schema: { type: "string" },
    description: "Cursor from the Link header of the previous page",
  },
];

export const userTasks = readOperation(
  {
    route: "GET /user/tasks",
    query: listQuery,
    operationId: "getUserTasks",
    summary: "The caller's tasks",
    parameters: listParameters,
    replies: listReplies,
  },
  (read) => page(read),
);

export const userTasksInState = readOperation(
  {
    route: "GET /user/tasks/{state}",
    query: listQuery,
    operationId: "getUserTasksInState",
    summary: "The caller's tasks in one state",
    parameters: [
      { name: "state", in: "path", required: true, schema: { enum: taskStates } },
      ...listParameters,
    ],
    replies: listReplies,
  },
  (read) => {
    const state = z.enum(taskStates).safeParse(read.request.params.state);
    if (state.success) return page(read, state.data);
    const expected = "'PENDING', 'SUCCESS' or 'FAILURE'";
    const msg = `Input should be ${expected}`;
    throw invalid({ type: "enum", loc: ["path", "state"], msg, ctx: { expected } });
  },
);

async function page(
  { query, context, caller, request }: ReadRequest<z.output<typeof listQuery>>,
  state?: Task["status"],
): Promise<Reply> {
  const { store, reader } = context.tasks;
  const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
  // The query asks for one task more than the page shows, to know whether there is a next page.
  const found = await store.list(caller.owner, state, query.limit + 1, before);
  const shown = found.slice(0, query.limit);
  const results = [];
  for (const task of shown) results.push(listedForm(task, await reader.position(task)));
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  const link = last && linkTo(request.path, query.limit, last);
  return jsonReply(200, { results }, { "cache-control": "no-store", ...link });
}

/** The end of a page of a list that is sorted newest first. */
interface ListPosition {
  createdAt: Date;
  id: string;
}

/** Returns the Link header to the next page. @param path Path of the list. */
export function linkTo(path: string, limit: number, last: ListPosition): Record<string, string> {
  const cursor = Buffer.from(`${last.createdAt.getTime()}.${last.id}`).toString("base64url");
  return { link: `<${path}?${new URLSearchParams({ limit: String(limit), cursor })}>; rel="next"` };
}

/** @throws HttpError of 422. */
export function readCursor(cursor: string): ListPosition {
  const match = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
    Buffer.from(cursor, "base64url").toString(),
  );
  if (match) return { createdAt: new Date(Number(match[1])), id: match[2]! };
  throw invalid({
    type: "value_error",
    loc: ["query", "cursor"],
    msg: "Value error, take the cursor from the Link header of the page before",
  });
}
