import { gunzipSync } from "node:zlib";
import { formatInstant } from "#lib/time.ts";
import type { Context } from "#server/context.ts";
import type { pieceComputer } from "#server/operations/task-pieces.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { putGzip } from "#server/tasks/gzip-blobs.ts";
import type { ClaimedTask } from "#server/tasks/queue.ts";
import type { PieceResult, TaskResult } from "#server/tasks/worker.ts";
import { windRun } from "./metocean.ts";

export const now = 1_768_003_200;

/** A request for points, each at a different place. */
export function pointsBody(count: number, more: object = {}) {
  const points = Array.from({ length: count }, (_, index) => ({
    latitude: (index % 900) / 10,
    longitude: -((index * 7) % 1800) / 10,
    timestamp: formatInstant(now + (index % 3) * 3600),
  }));
  return { points, variables: ["wind"], ...more };
}

/**
 * An archive whose values depend on the place.
 *
 * @param onRead Called with the number of points that are read together.
 */
export function countedArchive(onRead: (points: number) => void = () => {}, runId = "a"): Context["archive"] {
  const manifest = async () => ({
    version: 1 as const,
    runs: [windRun(runId, "Forecast", [-240, 0, 24, 240])],
  });
  return {
    manifest,
    refresh: manifest,
    storedFrame: async () => undefined,
    async valuesAt(_run, field, points, indices, out) {
      if (field.startsWith("eastward")) onRead(indices?.length ?? points.count);
      for (const index of indices ?? Array.from({ length: points.count }, (_, i) => i))
        out[index] = (field.length % 7) + points.latitude[index]! / 10 - points.longitude[index]! / 100;
    },
    mapStep: () => Promise.reject(new Error("Not in this test")),
  } as Context["archive"];
}

/** A claimed row. */
export function claimedTask(more: Partial<ClaimedTask> = {}): ClaimedTask {
  const id = "6f1c1a52-9d6c-4f39-8d53-0f7d3a1f7a11";
  return {
    id,
    token: 1,
    kind: "MetOcean",
    name: "Brest",
    size: 1,
    weatherNow: new Date(now * 1000),
    requestFile: `${id}.request`,
    createdAt: new Date(now * 1000),
    pieces: [],
    computedMs: 0,
    claimedAt: now * 1000,
    ...more,
  } as ClaimedTask;
}

/** Claims and computes one piece after another, until the result. @returns The return value of each claim. */
export async function computeAll(
  compute: ReturnType<typeof pieceComputer>,
  task: ClaimedTask,
): Promise<(TaskResult | PieceResult)[]> {
  const outcomes: (TaskResult | PieceResult)[] = [];
  const { signal } = new AbortController();
  for (;;) {
    const outcome = await compute({ task, file: "the-result" }, { signal, progress: () => {} });
    outcomes.push(outcome);
    if (!("share" in outcome)) return outcomes;
    task.pieces.push(task.token++);
  }
}

export async function storeRequest(
  blobs: BlobStore,
  task: Pick<ClaimedTask, "requestFile">,
  body: object,
): Promise<void> {
  await putGzip(blobs, task.requestFile!, [Buffer.from(JSON.stringify(body))]);
}

/** The text of the result, without the parts that depend on time. */
export async function resultText(blobs: BlobStore, key = "the-result"): Promise<string> {
  const text = gunzipSync((await blobs.get(key))!).toString();
  return text.replace(/"execution_time":"[^"]+"/, "").replace(/"(finished|expires)_at":"[^"]+"/g, "");
}
