import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

/** The user that a server runs as here: it owns its DATA_DIR and nothing else. */
export const NOBODY = 65_534;

const START_MS = 180_000;
const KEY = "the-key-of-the-check";

/** A server that runs from a folder that it cannot write to. */
export class Replica {
  readonly port: string;
  readonly #child: ChildProcess;
  readonly #output: () => string;

  private constructor(child: ChildProcess, port: string, output: () => string) {
    this.#child = child;
    this.port = port;
    this.#output = output;
  }

  /** Resolves when it says where it listens. */
  static async start(
    folder: string,
    args: readonly string[],
    settings: Record<string, string>,
  ): Promise<Replica> {
    const child = spawn(process.execPath, args, {
      ...{ cwd: folder, uid: NOBODY, gid: NOBODY, stdio: ["ignore", "pipe", "pipe"] },
      env: { PATH: "/usr/bin:/bin", ...settings } as unknown as NodeJS.ProcessEnv,
    });
    let output = "";
    const listens = new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        const [, port] = /Open MetOcean +http:\/\/[^/\s]+:(\d+)/.exec(output) ?? [];
        if (port !== undefined) resolve(port);
      };
      child.stdout!.on("data", read);
      child.stderr!.on("data", read);
      child.once("exit", (status) => reject(new Error(`The server ended with ${status}:\n${output}`)));
      setTimeout(() => reject(new Error(`The server does not start:\n${output}`)), START_MS).unref();
    });
    return new Replica(child, await listens, () => output);
  }

  async ask(target: string, body?: object): Promise<{ status: number; text: string }> {
    const reply = await fetch(`http://127.0.0.1:${this.port}${target}`, {
      method: body ? "POST" : "GET",
      headers: { "x-api-key": KEY, ...(body && { "content-type": "application/json" }) },
      body: body && JSON.stringify(body),
    });
    return { status: reply.status, text: await reply.text() };
  }

  /** Asks until the answer is as wanted. @returns Whether it was within a minute. */
  async until(target: string, wanted: RegExp): Promise<boolean> {
    for (let attempt = 0; attempt < 300; attempt++) {
      if (wanted.test((await this.ask(target)).text)) return true;
      await delay(200);
    }
    return false;
  }

  async stop(): Promise<{ status: number | null; output: string }> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, "exit");
      this.#child.kill("SIGTERM");
      await ended;
    }
    return { status: this.#child.exitCode, output: this.#output() };
  }
}

/** Exit status of the health check of the image. */
export function healthOf(folder: string, settings: Record<string, string>): number | null {
  return spawnSync(process.execPath, ["deploy/healthcheck.mjs"], {
    ...{ cwd: folder, uid: NOBODY, gid: NOBODY },
    env: { PATH: "/usr/bin:/bin", ...settings } as unknown as NodeJS.ProcessEnv,
  }).status;
}
