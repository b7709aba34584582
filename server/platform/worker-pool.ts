import {
  MessageChannel,
  type MessagePort,
  type ResourceLimits,
  receiveMessageOnPort,
} from "node:worker_threads";
import { move, Piscina, transferableSymbol, valueSymbol } from "piscina";
import { monotonicMs } from "./clock.ts";

export interface WorkerPoolOptions {
  /** Module whose exports are made by `workerFunction`. */
  entry: URL;
  /** The workerData of each thread. */
  data?: unknown;
  threads?: number;
  /** Calls that a thread works on at the same time; the others wait. */
  concurrency?: number;
  /** A thread without work ends after this time. A thread starts with the first call that needs it. */
  idleMs: number;
  /**
   * A call that needs more memory ends its thread, or the process: V8 aborts where a single allocation, such as that of
   * JSON.parse, does not fit. What calls may need has to be bounded by their input.
   */
  limits?: ResourceLimits;
  /** A thread that has not ended an aborted call after this time is terminated, with all threads of the pool. */
  graceMs?: number;
  /** Error classes that are thrown here as they were thrown in the thread; all others arrive as WorkerError. */
  errors?: readonly ErrorClass[];
}

/** Young objects of a thread that does not say otherwise, MiB: three semi-spaces of 4. */
const YOUNG_MB = 12;

type ErrorClass = new (message: string) => Error;

export interface CallOptions {
  /** Stops the function by the signal of its `CallContext`. Not for calls that may have to wait for a thread. */
  signal?: AbortSignal;
  /** @param share Between 0 and 1. */
  onProgress?(share: number): void;
  /** Buffers of the input that are handed over instead of copied. */
  transferred?: ArrayBuffer[];
}

/** Threads that compute, so that the thread that answers requests stays free. */
export interface WorkerPool {
  /**
   * Calls an exported function of the entry module. Input and result are copied (structured clone).
   *
   * @throws The error of the function; ThreadEndedError; the signal's reason.
   */
  call<Result>(name: string, input: unknown, options?: CallOptions): Promise<Result>;
  /** Ends all threads: calls in progress fail, the next call starts a new thread. */
  terminate(): Promise<void>;
}

/** The thread ended during the call: it ran out of memory, crashed or was terminated. */
export class ThreadEndedError extends Error {
  override readonly name = "ThreadEndedError";
}

/** An error of the called function that is of no class listed in `errors`. */
export class WorkerError extends Error {
  override readonly name = "WorkerError";
}

/**
 * A pool of piscina, with what it lacks: its abort signal terminates the thread, with every other call that runs there;
 * and it neither reports progress nor keeps the classes of errors.
 */
export function workerPool(options: WorkerPoolOptions): WorkerPool {
  const { graceMs = 10_000, errors = [] } = options;
  const pool = new Piscina({
    workerData: options.data,
    minThreads: 0,
    maxThreads: options.threads ?? 1,
    concurrentTasksPerWorker: options.concurrency ?? 1,
    idleTimeout: options.idleMs,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, ...options.limits },
    // By default an idle thread sleeps in Atomics.wait, and what a call left behind (open files, timers) with it.
    atomics: "disabled",
    recordTiming: false,
  });
  // A thread that fails between two calls fails none of them. Without a listener the event would end the process.
  pool.on("error", () => {});
  // Named for each call and not for the pool: a module that cannot be loaded then fails the call instead of the thread.
  const filename = options.entry.href;

  let terminated: Promise<void> = Promise.resolve();
  const terminate = () => {
    terminated = Promise.all([terminated, pool.destroy()]).then(() => undefined);
    return terminated;
  };

  return {
    terminate,
    async call<Result>(
      name: string,
      input: unknown,
      { signal, onProgress, transferred = [] }: CallOptions = {},
    ) {
      await terminated;
      signal?.throwIfAborted();
      const channel = signal || onProgress ? new MessageChannel() : undefined;
      const port = channel?.port1.on("message", (share: number) => onProgress?.(share));
      let grace: NodeJS.Timeout | undefined;
      const stop = () => {
        port?.postMessage("stop");
        grace = setTimeout(() => void terminate(), graceMs);
      };
      signal?.addEventListener("abort", stop, { once: true });
      try {
        const call: WorkerCall = { input, port: channel?.port2 };
        const run = { filename, name, transferList: channel ? [channel.port2, ...transferred] : transferred };
        const outcome = await pool.run(call, run).catch((cause: unknown) => {
          throw new ThreadEndedError("The worker thread ended", { cause });
        });
        if (port) reportRest(port, onProgress);
        return resultOf<Result>(outcome as Outcome, errors);
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      } finally {
        clearTimeout(grace);
        signal?.removeEventListener("abort", stop);
        port?.close();
      }
    },
  };
}

/** Progress and result arrive by different ports: progress that was sent before the result may not be here yet. */
function reportRest(port: MessagePort, onProgress: CallOptions["onProgress"]): void {
  for (let sent = receiveMessageOnPort(port); sent; sent = receiveMessageOnPort(port))
    onProgress?.(sent.message);
}

function resultOf<Result>(outcome: Outcome, errors: readonly ErrorClass[]): Result {
  if ("result" in outcome) return outcome.result as Result;
  const { classes, message, stack } = outcome.failure;
  const Known = errors.find(({ name }) => classes.includes(name)) ?? WorkerError;
  const error = new Known(message);
  if (stack !== undefined) error.stack = stack;
  throw error;
}

/** What `workerPool` sends for one call. The port carries progress to the caller, and a message that stops the call. */
export interface WorkerCall<Input = unknown> {
  input: Input;
  port: MessagePort | undefined;
}

export type Outcome = { result: unknown } | { failure: Failure };

/** An error as text: its class, and values that cannot be cloned, do not cross the thread boundary. */
interface Failure {
  /** Names of its class and of those that it extends. */
  classes: string[];
  message: string;
  stack?: string;
}

export interface CallContext {
  /** Aborts when the caller gives up. */
  signal: AbortSignal;
  /** @param share Between 0 and 1. */
  progress(share: number): void;
}

/** Progress is reported this often at most. */
const PROGRESS_MS = 200;

/**
 * Makes a function callable by `workerPool`: the thread's side of it.
 *
 * @param transferred Buffers of the result that are handed over instead of copied.
 */
export function workerFunction<Input, Result>(
  work: (input: Input, context: CallContext) => Result | Promise<Result>,
  transferred: (result: Result) => ArrayBuffer[] = () => [],
): (call: WorkerCall<Input>) => Promise<unknown> {
  return async ({ input, port }) => {
    const stop = new AbortController();
    port?.on("message", () => stop.abort());
    let reportedAt = Number.NEGATIVE_INFINITY;
    const progress = (share: number) => {
      if (monotonicMs() - reportedAt < PROGRESS_MS) return;
      reportedAt = monotonicMs();
      port?.postMessage(share);
    };
    try {
      const result = await work(input, { signal: stop.signal, progress });
      return move({ [transferableSymbol]: transferred(result), [valueSymbol]: { result } } as never);
    } catch (error) {
      return { failure: failureOf(error) } satisfies Outcome;
    } finally {
      port?.close();
    }
  };
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { classes: [], message: String(error) };
  const classes: string[] = [];
  for (let type = error; type !== null; type = Object.getPrototypeOf(type))
    classes.push(type.constructor.name);
  return { classes, message: error.message, stack: error.stack };
}
