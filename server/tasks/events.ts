import { setTimeout as wait } from "node:timers/promises";
import type { TaskReader } from "./reader.ts";
import { listedForm } from "./task.ts";

const POLL_MS = 1_000;

/** Time without an event after which a comment shows that the connection is alive. */
const KEEP_ALIVE_MS = 15_000;

/**
 * Progress of a task as server-sent events: `progress` whenever the task changed, and `end` as the last one. Each carries
 * the task as lists show it. A slow reader misses steps in between, never the last.
 *
 * @param signal Ends the stream without an event: the client left, or the server closes.
 */
export async function* taskEvents(
  reader: TaskReader,
  owner: string,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let sent = "";
  let quietMs = 0;
  while (!signal.aborted) {
    const found = await reader.find(owner, id);
    // Deleted in the meantime.
    if (!found) return;
    const { task } = found;
    const data = JSON.stringify(listedForm(task, await reader.position(task)));
    if (task.status !== "PENDING") {
      yield Buffer.from(`event: end\ndata: ${data}\n\n`);
      return;
    }
    if (data !== sent) {
      yield Buffer.from(`event: progress\ndata: ${data}\n\n`);
      sent = data;
      quietMs = 0;
    } else if (quietMs >= KEEP_ALIVE_MS) {
      yield Buffer.from(": still here\n\n");
      quietMs = 0;
    }
    await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
    quietMs += POLL_MS;
  }
}
