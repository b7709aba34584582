import { apiFetch, ServiceError } from "#components/api-client/service.ts";
import { blankFrame, pasteChunk, spreadCoarse } from "#lib/field/assemble.ts";
import { decodeFrame, type Frame, FrameError } from "#lib/field/frame.ts";
import { type Grid, sameGrid } from "#lib/field/grid.ts";
import { FetchQueue, type Rank } from "./fetch-queue.ts";
import type { WorkerReply, WorkerRequest } from "./frame-store.ts";

/** Fetches, decodes and puts together frames beside the page, so that none of it takes time from drawing. */

/** As many as a browser opens to one host; a third of them may be for what nobody waits for yet. */
const queue = new FetchQueue(6, 2);

interface Running {
  stop: AbortController;
  rank: Rank;
}

const running = new Map<number, Running>();
const post: (answer: WorkerReply, transfer?: Transferable[]) => void = (answer, transfer = []) =>
  self.postMessage(answer, { transfer });

self.addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  if ("abort" in data) running.get(data.abort)?.stop.abort();
  else if ("raise" in data) {
    const raised = running.get(data.raise);
    if (raised) raised.rank.urgent = true;
    queue.pump();
  } else {
    const { id, urgent } = data;
    const order = { stop: new AbortController(), rank: { urgent } };
    running.set(id, order);
    void answer(data, order).finally(() => running.delete(id));
  }
});

async function answer(
  { id, paths, grid, base }: Extract<WorkerRequest, { paths: unknown }>,
  { stop, rank }: Running,
) {
  const { signal } = stop;
  const read = async (path: string) => {
    const reply = await apiFetch(path, { signal, priority: rank.urgent ? "auto" : "low" });
    return decodeFrame(new Uint8Array(await reply.arrayBuffer()));
  };
  try {
    const chunks = await Promise.all(paths.map((path) => queue.run(() => read(path), rank, signal)));
    const frame = assemble(grid, base, chunks);
    post({ id, frame }, [frame.values.buffer]);
  } catch (error) {
    if (signal.aborted) return post({ id, aborted: true });
    // The others of this frame are of no use without the one that failed.
    stop.abort();
    const known = error instanceof ServiceError || error instanceof FrameError;
    const message = known ? error.message : "The map data could not be read.";
    const { status, retryAfter } =
      error instanceof ServiceError ? error : { status: 0, retryAfter: undefined };
    post({ id, failed: { message, status, retryAfter } });
  }
}

function assemble(grid: Grid, base: Frame | undefined, chunks: readonly Frame[]): Frame {
  const [first] = chunks;
  if (!first) throw new FrameError("it has no chunks");
  if (chunks.length === 1 && sameGrid(first.grid, grid)) return first;
  const frame = base && sameGrid(base.grid, grid) ? base : blankFrame(grid, first);
  if (base && base !== frame) spreadCoarse(frame, base);
  for (const chunk of chunks) pasteChunk(frame, chunk);
  return frame;
}
