import type { MapRequest } from "./contract/boxes.ts";
import type { FileRequest } from "./contract/files.ts";
import type { OptimiseRequest, PassageRequest } from "./contract/passages.ts";
import type { PointRequest } from "./contract/points.ts";
import type {
  FailedTask,
  FinishedFile,
  FinishedMap,
  FinishedPassage,
  FinishedPoints,
  PendingTask,
  TaskCreated,
  TaskEntry,
  TaskList,
} from "./contract/tasks.ts";
import type { FileNow } from "./files.ts";
import { type PageQuery, pageOf, type ResultPage } from "./pages.ts";
import type { Sleep } from "./pause.ts";
import { randomKey } from "./random-key.ts";
import { jsonOf } from "./reply-body.ts";
import { type CallOptions, posted, read, type Service } from "./request.ts";
import { Task } from "./task.ts";

type Read = Pick<CallOptions, "signal">;

export interface TasksQuery extends PageQuery {
  state?: TaskEntry["status"];
}

/** What a task ended with, of any operation. */
type Finished = FinishedPoints | FinishedMap | FinishedFile | FinishedPassage;

/** What a task is, or what it ended with. */
export type TaskState = PendingTask | Finished | FailedTask;

/** Work that takes longer than a request. @param sleep Waits between questions. */
export const taskOperations = (service: Service, sleep: Sleep) => {
  const at = (id: string) => `/task/${encodeURIComponent(id)}`;
  const accept = async <T>(path: string, body: object, options: CallOptions = {}): Promise<Task<T>> => {
    // A request whose 202 was lost is sent again, and is the same task.
    const idempotencyKey = options.idempotencyKey ?? randomKey();
    const { task_id } = await read<TaskCreated>(service, path, posted(body, { ...options, idempotencyKey }));
    return new Task<T>(task_id, service, sleep);
  };
  return {
    /** Up to 200,000 points: `POST /MetOcean/async`. */
    points: (body: PointRequest, options?: CallOptions) =>
      accept<FinishedPoints>("/MetOcean/async", body, options),

    /** A box of up to 50 million values. */
    box: (body: MapRequest, options?: CallOptions) =>
      accept<FinishedMap>("/2DMetOcean", { ...body, async: true }, options),

    /** A file of a larger area or a longer time than one at once; `task.file(type)` reads it. */
    files: (body: FileNow, options?: CallOptions) =>
      accept<FinishedFile>("/files", { ...body, async: true }, options),

    /** Passages of many departures. */
    evaluate: (body: PassageRequest, options?: CallOptions) =>
      accept<FinishedPassage>("/passages/evaluate", { ...body, async: true }, options),

    /** A long way for a better route. */
    optimise: (body: OptimiseRequest, options?: CallOptions) =>
      accept<FinishedPassage>("/passages/optimise", { ...body, async: true }, options),

    /** A task of an id that was kept. Nothing is asked. */
    open: <T extends TaskState = Finished>(id: string) => new Task<T>(id, service, sleep),

    /** A page of the tasks of the key's owner, the newest first. */
    list: ({ state, ...page }: TasksQuery = {}, options?: Read): Promise<TaskList & ResultPage> =>
      pageOf<TaskList>(service, `/user/tasks${state ? `/${state}` : ""}`, page, options),

    /** How far a task is, or its whole result; a failed one is returned, not thrown. */
    state: async (id: string, options?: Read): Promise<TaskState> =>
      (await jsonOf(await service.send(at(id), options))) as TaskState,

    /** What a task was asked: the body as it was sent. */
    request: (id: string, options?: Read) =>
      read<PointRequest | MapRequest | FileRequest | PassageRequest | OptimiseRequest>(
        service,
        `${at(id)}/request`,
        options,
      ),

    /** It becomes FAILURE; again, the same. @throws ConflictError for one that has succeeded. */
    cancel: async (id: string, options?: Read): Promise<void> => {
      await service.send(`/cancel_task/${encodeURIComponent(id)}`, { ...options, method: "POST" });
    },

    /** Cancels a pending task; removes an ended one with its result. */
    delete: async (id: string, options?: Read): Promise<void> => {
      await service.send(at(id), { ...options, method: "DELETE" });
    },
  };
};
