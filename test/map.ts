import type { WorkerReply, WorkerRequest } from "#components/map/frame-store.ts";
import type { Frame } from "#lib/field/frame.ts";
import type { Grid } from "#lib/field/grid.ts";

/** A frame of zeros. */
export function frameOf(grid: Grid): Frame {
  const nodes = grid.latitude.count * grid.longitude.count;
  return {
    grid,
    time: 0,
    bands: [{ name: "u", scale: 1, offset: 0 }],
    values: new Int16Array(nodes),
    perNode: 1,
  };
}

/** A request for frames that is not answered yet. */
export type OpenRequest = Extract<WorkerRequest, { paths: unknown }>;

/** A frame worker that replies when the test says so. */
export function controlledWorker() {
  let listener: (event: MessageEvent<WorkerReply>) => void = () => {};
  const requests: WorkerRequest[] = [];
  const open = new Map<number, OpenRequest>();
  const reply = (data: WorkerReply) => {
    if ("id" in data) open.delete(data.id);
    listener({ data } as MessageEvent<WorkerReply>);
  };
  return {
    /** All messages to the worker, in order. */
    requests,
    /** Requests that are neither answered nor aborted. */
    open: () => [...open.values()],
    postMessage(request: WorkerRequest) {
      requests.push(request);
      if ("paths" in request) open.set(request.id, request);
      else if ("abort" in request) open.delete(request.abort);
    },
    addEventListener(_type: "message", added: typeof listener) {
      listener = added;
    },
    reply,
    /** Replies with a frame to every open request whose paths all match. */
    async serve(pattern = /./) {
      for (const { id, paths, grid } of [...open.values()]) {
        if (paths.every((path) => pattern.test(path))) reply({ id, frame: frameOf(grid) });
      }
      await flushPromises();
    },
    /** Replies with a failure to every open request. */
    async fail(status: number, retryAfter?: number) {
      for (const { id } of [...open.values()]) {
        reply({ id, failed: { said: `Failed: ${status}`, status, retryAfter } });
      }
      await flushPromises();
    },
  };
}

/** Runs the reactions of settled promises. */
export async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
