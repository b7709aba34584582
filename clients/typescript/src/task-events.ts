import { pause, type Sleep } from "./connect.ts";
import type { PendingTask, TaskEntry } from "./contract.ts";
import { jsonOf, type Service } from "./request.ts";

/** Wait before a stream that ended is reopened, milliseconds, unless the server states another one. */
const RECONNECT_MS = 3_000;

/**
 * A stream that is silent for longer is considered broken, milliseconds; the service writes something every
 * 15 s.
 */
const SILENCE_MS = 40_000;

/** Longest time until the first event, milliseconds; the service sends it immediately. */
const FIRST_EVENT_MS = 10_000;

interface Following {
  signal?: AbortSignal;
  sleep?: Sleep;
  /**
   * Number of consecutive streams that may end without an event, for example behind a buffering proxy, before
   * following is abandoned; if absent, it never is.
   */
  emptyStreams?: number;
}

/**
 * Follows a task live by its server-sent events. A stream that breaks, or ends because the server restarts,
 * is reopened; each stream begins with the present state of the task, so that nothing has to be resumed.
 *
 * @returns Whether the last entry is the end of the task; false if streams do not get through.
 * @throws The error of `service.send` if the service refuses because the task does not exist or the key is
 * not accepted; the reason of the signal if it aborts.
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

/** Whether a later attempt would be refused too. */
export function isRefusal(error: unknown): boolean {
  const { status = 0 } = Object(error) as { status?: number };
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** Time before which the service asks not to retry, milliseconds. */
export function waitOf(error: unknown): number | undefined {
  const { retryAfter } = Object(error) as { retryAfter?: number };
  return retryAfter === undefined ? undefined : 1000 * retryAfter;
}

/** Aborts a stream that is silent for too long, or when `outer` aborts. */
function silenceWatch(outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const leave = () => controller.abort(outer?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  outer?.addEventListener("abort", leave, { once: true });
  return {
    signal: controller.signal,
    /** Requires something to arrive within this time from now on. */
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

/** One server-sent event. */
export interface ServerEvent {
  event: string;
  data: string;
}

interface StreamListener {
  /** Receives the time after which the server wants a stream that ended to be reopened, milliseconds. */
  onRetry?(milliseconds: number): void;
  /** Called when anything arrives, including comments that keep the connection open. */
  onBytes?(): void;
}

/**
 * Server-sent events (WHATWG HTML 9.2) of a response body. `EventSource` cannot send the API key in a header, so the stream
 * is read from a fetch.
 */
export async function* serverEvents(
  body: ReadableStream<Uint8Array>,
  { onRetry, onBytes }: StreamListener = {},
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes?.();
      text += value;
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = eventOf(block, onRetry);
        if (event) yield event;
      }
    }
  } finally {
    // A reader that stops early must not leave the connection open.
    await reader.cancel().catch(() => undefined);
  }
}

/** @returns undefined for a block without data, such as a comment that only keeps the stream open. */
function eventOf(block: string, onRetry?: (milliseconds: number) => void): ServerEvent | undefined {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === "event") event = value ?? "";
    else if (field === "data") data.push(value ?? "");
    else if (field === "retry" && /^\d+$/.test(value ?? "")) onRetry?.(Number(value));
  }
  return data.length > 0 ? { event, data: data.join("\n") } : undefined;
}

/** Progress of a task. */
export type TaskProgress = Pick<TaskEntry, "task_id" | "status" | "progress" | "queue_position">;

/** Number of streams without an event after which the task is polled instead. */
const EMPTY_STREAMS = 2;

/**
 * Interval between polls if the service states none, and longest interval while nothing changes,
 * milliseconds.
 */
const POLL_MS = 1_000;
const MAX_POLL_MS = 5_000;

/**
 * Follows a task until it ends, by server-sent events or, if those do not get through, by polling. The last
 * progress has a status other than PENDING.
 *
 * @throws As `taskEvents`.
 */
export async function* taskProgress(
  service: Service,
  id: string,
  { signal, sleep }: { signal?: AbortSignal; sleep: Sleep },
): AsyncGenerator<TaskProgress, void, undefined> {
  if (yield* taskEvents(service, id, { signal, sleep, emptyStreams: EMPTY_STREAMS })) return;
  let wait = POLL_MS;
  let last: number | undefined;
  for (;;) {
    try {
      const now = await stateOf(service, id, signal);
      wait = now.progress === last ? Math.min(wait * 1.5, MAX_POLL_MS) : POLL_MS;
      if (now.progress !== last || now.status !== "PENDING") yield now;
      last = now.progress;
      if (now.status !== "PENDING") return;
    } catch (error) {
      signal?.throwIfAborted();
      if (isRefusal(error)) throw error;
      wait = waitOf(error) ?? MAX_POLL_MS;
    }
    await sleep(wait, signal);
  }
}

/**
 * Reads the state without the result, which may be large: a successful reply is recognised by its ETag, and
 * its body is not read.
 */
async function stateOf(service: Service, id: string, signal?: AbortSignal): Promise<TaskProgress> {
  const reply = await service.send(`/task/${encodeURIComponent(id)}`, { signal });
  const ended = { task_id: id, progress: 1, queue_position: null };
  if (reply.headers.has("etag")) {
    await reply.body?.cancel();
    return { ...ended, status: "SUCCESS" };
  }
  const state = (await jsonOf(reply)) as PendingTask | { status: "FAILURE" };
  return state.status === "PENDING" ? state : { ...ended, status: state.status };
}
