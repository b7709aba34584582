import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

export interface ChildServer {
  child: ChildProcess;
  /** Address without a trailing slash. */
  url: string;
}

/**
 * Starts a server whose first line on standard output is its address.
 *
 * @param args Arguments of Node: a script and its arguments.
 * @throws Error if it ends before.
 */
export async function startChildServer(args: readonly string[]): Promise<ChildServer> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface(child.stdout);
  const ended = once(lines, "close").then(() => {
    throw new Error(`${args[0]} ended before it wrote its address`);
  });
  const [url] = (await Promise.race([once(lines, "line"), ended])) as [string];
  return { child, url };
}

/**
 * Runs a process to its end.
 *
 * @param args Arguments of Node: a script and its arguments.
 * @param env Variables in addition to those of this process.
 * @returns Its standard output, parsed as JSON.
 * @throws Error if it fails.
 */
export async function runForJson<Result>(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Result> {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (status !== 0) throw new Error(`${args[0]} ended with status ${status}`);
  return JSON.parse(output) as Result;
}
