import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { printedAddress } from "./printed-address.ts";

const root = path.resolve(import.meta.dirname, "..");
const shiftClock = path.join(root, "test/cluster/shift-clock.ts");

/** A server of the service with one or more processes. */
export interface Replica {
  url: string;
  child: ChildProcess;
  ask(target: string, sent?: Sent): Promise<Replied>;
  /** Output so far. */
  output(): string;
  /** Sends SIGTERM. @returns Its exit status. */
  stop(): Promise<number | null>;
}

export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: object;
}

export interface Replied {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

/**
 * Starts `npm start` without npm. It needs the built pages.
 *
 * @param shiftS Error of its machine's clock, seconds.
 * @param as Another installation, and another user.
 */
export async function startReplica(
  settings: Record<string, string>,
  shiftS = 0,
  as: Pick<SpawnOptions, "cwd" | "uid" | "gid"> = {},
): Promise<Replica> {
  const child = spawn(process.execPath, ["server/main.ts"], {
    cwd: root,
    ...as,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: "0",
      ...(shiftS !== 0 && { NODE_OPTIONS: `--import=${shiftClock}`, CLOCK_SHIFT_S: String(shiftS) }),
      ...settings,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const url = await printedAddress(child, "A replica");
  // Several connections are used, because each belongs to one process.
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const ask = (target: string, sent: Sent = {}) => send(agent, url + target, sent);
  return {
    url,
    child,
    ask,
    output: () => output,
    async stop() {
      agent.destroy();
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, "exit") as Promise<[number | null]>;
      child.kill("SIGTERM");
      return (await exit)[0];
    },
  };
}

async function send(agent: Agent, url: string, { method = "GET", headers, body }: Sent): Promise<Replied> {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const json = body && { "content-type": "application/json" };
    request(url, { agent, method, headers: { ...json, ...headers } }, resolve)
      .on("error", reject)
      .end(body && JSON.stringify(body));
  });
  return { status: reply.statusCode!, headers: reply.headers, body: await text(reply) };
}
