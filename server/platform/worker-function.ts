import type { MessagePort } from "node:worker_threads";
import { move, transferableSymbol, valueSymbol } from "piscina";
import { monotonicMs } from "./clock.ts";

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
