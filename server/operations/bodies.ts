import { timeRule } from "#lib/catalog/datasets.ts";
import { type PointRequest, pointLimits, resultCount } from "#lib/contract/point.ts";
import { type RequestName, requests } from "#lib/contract/wire-schemas.ts";
import { parseInstant } from "#lib/time.ts";
import type { Reply } from "#server/http/api-request.ts";
import type { QueuedJob } from "#server/http/queue.ts";
import type { Queues } from "#server/http/queues.ts";
import { detailReply, HttpError, type ValidationIssue } from "#server/http/reply.ts";
import { type BodyReader, bodyReader } from "#server/http/validation.ts";
import { ThreadEndedError, type WorkerPool } from "#server/platform/worker-pool.ts";

/** Larger bodies are read in a thread: reading takes about 20 ms a MiB. */
const LARGE_BYTES = 256 * 1024;

/** Heap limit of the thread, MiB. A body that needs more memory ends the thread that reads it and is refused. */
const HEAP_MB = 320;

/**
 * How long the idle thread stays alive, milliseconds: its start takes a few tenths of a second, and its end frees its
 * memory.
 */
const IDLE_MS = 60_000;

/** The pool that reads large bodies, one after another. */
export const bodyPoolOptions = {
  entry: new URL("./body-thread.ts", import.meta.url),
  threads: 1,
  concurrency: 1,
  idleMs: IDLE_MS,
  limits: { maxOldGenerationSizeMb: HEAP_MB },
};

export interface BodyInput {
  name: RequestName;
  /** Bytes of the body, which own their memory. */
  bytes: Uint8Array;
  /** Weather clock, Unix seconds. */
  now: number;
}

/** The body as JSON with its bytes, whose memory returns to the caller; or the reply of a refusal. */
export type BodyOutcome = { json: string; bytes: Uint8Array } | { refused: Reply };

export const isLarge = (bytes: Uint8Array): boolean => bytes.length > LARGE_BYTES;

/**
 * Reads a large body in a thread, so that no body delays other requests. The thread returns JSON, since parsing ten
 * thousand points takes 2 ms and cloning them takes 20.
 *
 * @param job Job with the owner of the body: owners take turns.
 * @returns The body and its bytes, which replace the given ones: their memory was transferred to the thread and back.
 */
export async function readLarge<Body>(
  name: RequestName,
  reader: BodyReader<Body>,
  bytes: Uint8Array,
  now: number,
  { bodyPool, queues }: { bodyPool: Pick<WorkerPool, "call">; queues: Pick<Queues, "bodies"> },
  job: QueuedJob,
): Promise<{ body: Body; bytes: Uint8Array }> {
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

/** Bodies of POST /MetOcean. */
export const readPoints = bodyReader(requests.PointRequest, (request, now) => [
  ...pointIssues(request, now),
  ...modelIssues(request, pointLimits.sync),
]);

/** The part of a body that is needed to accept a task; the thread that computes the points reads them again. */
interface TaskPoints extends Pick<PointRequest, "task_name" | "receive_mail" | "models"> {
  size: number;
}

const manyPoints = bodyReader(requests.ManyPointsRequest, (request, now) => [
  ...pointIssues(request, now),
  ...modelIssues(request, pointLimits.async),
]);

/** Bodies of POST /MetOcean/async. */
export const taskPoints: BodyReader<TaskPoints> = {
  read(bytes, now) {
    const request = manyPoints.read(bytes, now);
    const { task_name, receive_mail, models } = request;
    return { size: resultCount(request), task_name, receive_mail, ...(models && { models }) };
  },
  ensureRules: (body) => body,
};

/** @param max Most results of a request. */
function modelIssues(request: PointRequest, max: number): ValidationIssue[] {
  const count = resultCount(request);
  if (count <= max) return [];
  const msg = `Points times models should be at most ${max}, and are ${count}: send fewer of either`;
  return [{ type: "too_long", loc: ["body", "models"], msg }];
}

/** Rules of a point request that need the clock. @param now Weather clock, Unix seconds. */
export function pointIssues(request: Pick<PointRequest, "points">, now: number): ValidationIssue[] {
  const rule = timeRule(now);
  return request.points.flatMap(({ timestamp }, index) => {
    const msg = rule(parseInstant(timestamp));
    return msg ? [{ type: "value_error", loc: ["body", "points", index, "timestamp"], msg }] : [];
  });
}
