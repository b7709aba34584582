import cluster, { type Worker } from "node:cluster";
import { setTimeout as wait } from "node:timers/promises";
import { monotonicMs } from "#server/platform/clock.ts";
import { EXIT_CONFIG } from "#server/platform/env.ts";
import type { Logger } from "#server/platform/log.ts";
import {
  type FromMember,
  type FromSupervisor,
  GATHER_MS,
  joinExpositions,
  NUMBER_ARGUMENT,
} from "./member.ts";

/** Pause before a process that died is started again. It doubles each time, until a process has run long enough. */
const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;
const LIVED_MS = 60_000;

/** Longest time for all processes to stop, milliseconds. */
const STOP_MS = 40_000;

export interface SuperviseOptions {
  count: number;
  /** Script of each process. */
  exec: string;
  log: Pick<Logger, "info" | "warn" | "error">;
  /** Called once, when all processes listen for the first time. */
  onListening(port: number, key: string | undefined): void;
  /** Longest time for all processes to stop, milliseconds. */
  stopMs?: number;
}

export interface Supervised {
  /** Resolves when all processes have ended, with the exit status: 0 if they were stopped. */
  ended: Promise<number>;
  stop(): void;
  /** Kills all processes with SIGKILL. */
  kill(): void;
}

/**
 * Runs processes that share a port, and restarts one that dies. The first process starts alone, because it does the
 * work of a first start and reports a wrong configuration once. If a process ends before all listen, or with a wrong
 * configuration, all end.
 */
export function supervise({ count, exec, log, onListening, stopMs = STOP_MS }: SuperviseOptions): Supervised {
  const workers = new Map<number, Worker>();
  const closing = new AbortController();
  const listening = new Set<number>();
  let status: number | undefined;
  let started: { port: number; key: string | undefined } | undefined;
  let isComplete = false;

  const gathering = new Map<number, (text: string) => void>();
  let asked = 0;

  async function gather(): Promise<string> {
    const texts = [...listening].map(
      (number) =>
        new Promise<string>((resolve) => {
          const id = ++asked;
          const done = (text: string) => {
            clearTimeout(timer);
            gathering.delete(id);
            resolve(text);
          };
          const timer = setTimeout(() => done(""), GATHER_MS);
          gathering.set(id, done);
          tell(workers.get(number), { type: "measure", id });
        }),
    );
    return joinExpositions(await Promise.all(texts));
  }

  function end(code: number): void {
    status ??= code;
    closing.abort();
    for (const worker of workers.values()) tell(worker, { type: "stop" });
    // The processes themselves keep this one running.
    setTimeout(kill, stopMs).unref();
  }

  function kill(): void {
    for (const worker of workers.values()) worker.process.kill("SIGKILL");
  }

  function hear(number: number, worker: Worker, message: FromMember): void {
    if (message.type === "gather") {
      void gather().then((text) => tell(worker, { type: "gathered", id: message.id, text }));
    } else if (message.type === "metrics") gathering.get(message.id)?.(message.text);
    else if (message.type === "listening") {
      listening.add(number);
      const isFirst = started === undefined;
      started ??= { port: message.port, key: message.key };
      if (isFirst && !closing.signal.aborted)
        for (let other = 2; other <= count; other++) slots.push(run(other));
      if (isComplete || listening.size < count) return;
      isComplete = true;
      onListening(started.port, started.key);
    }
  }

  /** Runs one process until it ends. @returns Its exit status. */
  function runOnce(number: number): Promise<number | null> {
    cluster.setupPrimary({ exec, args: [`${NUMBER_ARGUMENT}${number}`] });
    const worker = cluster.fork();
    workers.set(number, worker);
    worker.on("message", (message: FromMember) => hear(number, worker, message));
    worker.on("error", () => {});
    return new Promise((resolve) => {
      worker.once("exit", (code: number | null) => {
        workers.delete(number);
        listening.delete(number);
        resolve(code);
      });
    });
  }

  async function run(number: number): Promise<void> {
    let pauseMs = MIN_PAUSE_MS;
    while (!closing.signal.aborted) {
      const since = monotonicMs();
      const code = await runOnce(number);
      if (closing.signal.aborted) return;
      if (!isComplete || code === EXIT_CONFIG) return end(code || 1);
      pauseMs = monotonicMs() - since > LIVED_MS ? MIN_PAUSE_MS : Math.min(2 * pauseMs, MAX_PAUSE_MS);
      log.warn({ process: number, code, pauseMs }, "a process died and is started again");
      await wait(pauseMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  const slots = [run(1)];
  return {
    ended: (async () => {
      for (let next = slots[0]; next; next = slots[slots.indexOf(next) + 1]) await next;
      return status ?? 0;
    })(),
    stop: () => end(0),
    kill,
  };
}

function tell(worker: Worker | undefined, message: FromSupervisor): void {
  if (worker?.isConnected()) worker.send(message, undefined, undefined, () => {});
}
