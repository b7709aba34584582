import { queryOptions } from "@tanstack/react-query";
import { readJson, parseReply } from "#components/api-client/parse-reply.ts";
import { apiFetch, retryPolicy, ServiceError } from "#components/api-client/api-fetch.ts";
import { saveFile } from "#components/ui/save-file.ts";
import type { MapRequest } from "#lib/contract/map2d.ts";
import type { PointRequest } from "#lib/contract/point.ts";
import { type ListedTask, type TaskKind, taskCreated, taskList } from "#lib/contract/task.ts";

/** Which bodies are tasks, with the path that takes them. */
export type TaskBody =
  | {
      kind: "MetOcean";
      body: Omit<Partial<PointRequest>, "points"> & Pick<PointRequest, "points" | "variables">;
    }
  | { kind: "2DMetOcean"; body: Partial<MapRequest> & Pick<MapRequest, "bounding_boxes" | "variable"> };

export const taskListKey = (key: string) => ["tasks", key] as const;

/** Milliseconds between two looks at the list while something is pending, and while nothing is. */
const BUSY_MS = 4_000;
const IDLE_MS = 30_000;

/** The newest tasks of the key's owner; looked at again while the page is seen, so that other devices' appear. */
export const taskListQuery = (key: string) =>
  queryOptions({
    queryKey: taskListKey(key),
    queryFn: async ({ client, signal }): Promise<ListedTask[]> => {
      const reply = await readJson(await apiFetch("/user/tasks?limit=100", { key, signal }));
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

/** A list that was read while a task ended, and was longer on its way than that news, does not make it pending again. */
export function keepEnded(shown: readonly ListedTask[] | undefined, read: ListedTask[]): ListedTask[] {
  const ended = new Map(
    shown?.filter(({ status }) => status !== "PENDING").map((task) => [task.task_id, task]),
  );
  return read.map((task) => (task.status === "PENDING" ? (ended.get(task.task_id) ?? task) : task));
}

/** What was sent and is not answered with a task, and the key that each was sent with. */
const unanswered = new Map<string, string>();

/**
 * Sends a task. Where the answer was lost, the service may have taken it: the same task sent again is then the same one.
 *
 * @returns Id of the task, which is then on the server's disk.
 */
export async function submitTask(key: string, { kind, body }: TaskBody): Promise<string> {
  const [path, sent] =
    kind === "MetOcean" ? ["/MetOcean/async", body] : ["/2DMetOcean", { ...body, async: true }];
  const text = JSON.stringify([key, path, sent]);
  const once = unanswered.get(text) ?? randomName();
  unanswered.set(text, once);
  const reply = await apiFetch(path, { key, body: sent, headers: { "idempotency-key": once } });
  const { task_id } = parseReply(await readJson(reply), taskCreated);
  unanswered.delete(text);
  return task_id;
}

/** 128 bits that nobody else has. `crypto.randomUUID` is there on secure pages only. */
function randomName(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

export async function cancelTask(key: string, id: string): Promise<void> {
  await apiFetch(`/cancel_task/${id}`, { key, method: "POST" });
}

/** Removes an ended task with its result. */
export async function deleteTask(key: string, id: string): Promise<void> {
  await apiFetch(`/task/${id}`, { key, method: "DELETE" }).catch((error: unknown) => {
    // It is gone already: what was wanted.
    if (!(error instanceof ServiceError && (error.status === 404 || error.status === 410))) throw error;
  });
}

/** What was asked for. */
export async function taskRequest(
  key: string,
  task: Pick<ListedTask, "task_id" | "kind">,
): Promise<TaskBody> {
  const body = await readJson(await apiFetch(`/task/${task.task_id}/request`, { key }));
  return { kind: task.kind, body } as TaskBody;
}

/** A form that a result is handed out in. */
export interface ResultFormat {
  label: string;
  /** Media type, for Accept. */
  type: string;
  extension: string;
}

const common: readonly ResultFormat[] = [
  { label: "JSON", type: "application/json", extension: "json" },
  { label: "CSV", type: "text/csv", extension: "csv" },
  { label: "NetCDF", type: "application/x-netcdf", extension: "nc" },
  { label: "Arrow", type: "application/vnd.apache.arrow.stream", extension: "arrows" },
];

/** What a result can be saved as: GeoJSON is for points alone. */
export const resultFormats: Readonly<Record<TaskKind, readonly ResultFormat[]>> = {
  MetOcean: [...common, { label: "GeoJSON", type: "application/geo+json", extension: "geojson" }],
  "2DMetOcean": common,
};

/** Fetches a result and saves it as a file: a plain link could not carry the key. */
export async function downloadResult(
  key: string,
  task: Pick<ListedTask, "task_id" | "task_name">,
  { type, extension }: ResultFormat,
): Promise<void> {
  const reply = await apiFetch(`/task/${task.task_id}`, { key, headers: { accept: type } });
  saveFile(`${fileName(task)}.${extension}`, await reply.blob());
}

/** A name that every file system takes. */
function fileName({ task_id, task_name }: Pick<ListedTask, "task_id" | "task_name">): string {
  const name = (task_name ?? "").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  return `${name.slice(0, 60) || "metocean"}-${task_id.slice(0, 8)}`;
}
