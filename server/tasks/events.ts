import { setTimeout as wait } from "node:timers/promises";
import type { TaskReader } from "./reader.ts";
import { listedForm } from "./task.ts";

/** How often a task is looked at, and how long nothing is said before a sign of life; milliseconds. */
const LOOK_MS = 1_000;
const SILENCE_MS = 15_000;

/**
 * How a task goes on, as server-sent events: `progress` whenever something changed, and `end`, after which nothing
 * comes. Each carries the task as a list shows it. Whoever reads slowly misses steps in between, never the last.
 *
 * @param signal Ends the stream without a word: the client went away, or the server closes.
 */
export async function* taskEvents(
  reader: TaskReader,
  owner: string,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let said = "";
  let silence = 0;
  while (!signal.aborted) {
    const found = await reader.find(owner, id);
    // Deleted while it was looked at.
    if (!found) return;
    const { task } = found;
    const data = JSON.stringify(listedForm(task, await reader.position(task)));
    if (task.status !== "PENDING") {
      yield Buffer.from(`event: end\ndata: ${data}\n\n`);
      return;
    }
    if (data !== said) {
      yield Buffer.from(`event: progress\ndata: ${data}\n\n`);
      said = data;
      silence = 0;
    } else if (silence >= SILENCE_MS) {
      yield Buffer.from(": still here\n\n");
      silence = 0;
    }
    await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
    silence += LOOK_MS;
  }
}
