import type { Grid } from "@open-metocean/geo/grid";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { framePath } from "#lib/contract/frame-paths.ts";
import type { Frame } from "#lib/field/frame.ts";
import type { Fault } from "#lib/messages/fault.ts";
import type { LevelPlan } from "./view-plan.ts";

/** Message to the worker: fetch and assemble these chunks, raise the priority of a request, or abort it. */
export type WorkerRequest =
  | {
      id: number;
      paths: readonly string[];
      /** Grid of the assembled frame. */
      grid: Grid;
      /** Fills what the chunks do not cover: the same frame with fewer chunks, or a coarser frame. */
      base: Frame | undefined;
      /** These chunks fill the grid, so that the base is needed only if one cannot be read. */
      isWhole: boolean;
      urgent: boolean;
    }
  | { raise: number }
  /** Store of the saved frames for the key in use; undefined if none are saved. */
  | { store: string | undefined }
  /** Cancels requests that are late. */
  | { cancelLate: true }
  | { abort: number };

/** Message from the worker: how a request ended, or whether requests are late. */
export type WorkerReply =
  | ({ id: number } & (
      | {
          frame: Frame;
          /** Requested chunks that are not in it, by index: those that are not saved, without the service. */
          missing?: readonly number[];
        }
      | { aborted: true }
      | { failed: { said: string | Fault; status: number; retryAfter: number | undefined } }
    ))
  | { late: boolean };

/** The worker's side of a `Worker`. */
export interface FrameWorker {
  postMessage(order: WorkerRequest, transfer?: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<WorkerReply>) => void): void;
}

/** One step of a variable of a run on one level, with the chunks that a view needs. */
export interface FrameRequest {
  run: string;
  variable: string;
  /** Signed path of the run's frames. It expires and is renewed, but the frames stay the same. */
  frames: string;
  /** Valid time in the form of the manifest. */
  time: string;
  plan: LevelPlan;
}

interface CachedFrame {
  frame: Frame;
  /** Chunks that the frame contains; the rest is filled from a coarser level. */
  chunks: ReadonlySet<string>;
}

interface PendingFrame {
  id: number;
  key: string;
  /** Path by which its chunks are requested. */
  frames: string;
  /** Chunks that the frame will contain. */
  chunks: ReadonlySet<string>;
  /** Names of the requested chunks, in the order of their paths. */
  asked: readonly string[];
  frame: Promise<Frame>;
  resolve(frame: Frame): void;
  reject(error: unknown): void;
  waiters: number;
  urgent: boolean;
}

/**
 * Cache of frames that a worker fetches, decodes and assembles; the least recently used are evicted first.
 * Frames are immutable, so cached ones need no revalidation.
 */
export class FrameStore {
  /** Largest total size of the cached frames, bytes. */
  readonly budget: number;
  private readonly worker: FrameWorker;
  private readonly cached = new Map<string, CachedFrame>();
  private readonly pending = new Map<number, PendingFrame>();
  private bytes = 0;
  private lastId = 0;

  constructor(worker: FrameWorker, budget: number) {
    this.worker = worker;
    this.budget = budget;
    worker.addEventListener("message", ({ data }) => this.settle(data));
  }

  /** The cached frame, if it has all chunks that the view needs. */
  complete(request: FrameRequest): Frame | undefined {
    const cached = this.find(request);
    return cached && request.plan.names.every((name) => cached.chunks.has(name)) ? cached.frame : undefined;
  }

  /** The cached frame, even if part of the view is filled from a coarser level. */
  partial(request: FrameRequest): Frame | undefined {
    return this.find(request)?.frame;
  }

