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

/** A request for frames without a reply. */
export type OpenOrder = Extract<WorkerRequest, { paths: unknown }>;

/** A frame worker that replies when the test tells it to. */
export function heldWorker() {
  let listener: (event: MessageEvent<WorkerReply>) => void = () => {};
  const orders: WorkerRequest[] = [];
  const open = new Map<number, OpenOrder>();
  const answer = (data: WorkerReply) => {
    open.delete(data.id);
    listener({ data } as MessageEvent<WorkerReply>);
  };
  return {
    /** All requests, in order. */
    orders,
    /** Requests that are neither answered nor aborted. */
    open: () => [...open.values()],
    postMessage(order: WorkerRequest) {
      orders.push(order);
      if ("paths" in order) open.set(order.id, order);
      else if ("abort" in order) open.delete(order.abort);
    },
    addEventListener(_type: "message", added: typeof listener) {
      listener = added;
    },
    answer,
    /** Answers every open request whose paths all match with a frame. */
    async serve(pattern = /./) {
      for (const { id, paths, grid } of [...open.values()]) {
        if (paths.every((path) => pattern.test(path))) answer({ id, frame: frameOf(grid) });
      }
      await settled();
    },
    /** Answers every open request with a failure. */
    async fail(status: number, retryAfter?: number) {
      for (const { id } of [...open.values()]) {
        answer({ id, failed: { message: `Failed: ${status}`, status, retryAfter } });
      }
      await settled();
    },
  };
}

/** Lets pending promise callbacks run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
