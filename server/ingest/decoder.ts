import { Worker } from "node:worker_threads";
import type { FieldRecord, Scan } from "./record.ts";

export interface DecoderOptions {
  /** Bytes that decoding one file may take. */
  maxMemory: number;
  /** How long one call may take, milliseconds. */
  timeout: number;
}

export const decoderDefaults: DecoderOptions = { maxMemory: 2 ** 31, timeout: 120_000 };

/** What the worker is asked. */
export type DecodeRequest =
  | { call: number; work: "scan"; file: string }
  | { call: number; work: "decode"; record: FieldRecord };

/**
 * What it answers: an error as text, because errors of wasm do not survive the way, and whether the decoder that
 * failed is left in order.
 */
export type DecodeReply = { call: number } & (
  | { scan: Scan }
  | { values: Float32Array }
  | { error: string; reusable: boolean }
);

export interface DecodeWorkerData {
  maxMemory: number;
}

/** A file or record that could not be decoded, with the reason for the person who runs the ingest. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
  readonly file: string;
  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.file = file;
  }
}

/** Calls the decoders in a worker thread: whatever a hostile file does to them, this thread lives on. */
export interface Decoder {
  /** Lists what a file holds. Throws DecodeError where it cannot be read at all. */
  scan(file: string, signal?: AbortSignal): Promise<Scan>;
  /** Values in the file's units, (nLat, nLon) row-major, south to north, west to east, NaN = missing; the caller's. */
  decode(record: FieldRecord, signal?: AbortSignal): Promise<Float32Array>;
  close(): Promise<void>;
}

/**
 * Starts decoders. Calls are answered one after the other.
 *
 * A worker that takes too long, runs out of memory or dies is replaced: the call fails with a DecodeError and the next
 * one meets a fresh worker.
 */
export function createDecoder(options: Partial<DecoderOptions> = {}): Decoder {
  const settings = { ...decoderDefaults, ...options };
  let worker: Worker | undefined;
  let calls = 0;
  let queue: Promise<unknown> = Promise.resolve();

  function start(): Worker {
    const started = startWorker(settings.maxMemory);
    // One that dies between two calls must not take the process along, and is not asked again.
    started
      .on("error", () => {})
      .once("exit", () => {
        if (worker === started) worker = undefined;
      });
    worker = started;
    return started;
  }

  async function replace(): Promise<void> {
    const old = worker;
    worker = undefined;
    await old?.terminate();
  }

  async function ask(file: string, request: Request, signal?: AbortSignal): Promise<DecodeReply> {
    signal?.throwIfAborted();
    const running = worker ?? start();
    const reply = await exchange(running, { ...request, call: ++calls }, settings.timeout, signal).catch(
      async (error: unknown) => {
        await replace();
        signal?.throwIfAborted();
        throw new DecodeError(file, reasonOf(error, settings), { cause: error });
      },
    );
    if (!("error" in reply)) return reply;
    // HDF5 and other wasm keep state between calls.
    if (!reply.reusable) await replace();
    throw new DecodeError(file, reply.error);
  }

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = queue.then(work, work);
    queue = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  return {
    scan: (file, signal) =>
      inTurn(async () => {
        const reply = await ask(file, { work: "scan", file }, signal);
        if (!("scan" in reply)) throw new DecodeError(file, "the decoder answered another question");
        return reply.scan;
      }),
    decode: (record, signal) =>
      inTurn(async () => {
        const reply = await ask(record.file, { work: "decode", record }, signal);
        if (!("values" in reply)) throw new DecodeError(record.file, "the decoder answered another question");
        return reply.values;
      }),
    close: () => inTurn(replace),
  };
}

type Request = { work: "scan"; file: string } | { work: "decode"; record: FieldRecord };

const MIB = 2 ** 20;

function startWorker(maxMemory: number): Worker {
  const workerData: DecodeWorkerData = { maxMemory };
  const worker = new Worker(new URL("./decode-worker.ts", import.meta.url), {
    workerData,
    // The JavaScript heap; typed arrays and wasm are bounded inside the worker, which knows what they are for.
    resourceLimits: { maxOldGenerationSizeMb: Math.max(128, maxMemory / 4 / MIB), stackSizeMb: 4 },
    // HDF5 prints its errors besides throwing them.
    stdout: true,
    stderr: true,
  });
  worker.unref();
  return worker;
}

function exchange(
  worker: Worker,
  request: DecodeRequest,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<DecodeReply> {
  const { promise, resolve, reject } = Promise.withResolvers<DecodeReply>();
  const timer = setTimeout(() => reject(new DecodeTimeoutError()), timeout);
  const onMessage = (reply: DecodeReply) => {
    if (reply.call === request.call) resolve(reply);
  };
  const onExit = (code: number) => reject(new Error(`the decoder stopped with exit code ${code}`));
  const onAbort = () => reject(signal?.reason);
  worker.on("message", onMessage).once("error", reject).once("exit", onExit);
  signal?.addEventListener("abort", onAbort, { once: true });
  worker.ref();
  worker.postMessage(request);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", onMessage).off("error", reject).off("exit", onExit);
    signal?.removeEventListener("abort", onAbort);
    worker.unref();
  });
}

class DecodeTimeoutError extends Error {
  override readonly name = "DecodeTimeoutError";
}

function reasonOf(error: unknown, { timeout, maxMemory }: DecoderOptions): string {
  if (error instanceof DecodeTimeoutError) return `not decoded within ${timeout / 1000} seconds`;
  if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") {
    return `decoding takes more than the ${Math.round(maxMemory / MIB)} MiB allowed (--max-memory)`;
  }
  return error instanceof Error ? error.message : String(error);
}
