import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Part, PartOptions } from "./part.ts";

/** Root of this version of the service. */
export const here = path.resolve(import.meta.dirname, "../..");

export type Role = "web" | "worker" | "ingest";

/** What each role writes when it does its work. */
const BEGUN: Readonly<Record<Exclude<Role, "web">, RegExp>> = {
  worker: /computes tasks and serves no requests/,
  ingest: /fetches feeds and serves no requests/,
};

export interface ReplicaSettings {
  role: Role;
  /** Of a web replica. */
  port: number;
  /** Environment that all replicas have. */
  env: Readonly<Record<string, string>>;
  /** How wrong its clock is, seconds. */
  clockShiftS?: number;
}

/** How a replica is started. */
export function replicaCommand({
  role,
  port,
  env,
  clockShiftS,
}: ReplicaSettings): Pick<PartOptions, "command" | "cwd" | "env"> {
  const preload = path.join(import.meta.dirname, "shift-clock.ts");
  const shift = clockShiftS === undefined ? [] : ["--import", preload];
  return {
    command: [process.execPath, ...shift, path.join(here, "server/main.ts")],
    cwd: here,
    env: {
      ...baseEnv(),
      ...env,
      ROLE: role,
      PORT: String(port),
      ...(clockShiftS !== undefined && { CLOCK_SHIFT_S: String(clockShiftS) }),
    },
  };
}

/** What every process needs of this one's environment. The rest may contain a key or a database of the person who runs it. */
export function baseEnv() {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME, NODE_ENV: "production" as const };
}

/** Whether a replica does its work: a web replica says so itself. */
export async function isReplicaReady(part: Part, role: Role, port: number): Promise<boolean> {
  if (!part.isRunning) return false;
  if (role !== "web") return BEGUN[role].test(part.output());
  const reply = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5000) });
  await reply.arrayBuffer();
  return reply.ok;
}

/** Processes that a replica has started itself, such as the one that fetches feeds. */
export async function childrenOf(pid: number): Promise<number[]> {
  const file = `/proc/${pid}/task/${pid}/children`;
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split(" ").filter(Boolean).map(Number);
}
