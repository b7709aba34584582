import type { ArrowTable } from "./arrow.ts";
import { FIELD_BINARY, fieldsOf } from "./boxes.ts";
import type { MapMediaType, PassageMediaType, PointMediaType } from "./contract/media-types.ts";
import type { BoxField } from "./fields.ts";
import type { Sleep } from "./pause.ts";
import { ARROW_STREAM, tableOf } from "./points.ts";
import { type CallOptions, readFile, type Service } from "./request.ts";
import { type TaskProgress, taskProgress } from "./task-progress.ts";

type Read = Pick<CallOptions, "signal">;

export interface Waiting extends Read {
  /** Receives each progress, the last one too. */
  onProgress?(progress: TaskProgress): void;
}

/** A task of the service. It goes on whatever becomes of this object; `id` is all that has to be kept. */
export class Task<Result> {
  readonly id: string;
  readonly #service: Service;
  readonly #sleep: Sleep;

  constructor(id: string, service: Service, sleep: Sleep) {
    this.id = id;
    this.#service = service;
    this.#sleep = sleep;
  }

  /** How far it is, as it goes on; the last one has ended. @throws NotFoundError, AuthenticationError; the reason of the signal */
  progress({ signal }: Read = {}): AsyncGenerator<TaskProgress, void, undefined> {
    return taskProgress(this.#service, this.id, { signal, sleep: this.#sleep });
  }

  /** Waits for the end. To stop waiting leaves the task as it is. @throws FailureError where it failed or was cancelled */
  async result(waiting: Waiting = {}): Promise<Result> {
    await this.#ended(waiting);
    return (await this.#service.json(
      await this.#service.send(this.#path, { signal: waiting.signal }),
    )) as Result;
  }

  /** As `result`, as columns; of points and boxes. */
  async table(waiting: Waiting = {}): Promise<ArrowTable> {
    return tableOf(await this.file(ARROW_STREAM, waiting));
  }

  /** As `result`, as typed arrays on the grid; of boxes. */
  async fields(waiting: Waiting = {}): Promise<BoxField[]> {
    return fieldsOf(await this.file(FIELD_BINARY, waiting));
  }

  /** As `result`, as a file in a format of the operation. */
  async file(
    type: PointMediaType | MapMediaType | PassageMediaType,
    waiting: Waiting = {},
  ): Promise<Response> {
    await this.#ended(waiting);
    return readFile(this.#service, this.#path, type, { signal: waiting.signal });
  }

  /** It becomes FAILURE; again, the same. @throws ConflictError for one that has succeeded. */
  async cancel(options?: Read): Promise<void> {
    await this.#service.send(`/cancel_task/${encodeURIComponent(this.id)}`, { ...options, method: "POST" });
  }

  /** Cancels it while it is pending; afterwards removes it with its result. */
  async delete(options?: Read): Promise<void> {
    await this.#service.send(this.#path, { ...options, method: "DELETE" });
  }

  get #path(): string {
    return `/task/${encodeURIComponent(this.id)}`;
  }

  async #ended({ signal, onProgress }: Waiting): Promise<void> {
    for await (const progress of this.progress({ signal })) onProgress?.(progress);
  }
}
