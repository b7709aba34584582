import type { ArrowTable } from "./arrow.ts";
import type { Sleep } from "./connect.ts";
import type {
  FailedTask,
  FileRequest,
  FinishedFile,
  FinishedMap,
  FinishedPassage,
  FinishedPoints,
  FinishedWorkability,
  MapMediaType,
  MapRequest,
  OptimiseRequest,
  PassageMediaType,
  PassageRequest,
  PendingTask,
  PointMediaType,
  PointRequest,
  TaskCreated,
  TaskEntry,
  TaskList,
  WorkabilityRequest,
} from "./contract.ts";
import type { BoxField } from "./fields.ts";
import type { FileNow } from "./operations.ts";
import { ARROW_STREAM, FIELD_BINARY, fieldsOf, tableOf } from "./points.ts";
import {
  type CallOptions,
  jsonOf,
  type PageQuery,
  pageOf,
  posted,
  type ReadOptions,
  type ResultPage,
  randomKey,
  read,
  readFile,
  type Service,
} from "./request.ts";
import { type TaskProgress, taskProgress } from "./task-events.ts";

export interface TasksQuery extends PageQuery {
  state?: TaskEntry["status"];
}

/** The final state of a task of any operation. */
type Finished = FinishedPoints | FinishedMap | FinishedFile | FinishedPassage | FinishedWorkability;

/** The state of a task, whether pending or finished. */
export type TaskState = PendingTask | Finished | FailedTask;

/** Operations for work that takes longer than a request. @param sleep Waits between polls. */
export const taskOperations = (service: Service, sleep: Sleep) => {
  const at = (id: string) => `/task/${encodeURIComponent(id)}`;
  const accept = async <T>(path: string, body: object, options: CallOptions = {}): Promise<Task<T>> => {
    // With a key, a request whose 202 was lost can be repeated and leads to the same task.
    const idempotencyKey = options.idempotencyKey ?? randomKey();
    const { task_id } = await read<TaskCreated>(service, path, posted(body, { ...options, idempotencyKey }));
    return new Task<T>(task_id, service, sleep);
  };
  return {
    /** Requests up to 200,000 points: `POST /MetOcean/async`. */
    points: (body: PointRequest, options?: CallOptions) =>
      accept<FinishedPoints>("/MetOcean/async", body, options),

    /** Requests a box of up to 50 million values. */
    box: (body: MapRequest, options?: CallOptions) =>
      accept<FinishedMap>("/2DMetOcean", { ...body, async: true }, options),

    /**
     * Requests a file of a larger area or a longer time than a direct answer allows; `task.file(type)` reads
     * it.
     */
    files: (body: FileNow, options?: CallOptions) =>
      accept<FinishedFile>("/files", { ...body, async: true }, options),

    /** Evaluates passages with many departures. */
    evaluate: (body: PassageRequest, options?: CallOptions) =>
      accept<FinishedPassage>("/passages/evaluate", { ...body, async: true }, options),

    /** Searches for a better route over a long distance. */
    optimise: (body: OptimiseRequest, options?: CallOptions) =>
      accept<FinishedPassage>("/passages/optimise", { ...body, async: true }, options),

    /** Requests weather windows from up to 200,000 values. */
    workability: (body: WorkabilityRequest, options?: CallOptions) =>
      accept<FinishedWorkability>("/workability", { ...body, async: true }, options),

    /** A task with a stored id; no request is sent. */
    open: <T extends TaskState = Finished>(id: string) => new Task<T>(id, service, sleep),

    /** A page of the tasks of the key's owner, newest first. */
    list: ({ state, ...page }: TasksQuery = {}, options?: ReadOptions): Promise<TaskList & ResultPage> =>
      pageOf<TaskList>(service, `/user/tasks${state ? `/${state}` : ""}`, page, options),

    /** The progress of a task, or its whole result; a failed task is returned, not thrown. */
    state: async (id: string, options?: ReadOptions): Promise<TaskState> =>
      (await jsonOf(await service.send(at(id), options))) as TaskState,

    /** The request body of a task, as it was sent. */
    request: (id: string, options?: ReadOptions) =>
      read<PointRequest | MapRequest | FileRequest | PassageRequest | OptimiseRequest | WorkabilityRequest>(
        service,
        `${at(id)}/request`,
        options,
      ),

    /**
     * Cancels a task, which becomes FAILURE; repeating it has no effect. @throws ConflictError for a task
     * that has succeeded
     */
    cancel: (id: string, options?: ReadOptions) => cancelTask(service, id, options),

    /** Cancels a pending task; deletes an ended one with its result. */
    delete: async (id: string, options?: ReadOptions): Promise<void> => {
      await service.send(at(id), { ...options, method: "DELETE" });
    },
  };
};

async function cancelTask(service: Service, id: string, options?: ReadOptions): Promise<void> {
  await service.send(`/cancel_task/${encodeURIComponent(id)}`, { ...options, method: "POST" });
}

export interface Waiting extends ReadOptions {
  /** Receives each progress including the last one. */
  onProgress?(progress: TaskProgress): void;
}

/**
 * A task of the service. It continues on the server independently of this object; `id` is enough to find it
 * again.
 */
export class Task<Result> {
  readonly id: string;
  readonly #service: Service;
  readonly #sleep: Sleep;

  constructor(id: string, service: Service, sleep: Sleep) {
    this.id = id;
    this.#service = service;
    this.#sleep = sleep;
  }

  /**
   * The progress as it changes; the last one is final. @throws NotFoundError, AuthenticationError; the reason
   * of the signal
   */
  progress({ signal }: ReadOptions = {}): AsyncGenerator<TaskProgress, void, undefined> {
    return taskProgress(this.#service, this.id, { signal, sleep: this.#sleep });
  }

  /**
   * Waits for the result. Aborting the wait does not cancel the task. @throws FailureError if the task failed
   * or was cancelled
   */
  async result(waiting: Waiting = {}): Promise<Result> {
    await this.#ended(waiting);
    return (await this.#service.json(
      await this.#service.send(this.#path, { signal: waiting.signal }),
    )) as Result;
  }

  /** Returns the result as columns; for points and boxes. */
  async table(waiting: Waiting = {}): Promise<ArrowTable> {
    return tableOf(await this.file(ARROW_STREAM, waiting));
  }

  /** Returns the result as typed arrays on the grid; for boxes. */
  async fields(waiting: Waiting = {}): Promise<BoxField[]> {
    return fieldsOf(await this.file(FIELD_BINARY, waiting));
  }

  /** Returns the result as a file in a format of the operation. */
  async file(
    type: PointMediaType | MapMediaType | PassageMediaType,
    waiting: Waiting = {},
  ): Promise<Response> {
    await this.#ended(waiting);
    return readFile(this.#service, this.#path, type, { signal: waiting.signal });
  }

  /**
   * Cancels the task, which becomes FAILURE; repeating it has no effect. @throws ConflictError if it has
   * succeeded
   */
  cancel(options?: ReadOptions): Promise<void> {
    return cancelTask(this.#service, this.id, options);
  }

  /** Cancels the task if it is pending; otherwise deletes it with its result. */
  async delete(options?: ReadOptions): Promise<void> {
    await this.#service.send(this.#path, { ...options, method: "DELETE" });
  }

  get #path(): string {
    return `/task/${encodeURIComponent(this.id)}`;
  }

  async #ended({ signal, onProgress }: Waiting): Promise<void> {
    for await (const progress of this.progress({ signal })) onProgress?.(progress);
  }
}
