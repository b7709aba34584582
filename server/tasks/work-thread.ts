import { Worker } from "node:worker_threads";
import { ProcessingError } from "#server/platform/errors.ts";

/** A thread that computes tasks, so that the one of the requests stays free. */
export interface WorkThread {
  /** @throws ProcessingError as the work threw it; ThreadEndedError; the signal's reason. */
  run<Made>(job: unknown, signal: AbortSignal, progress: (share: number) => void): Promise<Made>;
  close(): Promise<void>;
}

export interface ThreadOptions {
  /** A module that calls `serveWork`. */
  entry: URL;
  /** What it finds as its workerData. */
  data: unknown;
  /** Most memory of its objects, MiB: a request that needs more ends the thread and not the service. */
  memoryMb: number;
  /** How long it stays when there is nothing to do, milliseconds. */
  idleMs: number;
}

/** To the thread. */
export type ToThread = { id: number; job: unknown } | { id: number; stop: true };

/** From the thread. */
export type FromThread = { id: number } & (
  | { progress: number }
  | { made: unknown }
  | { failed: { known: boolean; message: string; stack?: string } }
);

/** The thread went away in the middle of the work. */
export class ThreadEndedError extends Error {
  override readonly name = "ThreadEndedError";
}

/** An error of the work that is not for its owner. */
class WorkError extends Error {
  override readonly name = "WorkError";
}

interface Waiting {
  progress(share: number): void;
  resolve(made: never): void;
  reject(error: Error): void;
}

/** How long a job may take to notice that it was stopped, before its thread is ended. */
const STOP_MS = 10_000;

/** The thread begins with its first job, and begins anew after it ended. */
export function workThread({ entry, data, memoryMb, idleMs }: ThreadOptions): WorkThread {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let jobs = 0;
  const waiting = new Map<number, Waiting>();

  function begun(): Worker {
    if (thread) return thread;
    const begun = new Worker(entry, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    begun.on("message", (message: FromThread) => receive(message));
    for (const event of ["error", "exit"]) {
      begun.on(event, (cause?: unknown) => {
        if (thread === begun) forget(cause);
      });
    }
    thread = begun;
    return begun;
  }

  function forget(cause?: unknown): Worker | undefined {
    const ended = thread;
    thread = undefined;
    const error = new ThreadEndedError("The thread of the tasks ended", { cause });
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    return ended;
  }

  function receive(message: FromThread): void {
    const job = waiting.get(message.id);
    if (!job) return;
    if ("progress" in message) {
      job.progress(message.progress);
      return;
    }
    waiting.delete(message.id);
    if ("made" in message) job.resolve(message.made as never);
    else {
      const { known, message: text, stack } = message.failed;
      const error = known ? new ProcessingError(text) : new WorkError(text);
      if (stack) error.stack = stack;
      job.reject(error);
    }
  }

  return {
    async run<Made>(job: unknown, signal: AbortSignal, progress: (share: number) => void): Promise<Made> {
      signal.throwIfAborted();
      clearTimeout(idle);
      const worker = begun();
      const id = ++jobs;
      let deaf: NodeJS.Timeout | undefined;
      const stop = () => {
        worker.postMessage({ id, stop: true } satisfies ToThread);
        deaf = setTimeout(() => void worker.terminate(), STOP_MS);
      };
      try {
        const made = new Promise<Made>((resolve, reject) => {
          waiting.set(id, { progress, resolve, reject });
        });
        signal.addEventListener("abort", stop, { once: true });
        worker.postMessage({ id, job } satisfies ToThread);
        return await made;
      } finally {
        clearTimeout(deaf);
        signal.removeEventListener("abort", stop);
        if (waiting.size === 0) idle = setTimeout(() => void forget()?.terminate(), idleMs).unref();
      }
    },
    async close() {
      clearTimeout(idle);
      await forget()?.terminate();
    },
  };
}