  /**
   * The frame that a view needs. Concurrent calls for the same frame share one request.
   *
   * @param coarse A coarser frame of the same step, for what the chunks do not cover.
   * @param urgent Whether the frame is drawn now, not prefetched.
   * @param signal Leaves the request, and aborts it if no other caller waits; the promise rejects with its
   * reason.
   * @throws ServiceError as `apiFetch` does, and if the bytes are not a frame.
   */
  async load(
    request: FrameRequest,
    coarse: Frame | undefined,
    urgent: boolean,
    signal: AbortSignal,
  ): Promise<Frame> {
    signal.throwIfAborted();
    const complete = this.complete(request);
    if (complete) return complete;
    const pending = this.pendingOf(request, coarse, urgent);
    pending.waiters++;
    if (urgent && !pending.urgent) {
      pending.urgent = true;
      this.worker.postMessage({ raise: pending.id });
    }
    const left = Promise.withResolvers<never>();
    const leave = () => {
      left.reject(signal.reason);
      pending.waiters--;
      if (pending.waiters > 0) return;
      this.pending.delete(pending.id);
      this.worker.postMessage({ abort: pending.id });
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([pending.frame, left.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  private find(request: FrameRequest): CachedFrame | undefined {
    const key = keyOf(request);
    const cached = this.cached.get(key);
    if (cached) {
      this.cached.delete(key);
      this.cached.set(key, cached);
    }
    return cached;
  }

  /** The pending request that covers this one, or a new one. */
  private pendingOf(request: FrameRequest, coarse: Frame | undefined, urgent: boolean): PendingFrame {
    const { frames, time, plan } = request;
    const key = keyOf(request);
    for (const pending of this.pending.values()) {
      // A request by an expired path fails, so one by the new path must not share it.
      const samePath = pending.key === key && pending.frames === frames;
      if (samePath && plan.names.every((name) => pending.chunks.has(name))) return pending;
    }
    const cached = this.cached.get(key);
    const { promise, resolve, reject } = Promise.withResolvers<Frame>();
    const chunks = new Set([...(cached?.chunks ?? []), ...plan.names]);
    const id = ++this.lastId;
    const asked = plan.names.filter((name) => !cached?.chunks.has(name));
    const pending = { id, key, frames, chunks, asked, frame: promise, resolve, reject, waiters: 0, urgent };
    this.pending.set(id, pending);
    // The worker gets a copy because the original is on the map.
    const known = cached?.frame ?? coarse;
    const base = known && { ...known, values: known.values.slice() };
    const paths = asked.map((name) => framePath(frames, time, plan.level, name));
    const { grid } = plan;
    const isWhole = plan.isWhole && asked.length === plan.names.length;
    this.worker.postMessage({ id, paths, grid, base, isWhole, urgent }, base ? [base.values.buffer] : []);
    return pending;
  }

  private settle(reply: WorkerReply): void {
    const pending = "id" in reply ? this.pending.get(reply.id) : undefined;
    if (!pending || !("id" in reply)) return;
    this.pending.delete(reply.id);
    if ("frame" in reply) {
      const missing = new Set((reply.missing ?? []).map((index) => pending.asked[index]));
      const chunks = [...pending.chunks].filter((name) => !missing.has(name));
      this.store(pending.key, { frame: reply.frame, chunks: new Set(chunks) });
      pending.resolve(reply.frame);
    } else if ("failed" in reply) {
      const { said, status, retryAfter } = reply.failed;
      pending.reject(new ServiceError(said, status, retryAfter));
    } else pending.reject(new DOMException("The frame is no longer wanted", "AbortError"));
  }

  private store(key: string, cached: CachedFrame): void {
    // If two requests overlap, the frame with more chunks is cached.
    if ((this.cached.get(key)?.chunks.size ?? 0) > cached.chunks.size) return;
    this.evict(key);
    this.cached.set(key, cached);
    this.bytes += cached.frame.values.byteLength;
    for (const oldest of this.cached.keys()) {
      if (this.bytes <= this.budget || oldest === key) break;
      this.evict(oldest);
    }
  }

  private evict(key: string): void {
    this.bytes -= this.cached.get(key)?.frame.values.byteLength ?? 0;
    this.cached.delete(key);
  }
}

function keyOf({ run, variable, time, plan: { level, grid } }: FrameRequest): string {
  const { latitude, longitude } = grid;
  const window = [latitude.start, latitude.count, longitude.start, longitude.count];
  return [run, variable, time, level, ...window].join(" ");
}
