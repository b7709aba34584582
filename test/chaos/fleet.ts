import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { kill } from "./kill.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Processes of the service on one database. */
export class Fleet {
  readonly url: string;
  readonly #env: Record<string, string>;
  readonly #roles: readonly string[];
  readonly #log: number;
  readonly #children = new Map<number, ChildProcess>();

  /** @param roles `ROLE` of each process; the first answers. */
  constructor(port: number, folder: string, roles: readonly string[], env: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#roles = roles;
    this.#log = openSync(path.join(folder, "server.log"), "a");
    this.#env = { PORT: String(port), DATA_DIR: folder, ...env };
  }

  get size(): number {
    return this.#roles.length;
  }

  /** Changes the environment of what is started from now on. */
  change(env: Record<string, string>): void {
    Object.assign(this.#env, env);
  }

  /** Starts the process at an index. */
  start(index: number): void {
    const child = spawn(process.execPath, [path.join(root, "server/main.ts")], {
      cwd: root,
      stdio: ["ignore", this.#log, this.#log],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NODE_ENV: "production",
        ...this.#env,
        ROLE: this.#roles[index],
      },
    });
    this.#children.set(index, child);
  }

  /** kill −9 of the process at an index. */
  async kill(index: number): Promise<void> {
    const child = this.#children.get(index);
    if (child) await kill(child);
  }

  /** kill −9 of the process at an index, and a new one. Resolves when a server answers again. */
  async replace(index: number): Promise<void> {
    await this.kill(index);
    this.start(index);
    await this.ready();
  }

  /** Resolves when the service answers. @throws Error if a process ended instead, or none answers in time. */
  async ready(): Promise<void> {
    const deadline = performance.now() + 120_000;
    for (;;) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      const ended = [...this.#children.values()].find(({ exitCode }) => exitCode !== null);
      if (ended) throw new Error(`A process ended by itself with status ${ended.exitCode}: see server.log`);
      if (performance.now() > deadline) throw new Error("The service does not come up again");
      await delay(50);
    }
  }

  async stop(): Promise<void> {
    for (const index of this.#children.keys()) await this.kill(index);
  }
}
