import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterEach } from "vitest";
import { kill } from "#test/chaos/kill.ts";

const root = path.join(import.meta.dirname, "..");

export interface Spawned {
  child: ChildProcess;
  firstLine: string;
}

/** Starts scripts that write a line and keep running. They are killed after each test. */
export function spawnScripts(): (script: string, ...args: string[]) => Promise<Spawned> {
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) await kill(child);
  });
  return async (script, ...args) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    for await (const firstLine of createInterface(child.stdout)) return { child, firstLine };
    throw new Error(`${script} ended without output`);
  };
}

export interface Finished {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs `npm run metocean -- <args>` to its end. */
export async function metocean(args: string[], env: Record<string, string>): Promise<Finished> {
  const child = spawn(process.execPath, ["server/cli.ts", ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    // The environment of the person who runs the tests may contain a key or a database.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "test", ...env },
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit") as Promise<[number | null]>,
  ]);
  return { status: status ?? -1, stdout, stderr };
}
