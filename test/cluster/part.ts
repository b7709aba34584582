import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

export interface PartOptions {
  name: string;
  command: readonly [string, ...string[]];
  /** Folder in which it runs. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** File that its output is added to. */
  log: string;
  /** Whether it does its work. */
  isReady(): Promise<boolean>;
  /** Called whenever the process of the part has begun or ended. */
  onChange(): void;
}

const POLL_MS = 50;
const MAX_START_MS = 180_000;
/** Longer than any drain. */
const MAX_STOP_MS = 60_000;
const RESTART_MS = 1000;

/** One process of the cluster, which may be killed, stopped in order and started again. */
export class Part {
  readonly name: string;
  /** By its next start. */
  readonly options: PartOptions;
  /** Times that it ended without being asked to. */
  ended = 0;
  #child: ChildProcess | undefined;
  #expected = true;
  #isClosed = false;
  #logged = 0;

  constructor(options: PartOptions) {
    this.name = options.name;
    this.options = options;
  }

  get pid(): number | undefined {
    return this.isRunning ? this.#child?.pid : undefined;
  }

  get isRunning(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** What its present process has written so far. */
  output(): string {
    return readFileSync(this.options.log).subarray(this.#logged).toString();
  }

  start(): void {
    const { cwd, env, log: file } = this.options;
    const [program, ...args] = this.options.command;
    const log = openSync(file, "a");
    this.#logged = readFileSync(file).length;
    this.#expected = false;
    // In a process group of its own: Ctrl-C in a terminal reaches this process alone, which ends the parts in order.
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", log, log] });
    closeSync(log);
    this.#child = child;
    child.once("error", () => this.options.onChange());
    child.once("exit", () => {
      this.options.onChange();
      if (this.#expected || this.#isClosed) return;
      // As a supervisor of processes or containers does.
      this.ended++;
      setTimeout(() => this.#isClosed || this.isRunning || this.start(), RESTART_MS);
    });
    this.options.onChange();
  }

  /** @throws Error if it is not ready in time. */
  async ready(): Promise<void> {
    const deadline = performance.now() + MAX_START_MS;
    while (!(await this.options.isReady().catch(() => false))) {
      if (performance.now() > deadline)
        throw new Error(
          `${this.name} does not come up; it ended by itself ${this.ended} times. ${this.options.log}:\n` +
            readFileSync(this.options.log).toString().slice(-2000),
        );
      await delay(POLL_MS);
    }
  }

  /** kill −9, and waits until it is gone. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** SIGTERM, and waits until it is gone. @returns Seconds that took; undefined where it had to be killed. */
  async stop(): Promise<number | undefined> {
    const since = performance.now();
    const late = setTimeout(() => this.#child?.kill("SIGKILL"), MAX_STOP_MS);
    await this.#end("SIGTERM");
    clearTimeout(late);
    return this.#child?.signalCode === "SIGKILL" ? undefined : (performance.now() - since) / 1000;
  }

  /** Stops it for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#expected = true;
    const child = this.#child;
    if (!child || !this.isRunning) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }
}
