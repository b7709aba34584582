import { ownsMemory } from "#server/http/body-memory.ts";
import { detailReply, HttpError } from "#server/http/reply.ts";
import { ThreadEndedError, type WorkerPool } from "#server/platform/worker-pool.ts";
import type { BodyInput, BodyOutcome } from "./body-thread.ts";
import { readTaskPoints, type TaskPoints } from "./point-bodies.ts";

/** Bodies from this size on are read in a thread: reading takes about 20 ms a MiB. */
const LARGE_BYTES = 256 * 1024;

/** A body that needs more memory than this ends the thread that reads it, and is refused. MiB of its heap. */
const HEAP_MB = 320;

/** How long the thread stays without work, milliseconds. Ending it returns its memory. */
const IDLE_MS = 10_000;

/** The pool that reads large bodies, one after another. */
export const bodyPoolOptions = {
  entry: new URL("./body-thread.ts", import.meta.url),
  threads: 1,
  concurrency: 1,
  idleMs: IDLE_MS,
  limits: { maxOldGenerationSizeMb: HEAP_MB },
};

/**
 * Reads the body of a task of points; a large one in a thread, so that no body delays other requests.
 *
 * @param pool Without one every body is read here.
 * @param onMoved Receives the bytes where their memory went to the thread and came back: those that were given are empty.
 */
export async function readTaskBody(
  bytes: Uint8Array,
  now: number,
  pool: Pick<WorkerPool, "call"> | undefined,
  onMoved: (bytes: Uint8Array) => void = () => {},
): Promise<TaskPoints> {
  if (!pool || bytes.length < LARGE_BYTES) return readTaskPoints(bytes, now);
  const input: BodyInput = { bytes, now };
  const transferred = ownsMemory(bytes) ? [bytes.buffer] : [];
  const outcome = await pool.call<BodyOutcome>("readBody", input, { transferred }).catch(tooComplex);
  if ("refused" in outcome) throw new HttpError(outcome.refused);
  if (transferred.length > 0) onMoved(outcome.bytes);
  return outcome.body;
}

function tooComplex(error: unknown): never {
  if (!(error instanceof ThreadEndedError)) throw error;
  throw new HttpError(detailReply(413, "The request body takes too much memory to read"));
}
