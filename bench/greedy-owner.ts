import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";

/**
 * Starts an owner who holds 20 tasks of 200,000 places and sends ten bodies of 32 MiB a minute, in a process of its
 * own. Each body is valid; white space fills it up.
 *
 * @param time Instant of all places.
 * @returns A function that ends it and returns how often the service gave each answer.
 */
export function startGreedyOwner(url: string, time: string): () => Promise<ReadonlyMap<string, number>> {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, "greedy-owner-process.ts"), url, time],
    {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, NODE_OPTIONS: "" },
    },
  );
  const output = text(child.stdout);
  const ended = once(child, "exit");
  return async () => {
    child.stdin.end();
    const [status] = (await ended) as [number | null];
    if (status !== 0) throw new Error(`The greedy owner ended with ${status}`);
    return new Map(JSON.parse(await output) as [string, number][]);
  };
}
