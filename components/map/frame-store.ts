import { ServiceError } from "#components/api-client/service.ts";
import { framePath } from "#lib/contract/frame-paths.ts";
import type { Frame } from "#lib/field/frame.ts";
import type { Grid } from "#lib/field/grid.ts";
import type { LevelPlan } from "./view-plan.ts";

/** To the worker: fetch these chunks and put them together; it is urgent after all; stop. */
export type WorkerRequest =
  | {
      id: number;
      paths: readonly string[];
      /** Grid of the frame to make. */
      grid: Grid;
      /** What is known where the chunks do not reach: the same frame with fewer chunks, or a coarser one. */
      base: Frame | undefined;
      urgent: boolean;
    }
  | { raise: number }
  | { abort: number };

/** From the worker. */
export type WorkerReply = { id: number } & (
  | { frame: Frame }
  | { aborted: true }
  | { failed: { message: string; status: number; retryAfter: number | undefined } }
);

/** The worker's side of a `Worker`. */
export interface FrameWorker {
  postMessage(order: WorkerRequest, transfer?: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<WorkerReply>) => void): void;
}

/** One step of a variable of a run on a level, as far as a view needs it. */
export interface FrameRequest {
  run: string;
  variable: string;
  /** Path below which the frames of the run are. It changes while the frames do not. */
  frames: string;
  /** Valid time as the manifest writes it. */
  time: string;
  plan: LevelPlan;
}

interface Held {
  frame: Frame;
  /** Chunks that are in it; the rest is filled from a coarser level. */
  chunks: ReadonlySet<string>;
}

interface Job {
  id: number;
  key: string;
  /** Path below which its frames are asked for. */
  frames: string;
  /** Chunks that will be in the frame. */
  chunks: ReadonlySet<string>;
  frame: Promise<Frame>;
  resolve(frame: Frame): void;
  reject(error: unknown): void;
  waiting: number;
  urgent: boolean;
}

/**
 * Frames that were read, decoded and put together in a worker, the least recently used dropped first. A frame's address
 * never changes its content, so that what is held needs no check.
 */
export class FrameStore {
  /** Bytes of frames that it holds at most. */
  readonly budget: number;
  private readonly worker: FrameWorker;
  private readonly held = new Map<string, Held>();
  private readonly jobs = new Map<number, Job>();
  private bytes = 0;
  private lastId = 0;

  constructor(worker: FrameWorker, budget: number) {
    this.worker = worker;
    this.budget = budget;
    worker.addEventListener("message", ({ data }) => this.settle(data));
  }

  /** The frame that is held, if all that the view needs is in it. */
  complete(wanted: FrameRequest): Frame | undefined {
    const held = this.find(wanted);
    return held && wanted.plan.names.every((name) => held.chunks.has(name)) ? held.frame : undefined;
  }

  /** The frame that is held, even if parts of the view are in it as a coarser level has them. */
  partial(wanted: FrameRequest): Frame | undefined {
    return this.find(wanted)?.frame;
  }

  /**
   * The frame that a view needs. Who asks for the same at the same time shares the request.
   *
   * @param coarse A coarser frame of the same step, for where the chunks do not reach.
   * @param urgent Somebody waits for it.
   * @param signal Stops waiting, and the request where nobody else waits; the promise then rejects with its reason.
   * @throws ServiceError as `call` does, and where the bytes are no frame.
   */
  async load(
    wanted: FrameRequest,
    coarse: Frame | undefined,
    urgent: boolean,
    signal: AbortSignal,
  ): Promise<Frame> {
    signal.throwIfAborted();
    const whole = this.complete(wanted);
    if (whole) return whole;
    const job = this.jobOf(wanted, coarse, urgent);
    job.waiting++;
    if (urgent && !job.urgent) {
      job.urgent = true;
      this.worker.postMessage({ raise: job.id });
    }
    const left = Promise.withResolvers<never>();
    const leave = () => {
      left.reject(signal.reason);
      job.waiting--;
      if (job.waiting > 0) return;
      this.jobs.delete(job.id);
      this.worker.postMessage({ abort: job.id });
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([job.frame, left.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  private find(wanted: FrameRequest): Held | undefined {
    const key = keyOf(wanted);
    const held = this.held.get(key);
    if (held) {
      this.held.delete(key);
      this.held.set(key, held);
    }
    return held;
  }

  /** The request under way that will have all that is wanted, or a new one. */
  private jobOf(
    { frames, time, plan, ...wanted }: FrameRequest,
    coarse: Frame | undefined,
    urgent: boolean,
  ): Job {
    const key = keyOf({ frames, time, plan, ...wanted });
    for (const job of this.jobs.values()) {
      // One by a path that has ended since fails: what is asked for by the new path must not share its end.
      if (job.key === key && job.frames === frames && plan.names.every((name) => job.chunks.has(name)))
        return job;
    }
    const held = this.held.get(key);
    const { promise, resolve, reject } = Promise.withResolvers<Frame>();
    const chunks = new Set([...(held?.chunks ?? []), ...plan.names]);
    const id = ++this.lastId;
    const job: Job = { id, key, frames, chunks, frame: promise, resolve, reject, waiting: 0, urgent };
    this.jobs.set(job.id, job);
    // A copy goes to the worker: what is drawn stays.
    const known = held?.frame ?? (plan.isWhole ? undefined : coarse);
    const base = known && { ...known, values: known.values.slice() };
    const missing = plan.names.filter((name) => !held?.chunks.has(name));
    const paths = missing.map((name) => framePath(frames, time, plan.level, name));
    this.worker.postMessage(
      { id: job.id, paths, grid: plan.grid, base, urgent },
      base ? [base.values.buffer] : [],
    );
    return job;
  }

  private settle(answer: WorkerReply): void {
    const job = this.jobs.get(answer.id);
    if (!job) return;
    this.jobs.delete(answer.id);
    if ("frame" in answer) {
      this.keep(job.key, { frame: answer.frame, chunks: job.chunks });
      job.resolve(answer.frame);
    } else if ("failed" in answer) {
      const { message, status, retryAfter } = answer.failed;
      job.reject(new ServiceError(message, status, retryAfter));
    } else job.reject(new DOMException("The frame is no longer wanted", "AbortError"));
  }

  private keep(key: string, held: Held): void {
    // Of two requests that overlapped, the one that knows more counts.
    if ((this.held.get(key)?.chunks.size ?? 0) > held.chunks.size) return;
    this.drop(key);
    this.held.set(key, held);
    this.bytes += held.frame.values.byteLength;
    for (const oldest of this.held.keys()) {
      if (this.bytes <= this.budget || oldest === key) break;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    this.bytes -= this.held.get(key)?.frame.values.byteLength ?? 0;
    this.held.delete(key);
  }
}

function keyOf({ run, variable, time, plan: { level, grid } }: FrameRequest): string {
  const { latitude, longitude } = grid;
  const window = [latitude.start, latitude.count, longitude.start, longitude.count];
  return [run, variable, time, level, ...window].join(" ");
}
