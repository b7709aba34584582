import type { TaskEntry } from "./contract/tasks.ts";
import { pause, type Sleep } from "./pause.ts";
import type { Service } from "./request.ts";
import { serverEvents } from "./server-events.ts";

/** Wait before a stream that ended is opened again, unless the server says otherwise, milliseconds. */
const RECONNECT_MS = 3_000;

/** A stream that is silent for longer is broken: the service writes something every 15 s. Milliseconds. */
const SILENCE_MS = 40_000;

/** How long the first event may take, which is sent at once. Milliseconds. */
const FIRST_EVENT_MS = 10_000;

interface Following {
  signal?: AbortSignal;
  sleep?: Sleep;
  /**
   * Streams in a row that may end without an event before following gives up, as where a proxy holds them back. Never where
   * left out.
   */
  emptyStreams?: number;
}

/**
 * Follows a task live, by its server-sent events. A stream that breaks, or ends because the server restarts, is opened
 * again; each begins with the task as it is then, so that nothing has to be resumed.
 *
 * @returns Whether the last entry is the end of the task; false where streams do not arrive here.
 * @throws What `service.send` does when the service refuses: the task is gone, or the key is not accepted; the reason of
 *   the signal when that aborts.
 */
export async function* taskEvents(
  service: Pick<Service, "send">,
  id: string,
  { signal, sleep = pause, emptyStreams = Number.POSITIVE_INFINITY }: Following,
): AsyncGenerator<TaskEntry, boolean, undefined> {
  let empty = 0;
  while (empty < emptyStreams) {
    signal?.throwIfAborted();
    let waitMs = RECONNECT_MS;
    const watch = silenceWatch(signal);
    const onRetry = (milliseconds: number) => {
      waitMs = milliseconds;
      empty = 0;
    };
    try {
      const path = `/task/${encodeURIComponent(id)}/events`;
      const { body } = await service.send(path, {
        headers: { accept: "text/event-stream" },
        signal: watch.signal,
      });
      empty++;
      watch.expect(FIRST_EVENT_MS);
      for await (const { event, data } of serverEvents(body!, {
        onRetry,
        onBytes: () => watch.expect(SILENCE_MS),
      })) {
        empty = 0;
        yield JSON.parse(data) as TaskEntry;
        if (event === "end") return true;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (isRefusal(error)) throw error;
      waitMs = waitOf(error) ?? waitMs;
    } finally {
      watch.end();
    }
    if (empty < emptyStreams) await sleep(waitMs, signal);
  }
  return false;
}

/** Whether a later attempt would be refused likewise. */
export function isRefusal(error: unknown): boolean {
  const { status = 0 } = Object(error) as { status?: number };
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** How long the service wants to be left alone, milliseconds. */
export function waitOf(error: unknown): number | undefined {
  const { retryAfter } = Object(error) as { retryAfter?: number };
  return retryAfter === undefined ? undefined : 1000 * retryAfter;
}

/** Ends a stream that is silent for too long, or when `outer` aborts. */
function silenceWatch(outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const leave = () => controller.abort(outer?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  outer?.addEventListener("abort", leave, { once: true });
  return {
    signal: controller.signal,
    /** From now on something has to come within this time. */
    expect(milliseconds: number): void {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(new Error("The stream is silent")), milliseconds);
    },
    end(): void {
      clearTimeout(timer);
      outer?.removeEventListener("abort", leave);
      controller.abort();
    },
  };
}
