import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import path from "node:path";
import { formatInstant } from "#lib/time.ts";
import type { ChildServer } from "./child-process.ts";

const root = path.resolve(import.meta.dirname, "..");

/** Key of a measured server, without a limit that matters. */
export const MEASURED_KEY = "benchmark-key-0123456789";

/** Key of another owner, likewise. */
export const OTHER_KEY = "benchmark-key-of-another";

/** Numbers the servers, several of which may share a folder. */
let started = 0;

export type MeasuredServer = ChildServer;

/**
 * Starts server/main.ts on a free port for a benchmark. It needs the built pages.
 *
 * @param folder Its data directory.
 * @param now Weather clock, Unix seconds.
 * @param main Script to start instead of the server itself, from the project's root; it prints its address as the
 *   server does.
 * @param settings Additional settings.
 */
export async function startMeasuredServer(
  folder: string,
  now: number,
  main = "server/main.ts",
  settings: Readonly<Record<string, string>> = {},
): Promise<MeasuredServer> {
  const log = path.join(folder, `server-${++started}.log`);
  const output = await open(log, "w");
  const child = spawn(process.execPath, [path.join(root, main)], {
    cwd: root,
    stdio: ["ignore", output.fd, output.fd],
    env: {
      ...process.env,
      PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: folder,
      METOCEAN_NOW: formatInstant(now),
      BOOTSTRAP_API_KEY: MEASURED_KEY,
      BOOTSTRAP_API_KEY_2: OTHER_KEY,
      BOOTSTRAP_API_KEY_LIMIT: "999999999 per 1 minute",
      ...settings,
    },
  });
  await output.close();
  for (;;) {
    const text = await readFile(log, "utf8");
    const url = /Open MetOcean +(http:\/\/[^/]+)/.exec(text)?.[1];
    if (url) return { child, url };
    if (child.exitCode !== null) throw new Error(`The server did not start:\n${text}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Ends a process and waits until it has ended. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
