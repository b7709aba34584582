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
  /** Calls that a thread runs at the same time. Others wait. */
  concurrency?: number;
  /** An idle thread ends after this time. A thread starts with the first call that needs it. */
  idleMs: number;
  /**
   * Memory limits of a thread. A call that needs more ends its thread, or the process: V8 aborts where a single
   * allocation, such as that of JSON.parse, does not fit. The size of the input must therefore bound the memory of a
   * call.
   */
  limits?: ResourceLimits;
  /**
   * A thread that has not ended an aborted call after this time is terminated, together with all threads of the pool.
   */
  graceMs?: number;
  /** Error classes that are rethrown as such. All others arrive as WorkerError. */
  errors?: readonly ErrorClass[];
}

/** Default memory for young objects of a thread, MiB: three semi-spaces of 4. */
const YOUNG_MB = 12;

type ErrorClass = new (message: string) => Error;

export interface CallOptions {
  /**
   * Aborts the `signal` of the function's `CallContext`. Do not use it for calls that may have to wait for a thread.
   */
  signal?: AbortSignal;
  /** @param share Between 0 and 1. */
  onProgress?(share: number): void;
  /** Buffers of the input that are transferred instead of copied. */
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
  /** Ends all threads: calls in progress fail, and the next call starts a new thread. */
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
 * Wraps a pool of piscina. Piscina's abort signal terminates the thread with every other call that runs there, and it
 * neither reports progress nor keeps the classes of errors.
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
    // By default an idle thread sleeps in Atomics.wait, which also stops asynchronous work that a call left behind,
    // such as open files and timers.
    atomics: "disabled",
    recordTiming: false,
  });
  // A thread that fails between two calls fails none of them. Without this listener the event would end the process.
  pool.on("error", () => {});
  // The file is named for each call and not for the pool, so that a module that cannot be loaded fails the call instead
  // of the thread.
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

/** Delivers progress that was sent before the result but arrives later, because both use different ports. */
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

/**
 * The message that `workerPool` sends for one call. The port carries progress to the caller, and a message that stops
 * the call.
 */
export interface WorkerCall<Input = unknown> {
  input: Input;
  port: MessagePort | undefined;
}

export type Outcome = { result: unknown } | { failure: Failure };

/** An error as text. Its class, and values that cannot be cloned, do not cross the thread boundary. */
interface Failure {
  /** Names of its class and of the classes that it extends. */
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

/** Shortest interval between two reports of progress, milliseconds. */
const PROGRESS_MS = 200;

/**
 * Makes a function callable by `workerPool`.
 *
 * @param transferred Returns buffers of the result that are transferred instead of copied.
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
