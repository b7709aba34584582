import { type Grid, sameGrid } from "@open-metocean/geo/grid";
import { apiFetch, isUnreachable, ServiceError } from "#components/api-client/api-fetch.ts";
import { stopSaving } from "#components/api-client/saved-replies.ts";
import { cancelLate, readConnection, subscribeToConnection } from "#components/api-client/send-request.ts";
import { decodeFrame, type Frame, FrameError } from "#lib/field/frame.ts";
import { blankFrame, pasteChunk, spreadCoarse } from "#lib/field/frame-chunks.ts";
import type { Fault } from "#lib/messages/fault.ts";
import { FetchQueue, type Priority } from "./fetch-queue.ts";
import type { WorkerReply, WorkerRequest } from "./frame-store.ts";

/** The worker that fetches, decodes and assembles frames off the main thread. */

/** As many requests as a browser opens to one host; a third of them may be prefetches. */
const queue = new FetchQueue(6, 2);

interface Running {
  controller: AbortController;
  priority: Priority;
}

const running = new Map<number, Running>();
let store: string | undefined;
const post = (reply: WorkerReply, transfer: Transferable[] = []) => self.postMessage(reply, { transfer });

self.addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  if ("store" in data) {
    if (store !== undefined && data.store !== store) stopSaving();
    store = data.store;
  } else if ("cancelLate" in data) cancelLate();
  else if ("abort" in data) running.get(data.abort)?.controller.abort();
  else if ("raise" in data) {
    const raised = running.get(data.raise);
    if (raised) raised.priority.urgent = true;
    queue.startNext();
  } else {
    const { id, urgent } = data;
    const request = { controller: new AbortController(), priority: { urgent } };
    running.set(id, request);
    void loadFrame(data, request).finally(() => running.delete(id));
  }
});

let late = false;
subscribeToConnection(() => {
  const { late: now } = readConnection();
  if (now !== late) post({ late: now });
  late = now;
});

async function loadFrame(
  { id, paths, grid, base, isWhole }: Extract<WorkerRequest, { paths: unknown }>,
  { controller, priority }: Running,
) {
  const { signal } = controller;
  const missing: number[] = [];
  const read = async (path: string, index: number) => {
    try {
      const reply = await apiFetch(path, { signal, priority: priority.urgent ? "auto" : "low", store });
      return decodeFrame(new Uint8Array(await reply.arrayBuffer()));
    } catch (error) {
      // Around what is saved, the map keeps the coarser frame.
      const isOutside = base && isUnreachable(error) && readConnection().savedAt !== undefined;
      if (!isOutside) throw error;
      missing.push(index);
      return undefined;
    }
  };
  try {
    const found = await Promise.all(
      paths.map((path, index) => queue.run(() => read(path, index), priority, signal)),
    );
    const chunks = found.filter((chunk) => chunk !== undefined);
    const frame = assemble(grid, isWhole && missing.length === 0 ? undefined : base, chunks);
    post({ id, frame, missing }, [frame.values.buffer]);
  } catch (error) {
    if (signal.aborted) return post({ id, aborted: true });
    // The other chunks are useless without the one that failed.
    controller.abort();
    const { status, retryAfter } =
      error instanceof ServiceError ? error : { status: 0, retryAfter: undefined };
    post({ id, failed: { said: saidOf(error), status, retryAfter } });
  }
}

function saidOf(error: unknown): string | Fault {
  if (error instanceof ServiceError) return error.fault ?? error.message;
  return error instanceof FrameError ? { is: "damaged", reason: error.reason } : { is: "unreadable" };
}

function assemble(grid: Grid, base: Frame | undefined, chunks: readonly Frame[]): Frame {
  const [first = base] = chunks;
  if (!first) throw new FrameError("it has no chunks");
  if (chunks.length === 1 && sameGrid(first.grid, grid)) return first;
  const frame = base && sameGrid(base.grid, grid) ? base : blankFrame(grid, first);
  if (base && base !== frame) spreadCoarse(frame, base);
  for (const chunk of chunks) pasteChunk(frame, chunk);
  return frame;
}
