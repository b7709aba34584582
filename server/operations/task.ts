import { z } from "zod";
import type { Context } from "#server/context.ts";
import { preferredType } from "#server/http/accept.ts";
import { chosenEncoding } from "#server/http/compression.ts";
import { conditionalReply } from "#server/http/conditional-request.ts";
import { type Reading, syntheticHeader } from "#server/http/endpoint.ts";
import { failureValue } from "#server/http/envelope.ts";
import { detailReply, HttpError, jsonReply } from "#server/http/errors.ts";
import type { Reply } from "#server/http/exchange.ts";
import { gunzipped, readVerified } from "#server/tasks/gzip-blobs.ts";
import type { TaskWithResult } from "#server/tasks/reader.ts";
import { finishedForm, pendingForm, type Task } from "#server/tasks/task.ts";
import { readEndpoint } from "./app-context.ts";
import { resultAs, typesOfResult } from "./formats.ts";

const rules = { group: "tasks", query: z.object({}) } as const;

/** GET /task/{task_id}: how far it is, or the envelope that it ended with. */
export const task = readEndpoint(rules, async (reading) => {
  const { context, request } = reading;
  const found = await ownTask(reading);
  if (found.task.status === "PENDING") {
    const headers = { "cache-control": "no-store", "retry-after": "1" };
    return jsonReply(200, pendingForm(found.task, await context.tasks.reader.position(found.task)), headers);
  }
  if (found.task.status === "FAILURE") {
    return jsonReply(200, failureOf(found.task), { "cache-control": "no-store" });
  }
  const { resultHash, resultFile, expiresAt } = found.task;
  if (resultFile === null || expiresAt!.getTime() <= context.clock.now() * 1000) return expired();
  const type = preferredType(request.header("accept"), typesOfResult(found.task.kind));
  const isStored = type === "application/json";
  const etag = isStored ? `"${resultHash}"` : `"${resultHash}-${type}"`;
  const make = () =>
    isStored ? resultReply(found, reading, resultFile) : convertedReply(type, found, reading, resultFile);
  return conditionalReply(request, etag, "private, no-cache", make, "X-API-Key, Accept");
});

/** DELETE /task/{task_id}: a pending task is cancelled; an ended one goes, with its result. */
export const deleteTask = readEndpoint(rules, async (reading) => {
  const { task } = await ownTask(reading);
  if (task.status === "PENDING") return cancelled(reading);
  const { context, caller } = reading;
  if (!(await context.tasks.remove(caller.owner, task.id))) throw new HttpError(notFound());
  return { status: 204, headers: { "cache-control": "no-store" }, body: null };
});

/** POST /cancel_task/{task_id}. */
export const cancelTask = readEndpoint(rules, (reading) => cancelled(reading));

/** GET /task/{task_id}/events: how it goes on, as it goes on. */
export const taskEvents = readEndpoint(rules, async (reading) => {
  const { context, caller, request } = reading;
  const { task } = await ownTask(reading);
  const signal = AbortSignal.any([request.signal, context.closing]);
  return {
    status: 200,
    // Compression would hold events back.
    headers: { "content-type": "text/event-stream", "cache-control": "no-store, no-transform" },
    body: context.tasks.events(caller.owner, task.id, signal),
  };
});

/** GET /task/{task_id}/request: the body that it was made of, to be repeated or shown on a map. */
export const taskRequest = readEndpoint(rules, async (reading) => {
  const { task } = await ownTask(reading);
  if (task.requestFile === null) return expired();
  return {
    status: 200,
    headers: { "content-type": "application/json", "cache-control": "no-store" },
    body: gunzipped(reading.context.tasks.blobs.read(task.requestFile)),
  };
});

type TaskReading = Reading<unknown, Context>;

/** The same bytes for a task that never was, one of another owner's, and a malformed id. */
const notFound = () => detailReply(404, "Task not found");

const expired = () => detailReply(410, "Task result expired");

async function ownTask({ context, caller, request }: TaskReading): Promise<TaskWithResult> {
  const found = await context.tasks.reader.find(caller.owner, request.params.task_id ?? "");
  if (!found) throw new HttpError(notFound());
  return found;
}

async function cancelled({ context, caller, request }: TaskReading): Promise<Reply> {
  const ended = await context.tasks.cancel(caller.owner, request.params.task_id ?? "");
  if (!ended) throw new HttpError(notFound());
  const { task } = ended;
  if (task.status === "SUCCESS") return detailReply(409, "The task has succeeded and cannot be cancelled");
  return jsonReply(200, failureOf(task), { "cache-control": "no-store" });
}

function failureOf(task: Task): object {
  return failureValue(task.id, task.error ?? "", finishedForm(task));
}

/** The bytes of the file where the client takes gzip, unpacked on their way where it does not. */
function resultReply(
  { task, result }: TaskWithResult,
  { context, request }: TaskReading,
  file: string,
): Reply {
  const headers = {
    "content-type": "application/json",
    ...(task.synthetic && syntheticHeader),
  };
  const bytes = () => readVerified(context.tasks.blobs, file, task.resultHash!);
  const gzip = chosenEncoding(request.header("accept-encoding")?.replace(/\bbr\b/g, "")) === "gzip";
  if (!gzip) return { status: 200, headers, body: result?.plain ?? gunzipped(bytes()) };
  return {
    status: 200,
    headers: { ...headers, "content-encoding": "gzip" },
    body: result?.packed ?? bytes(),
  };
}

/** The same numbers in another format. */
function convertedReply(
  type: string,
  { task }: TaskWithResult,
  { context }: TaskReading,
  file: string,
): Reply {
  const bytes = gunzipped(readVerified(context.tasks.blobs, file, task.resultHash!));
  const headers = { "content-type": type, ...(task.synthetic && syntheticHeader) };
  return { status: 200, headers, body: resultAs(type, task, bytes) };
}
