import "#components/api-client/without-eval.ts";
import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy, ServiceError } from "#components/api-client/api-fetch.ts";
import { parseReply, readJson } from "#components/api-client/parse-reply.ts";
import { newIdempotencyKey } from "#components/api-client/service.ts";
import { taskService } from "#components/api-client/services.ts";
import { saveFile } from "#components/ui/save-file.ts";
import type { MapRequest } from "#lib/contract/map2d.ts";
import { formatNames, formatOf } from "#lib/contract/media-types.ts";
import type { PointRequest } from "#lib/contract/point.ts";
import { type ListedTask, type TaskKind, taskCreated, taskList } from "#lib/contract/task.ts";

export type TaskBody =
  | {
      kind: "MetOcean";
      body: Omit<Partial<PointRequest>, "points"> & Pick<PointRequest, "points" | "variables">;
    }
  | { kind: "2DMetOcean"; body: Partial<MapRequest> & Pick<MapRequest, "bounding_boxes" | "variable"> };

export const taskListKey = (key: string) => ["tasks", key] as const;

/** Interval between requests for the list while a task is pending, and otherwise, milliseconds. */
const BUSY_MS = 4_000;
const IDLE_MS = 30_000;

/**
 * The newest tasks of the key's owner, refreshed while the page is visible, so that tasks of other devices
 * appear.
 */
export const taskListQuery = (key: string) =>
  queryOptions({
    queryKey: taskListKey(key),
    queryFn: async ({ client, signal }): Promise<ListedTask[]> => {
      const reply = await taskService(key).list({ limit: 100 }, { signal });
      return keepEnded(
        client.getQueryData<ListedTask[]>(taskListKey(key)),
        parseReply(reply, taskList).results,
      );
    },
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === "PENDING") ? BUSY_MS : IDLE_MS,
    refetchOnWindowFocus: true,
    ...retryPolicy,
  });

/**
 * Prevents a list that was sent before a task ended, but arrives after that event, from showing the task as
 * pending again.
 */
export function keepEnded(shown: readonly ListedTask[] | undefined, received: ListedTask[]): ListedTask[] {
  const ended = new Map(
    shown?.filter(({ status }) => status !== "PENDING").map((task) => [task.task_id, task]),
  );
  return received.map((task) => (task.status === "PENDING" ? (ended.get(task.task_id) ?? task) : task));
}

/** Submissions whose reply was lost: their Idempotency-Keys by content. */
const unanswered = new Map<string, string>();

/**
 * Submits a task. If the reply is lost, the service may have accepted the task; repeating the same submission
 * uses the same Idempotency-Key and creates no second task. A submission that was answered is forgotten.
 *
 * @returns Id of the task, which the server has stored.
 */
export async function submitTask(key: string, { kind, body }: TaskBody): Promise<string> {
  const [path, sent] =
    kind === "MetOcean" ? ["/MetOcean/async", body] : ["/2DMetOcean", { ...body, async: true }];
  const text = JSON.stringify([key, path, sent]);
  const earlier = unanswered.get(text);
  const idempotencyKey = earlier ?? newIdempotencyKey();
  unanswered.set(text, idempotencyKey);
  try {
    const reply = await apiFetch(path, { key, body: sent, headers: { "idempotency-key": idempotencyKey } });
    const { task_id } = parseReply(await readJson(reply), taskCreated);
    unanswered.delete(text);
    return task_id;
  } catch (error) {
    if (isRefused(error, earlier !== undefined)) unanswered.delete(text);
    throw error;
  }
}

/**
 * Statuses that do not tell whether an earlier submission with the same key succeeded: timeout, conflict,
 * rate limit.
 */
const INCONCLUSIVE = [408, 409, 429];

/** Whether the service's answer means that it has no such task. @param repeated An earlier reply was lost. */
function isRefused(error: unknown, repeated: boolean): boolean {
  if (!(error instanceof ServiceError) || error.status < 400 || error.status >= 500) return false;
  return !repeated || !INCONCLUSIVE.includes(error.status);
}

export const cancelTask = (key: string, id: string): Promise<void> => taskService(key).cancel(id);

/** Deletes an ended task with its result, even if the page closes in the meantime. */
export async function deleteTask(key: string, id: string): Promise<void> {
  await apiFetch(`/task/${id}`, { key, method: "DELETE", keepalive: true }).catch((error: unknown) => {
    // The task no longer exists.
    if (!(error instanceof ServiceError && (error.status === 404 || error.status === 410))) throw error;
  });
}

export async function taskRequest(
  key: string,
  task: Pick<ListedTask, "task_id" | "kind">,
): Promise<TaskBody> {
  return { kind: task.kind, body: await taskService(key).request(task.task_id) } as TaskBody;
}

/** @param label Label if the usual one is too long. */
function resultFormat(name: keyof typeof formatNames, label?: string) {
  const type = formatNames[name];
  const { name: known, extension } = formatOf(type);
  return { label: label ?? known, type, extension };
}

export type ResultFormat = ReturnType<typeof resultFormat>;

const commonFormats = [resultFormat("json"), resultFormat("csv")];
const arrayFormats = [resultFormat("netcdf"), resultFormat("arrow", "Arrow")];
const geojson = resultFormat("geojson");
const grib2 = resultFormat("grib2");
const passageFormats = [...commonFormats, resultFormat("gpx"), geojson];

/** Formats that a result can be saved in. */
export const resultFormats: Readonly<Record<TaskKind, readonly ResultFormat[]>> = {
  MetOcean: [...commonFormats, ...arrayFormats, geojson],
  "2DMetOcean": [...commonFormats, ...arrayFormats, grib2],
  files: [grib2, ...commonFormats, ...arrayFormats],
  "passages/evaluate": passageFormats,
  "passages/optimise": passageFormats,
  workability: commonFormats,
};

/** Fetches a result and saves it as a file; a link could not send the key. */
export async function downloadResult(
  key: string,
  task: Pick<ListedTask, "task_id" | "task_name">,
  { type, extension }: ResultFormat,
): Promise<void> {
  const reply = await apiFetch(`/task/${task.task_id}`, { key, headers: { accept: type } });
  saveFile(`${fileName(task)}.${extension}`, await reply.blob());
}

/** A name that is valid in every file system. */
function fileName({ task_id, task_name }: Pick<ListedTask, "task_id" | "task_name">): string {
  const name = (task_name ?? "").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  return `${name.slice(0, 60) || "metocean"}-${task_id.slice(0, 8)}`;
}
