import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { kill } from "./kill.ts";

const root = path.resolve(import.meta.dirname, "../..");

/**
 * The part of this process's environment that every child needs. The rest may contain a key or a database of the person
 * who runs it.
 */
export function baseEnv() {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME, NODE_ENV: "production" as const };
}

export interface PartOptions {
  name: string;
  command: readonly [string, ...string[]];
  /** Environment, which takes effect at its next start. */
  env: Record<string, string | undefined>;
  /** File to which its output is appended. */
  log: string;
  /** Whether it works. */
  isReady(part: Part): Promise<boolean>;
}

const POLL_MS = 50;
const MAX_START_MS = 180_000;
/** Longest time for a stop, milliseconds, longer than any drain. */
const MAX_STOP_MS = 60_000;

/** One process of a laboratory, which can be killed, stopped in order and started again. */
export class Part {
  readonly name: string;
  readonly options: PartOptions;
  /** Whether it ended without being told to. */
  hasCrashed = false;
  #child: ChildProcess | undefined;
  #isExpected = true;
  #logged = 0;

  constructor(options: PartOptions) {
    this.name = options.name;
    this.options = options;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Output of its present process so far. */
  output(): string {
    return readFileSync(this.options.log).subarray(this.#logged).toString();
  }

  start(): void {
    const { env, log: file, command } = this.options;
    const [program, ...args] = command;
    const log = openSync(file, "a");
    this.#logged = readFileSync(file).length;
    this.#isExpected = false;
    // The process has a group of its own, so that Ctrl-C in a terminal reaches only the laboratory, which ends its
    // parts in order.
    const child = spawn(program, args, {
      cwd: root,
      env: { ...baseEnv(), ...env },
      detached: true,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    this.#child = child;
    child.once("exit", () => {
      this.hasCrashed ||= !this.#isExpected;
    });
  }

  /** @throws Error if it has ended, or is not ready in time. */
  async ready(): Promise<void> {
    const deadline = performance.now() + MAX_START_MS;
    while (!(await this.options.isReady(this).catch(() => false))) {
      if (this.hasCrashed || performance.now() > deadline)
        throw new Error(`${this.name} does not come up. ${this.options.log}:\n${this.output().slice(-2000)}`);
      await delay(POLL_MS);
    }
  }

  /** Sends SIGKILL and waits until the process is gone. */
  async kill(): Promise<void> {
    this.#isExpected = true;
    if (this.#child) await kill(this.#child);
  }

  /** Kills the process and starts a new one. Resolves when it is ready. */
  async replace(): Promise<void> {
    await this.kill();
    this.start();
    await this.ready();
  }

  /**
   * Sends SIGTERM and waits until the process is gone. @returns Seconds that took; undefined where it had to be killed.
   */
  async stop(): Promise<number | undefined> {
    this.#isExpected = true;
    const child = this.#child;
    if (!child || !this.isRunning) return 0;
    const since = performance.now();
    const late = setTimeout(() => child.kill("SIGKILL"), MAX_STOP_MS);
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
    clearTimeout(late);
    return child.signalCode === "SIGKILL" ? undefined : (performance.now() - since) / 1000;
  }
}

/** A process of the service. @param preload Module that is loaded first. */
export function servicePart(
  name: string,
  options: Pick<PartOptions, "env" | "log" | "isReady">,
  preload?: string,
): Part {
  const imports = preload === undefined ? [] : ["--import", preload];
  const command = [process.execPath, ...imports, path.join(root, "server/main.ts")] as const;
  return new Part({ name, command: [...command] as [string, ...string[]], ...options });
}

/** Whether a service reports that it is ready. */
export async function isReadyAt(url: string): Promise<boolean> {
  const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) });
  await reply.arrayBuffer();
  return reply.ok;
}
