import type { PendingTask, TaskEntry } from "./contract/tasks.ts";
import type { Sleep } from "./pause.ts";
import { jsonOf } from "./reply-body.ts";
import type { Service } from "./request.ts";
import { isRefusal, taskEvents, waitOf } from "./task-events.ts";

/** How far a task is. */
export type TaskProgress = Pick<TaskEntry, "task_id" | "status" | "progress" | "queue_position">;

/** Streams without an event after which a task is asked for instead. */
const EMPTY_STREAMS = 2;

/** Between two questions where the service names no time, and at most while nothing changes. Milliseconds. */
const POLL_MS = 1_000;
const MAX_POLL_MS = 5_000;

/**
 * Follows a task until it ends: by server-sent events, or by asking again and again where those do not arrive. The last
 * progress has another status than PENDING.
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

/** Without the result, which may be large: a success has an ETag, and is not read. */
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
