import type { FrameAnswer, FrameOrder } from "#components/map/frame-store.ts";
import { call, ServiceError } from "#components/view/service.ts";
import { decodeFrame, FrameError } from "#lib/field/frame.ts";

/** Fetches and decodes frames beside the page, so that neither takes time from drawing. */

const running = new Map<number, AbortController>();
const post: (answer: FrameAnswer, transfer?: Transferable[]) => void = (answer, transfer = []) =>
  self.postMessage(answer, { transfer });

self.addEventListener("message", ({ data }: MessageEvent<FrameOrder>) => {
  if ("abort" in data) {
    running.get(data.abort)?.abort();
    return;
  }
  const controller = new AbortController();
  running.set(data.id, controller);
  void answer(data, controller.signal).finally(() => running.delete(data.id));
});

async function answer({ id, path, key }: { id: number; path: string; key: string }, signal: AbortSignal) {
  try {
    const reply = await call(path, { key, signal });
    const frame = decodeFrame(new Uint8Array(await reply.arrayBuffer()));
    post({ id, frame }, [frame.values.buffer]);
  } catch (error) {
    if (signal.aborted) return post({ id, aborted: true });
    const known = error instanceof ServiceError || error instanceof FrameError;
    const message = known ? error.message : "The map data could not be read.";
    const { status, retryAfter } =
      error instanceof ServiceError ? error : { status: 0, retryAfter: undefined };
    post({ id, failed: { message, status, retryAfter } });
  }
}
