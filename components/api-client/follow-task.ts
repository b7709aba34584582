import "./without-eval.ts";
import { type ListedTask, listedTask } from "#lib/contract/task.ts";
import { apiFetch, isOutage, ServiceError } from "./api-fetch.ts";
import { serverEvents } from "./event-stream.ts";

/** Wait before a stream that ended is opened again, unless the server says otherwise, milliseconds. */
const RECONNECT_MS = 3_000;

interface Follow {
  key: string;
  signal: AbortSignal;
  update(task: ListedTask): void;
}

/**
 * Follows a task live until it ends. A stream that breaks, or ends because the server restarts, is opened again.
 *
 * @throws ServiceError when the service refuses: the task is gone, or the key is not accepted.
 */
export async function followTask(id: string, { key, signal, update }: Follow): Promise<void> {
  while (!signal.aborted) {
    let waitMs = RECONNECT_MS;
    const onRetry = (milliseconds: number) => {
      waitMs = milliseconds;
    };
    try {
      const { body } = await apiFetch(`/task/${id}/events`, { key, signal });
      for await (const { event, data } of serverEvents(body!, onRetry)) {
        update(listedTask.parse(JSON.parse(data)));
        if (event === "end") return;
      }
    } catch (error) {
      if (isRefusal(error)) throw error;
      if (error instanceof ServiceError && error.retryAfter) waitMs = 1000 * error.retryAfter;
    }
    await pause(waitMs, signal);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && !isOutage(error) && error.status !== 429;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
