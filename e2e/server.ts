import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { copyDemoWorld } from "#test/demo-world.ts";
import { copyMigratedData } from "#test/postgres.ts";

export const root = path.resolve(import.meta.dirname, "..");

/** Key of the tests; its limit is high enough for thousands of points. */
export const KEY = "browser-tests-key";

/** Parsed reply of the service to a GET, or to a POST if there is a body. */
export async function askApi(url: string, body?: object): Promise<unknown> {
  const reply = await fetch(url, {
    method: body ? "POST" : "GET",
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return reply.json();
}

export interface RunningServer {
  /** Origin, such as `http://127.0.0.1:40123`. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the real server on a free port and waits until it is ready. The pages must have been built. The database and
 * the demo world that a first start makes are copied.
 *
 * @param now Weather clock, `YYYY-MM-DDThh:mm:ssZ`.
 * @param demo `never`: only the archive; empty: the demo where there is no archive, which is the default.
 * @param settings Other settings, by variable.
 */
export async function startServer(
  dataDir: string,
  now: string,
  demo: "never" | "" = "never",
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  await copyMigratedData(dataDir);
  if (demo === "") copyDemoWorld(dataDir);
  const child = spawn(process.execPath, ["server/main.ts"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: dataDir,
      METOCEAN_NOW: now,
      // Journeys do not measure the speed of the machine.
      ANSWER_TIME: "60 seconds",
      DEMO: demo,
      NODE_ENV: "production",
      LOG_LEVEL: "warn",
      // Visitors have journeys of their own.
      GUESTS: "off",
      BOOTSTRAP_API_KEY: KEY,
      BOOTSTRAP_API_KEY_LIMIT: "100000 per 1 minute",
      ...settings,
    },
  });
  const url = await firstUrl(child);
  // The server listens before it can render pages.
  while ((await fetch(`${url}/docs`)).status === 503) await delay(100);
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function firstUrl(child: ChildProcess): Promise<string> {
  const output: string[] = [];
  if (!child.stdout) throw new Error("The server has no output");
  for await (const line of createInterface(child.stdout)) {
    output.push(line);
    const url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
    if (!url) continue;
    child.stdout.resume();
    return url;
  }
  throw new Error(`The server ended before it was ready:\n${output.join("\n")}`);
}
