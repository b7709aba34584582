import type { RequestName } from "#lib/contract/wire-schemas.ts";
import type { QueuedJob, Queues } from "#server/http/queue.ts";
import { detailReply, HttpError } from "#server/http/reply.ts";
import type { BodyReader } from "#server/http/validation.ts";
import { ThreadEndedError, type WorkerPool } from "#server/platform/worker-pool.ts";
import type { BodyInput, BodyOutcome } from "./body-thread.ts";

/** Larger bodies are read in a thread: reading takes about 20 ms a MiB. */
const LARGE_BYTES = 256 * 1024;

/** A body that needs more memory than this ends the thread that reads it, and is refused. MiB of its heap. */
const HEAP_MB = 320;

/** How long the thread stays without work, milliseconds: its start takes some tenths of a second, its end returns its memory. */
const IDLE_MS = 60_000;

/** The pool that reads large bodies, one after another. */
export const bodyPoolOptions = {
  entry: new URL("./body-thread.ts", import.meta.url),
  threads: 1,
  concurrency: 1,
  idleMs: IDLE_MS,
  limits: { maxOldGenerationSizeMb: HEAP_MB },
};

/**
 * Reads a body; a large one in a thread, so that none delays other requests. It comes back as JSON: ten thousand points are
 * parsed in 2 ms, and cloned in 20.
 *
 * @param context Without a pool every body is read here.
 * @param job Whose body it is: owners take turns.
 * @returns The body, and its bytes: the memory of those that were given has been to the thread and back.
 */
export async function readBody<Body>(
  name: RequestName,
  reader: BodyReader<Body>,
  bytes: Uint8Array,
  now: number,
  { bodyPool, queues }: { bodyPool?: Pick<WorkerPool, "call">; queues: Pick<Queues, "bodies"> },
  job: QueuedJob,
): Promise<{ body: Body; bytes: Uint8Array }> {
  if (!bodyPool || bytes.length <= LARGE_BYTES) return { body: reader.read(bytes, now), bytes };
  const owned = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
  const input: BodyInput = { name, bytes: owned, now };
  const transferred = [owned.buffer as ArrayBuffer];
  const outcome = await queues.bodies
    .run(job, () => bodyPool.call<BodyOutcome>("readBody", input, { transferred }))
    .catch(tooComplex);
  if ("refused" in outcome) throw new HttpError(outcome.refused);
  return { body: reader.ensureRules(JSON.parse(outcome.json), now), bytes: outcome.bytes };
}

function tooComplex(error: unknown): never {
  const isOutOfMemory =
    error instanceof ThreadEndedError &&
    (error.cause as NodeJS.ErrnoException | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY";
  if (!isOutOfMemory) throw error;
  throw new HttpError(detailReply(413, "The request body takes too much memory to read"));
}
