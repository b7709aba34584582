import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { copyDemoWorld } from "#test/demo-world.ts";
import { copyMigratedData } from "#test/postgres.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Keys of two owners. */
export const KEYS = ["fuzz-key-one-0123456789", "fuzz-key-two-0123456789"] as const;

/** Weather clock of the server. */
export const NOW = "2026-01-01T00:00:00Z";

export interface FuzzServer {
  child: ChildProcess;
  url: string;
  /** Lines that it has logged as errors. */
  errors: string[];
  /** Longest time of a request by its own log, from its headers to the last byte, milliseconds. */
  slowestMs(): number;
  stop(): Promise<void>;
}

/**
 * Starts the real server with the demo and keys without effective limits. It needs the built pages. @param settings By
 * variable.
 */
export async function startServer(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<FuzzServer> {
  await copyMigratedData(dataDir);
  copyDemoWorld(dataDir);
  const child = spawn(process.execPath, ["server/main.ts"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: "0",
      DATA_DIR: dataDir,
      METOCEAN_NOW: NOW,
      BOOTSTRAP_API_KEY: KEYS[0],
      BOOTSTRAP_API_KEY_2: KEYS[1],
      BOOTSTRAP_API_KEY_LIMIT: "999999999 per 1 minute",
      ...settings,
    },
  });
  const errors: string[] = [];
  let rest = "";
  let slowest = 0;
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (status) => reject(new Error(`The server ended with status ${status}:\n${rest}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const found = /Open MetOcean +(http:\/\/[^/\s]+)/.exec(line);
        if (found) resolve(found[1]!);
        slowest = Math.max(slowest, Number(/"ms":([\d.]+)/.exec(line)?.[1] ?? 0));
        if (line.startsWith('{"level":50') || line.startsWith('{"level":60')) errors.push(line);
      }
    });
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  };
  return { child, url, errors, slowestMs: () => slowest, stop };
}
