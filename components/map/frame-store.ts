import { ServiceError } from "#components/view/service.ts";
import type { Frame } from "#lib/field/frame.ts";

/** To the worker. */
export type FrameOrder = { id: number; path: string; key: string } | { abort: number };

/** From the worker. */
export type FrameAnswer = { id: number } & (
  | { frame: Frame }
  | { aborted: true }
  | { failed: { message: string; status: number; retryAfter: number | undefined } }
);

/** The worker's side of a `Worker`. */
export interface FrameWorker {
  postMessage(order: FrameOrder): void;
  addEventListener(type: "message", listener: (event: MessageEvent<FrameAnswer>) => void): void;
}

interface Waiting {
  resolve(frame: Frame): void;
  reject(error: unknown): void;
}

/**
 * Frames that were decoded, the least recently used dropped first. A frame's address never changes its content, so that
 * what is held needs no check.
 */
export class FrameStore {
  private readonly worker: FrameWorker;
  private readonly budget: number;
  private readonly held = new Map<string, Frame>();
  private readonly waiting = new Map<number, Waiting>();
  private bytes = 0;
  private lastId = 0;

  /** @param budget Bytes of decoded frames to hold. */
  constructor(worker: FrameWorker, budget: number) {
    this.worker = worker;
    this.budget = budget;
    worker.addEventListener("message", ({ data }) => this.settle(data));
  }

  /** The frame at a path, if it is held. */
  peek(path: string): Frame | undefined {
    const frame = this.held.get(path);
    if (frame) {
      this.held.delete(path);
      this.held.set(path, frame);
    }
    return frame;
  }

  /**
   * The frame at a path.
   *
   * @param signal Stops the request; the promise then rejects with its reason.
   * @throws ServiceError as `call` does, and where the bytes are no frame.
   */
  async load(path: string, key: string, signal: AbortSignal): Promise<Frame> {
    const held = this.peek(path);
    if (held) return held;
    signal.throwIfAborted();
    const id = ++this.lastId;
    const abort = () => this.worker.postMessage({ abort: id });
    signal.addEventListener("abort", abort, { once: true });
    try {
      const frame = await new Promise<Frame>((resolve, reject) => {
        this.waiting.set(id, { resolve, reject });
        this.worker.postMessage({ id, path, key });
      });
      this.keep(path, frame);
      return frame;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  private settle(answer: FrameAnswer): void {
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if ("frame" in answer) waiting?.resolve(answer.frame);
    else if ("failed" in answer) {
      const { message, status, retryAfter } = answer.failed;
      waiting?.reject(new ServiceError(message, status, retryAfter));
    } else waiting?.reject(new DOMException("The frame is no longer wanted", "AbortError"));
  }

  private keep(path: string, frame: Frame): void {
    this.held.set(path, frame);
    this.bytes += frame.values.byteLength;
    for (const [oldest, { values }] of this.held) {
      if (this.bytes <= this.budget || oldest === path) break;
      this.held.delete(oldest);
      this.bytes -= values.byteLength;
    }
  }
}
