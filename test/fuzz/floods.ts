import { readFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** What a server does while it is flooded. */
export interface Flooded {
  /** Growth of its memory at most, MiB. */
  grownMb: number;
  /** Slowest `/healthz` on the connection of somebody else, milliseconds. */
  healthMs: number;
  /** How often that connection was cut. */
  cut: number;
  /** Time of the processors that the server spent, milliseconds. */
  cpuMs: number;
}

export interface Flood {
  /** Of the server. */
  pid: number;
  url: string;
  path: string;
  connections: number;
  /** Requests that each connection sends at once, and whose answers it does not read. */
  requests: number;
  holdMs: number;
}

/** Sends many requests at once on each of some connections, each from an address of its own, and reads no answer. */
export async function flood({ pid, url, path, connections, requests, holdMs }: Flood): Promise<Flooded> {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const health = () =>
    new Promise<number>((resolve, reject) => {
      const started = performance.now();
      get(`${url}/healthz`, { agent }, (reply) => {
        reply.resume().on("end", () => resolve(performance.now() - started));
      }).on("error", reject);
    });
  await health();
  const before = await residentMb(pid);
  const spent = await processorMs(pid);
  const sockets: Socket[] = [];
  for (let index = 0; index < connections; index++) {
    const encoding = ["identity", "br", "gzip"][index % 3];
    const address = `10.${index >> 8}.${index & 255}.${Math.floor(Math.random() * 256)}`;
    const one = `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nAccept-Encoding: ${encoding}\r\n\r\n`;
    const socket = connect(Number(port), hostname, () => socket.write(one.repeat(requests)));
    // It is paused for as long as nobody listens to its data.
    socket.on("error", () => {});
    sockets.push(socket);
  }
  const seen: Flooded = { grownMb: 0, healthMs: 0, cut: 0, cpuMs: 0 };
  const until = performance.now() + holdMs;
  while (performance.now() < until) {
    await health().then(
      (ms) => (seen.healthMs = Math.max(seen.healthMs, ms)),
      () => seen.cut++,
    );
    seen.grownMb = Math.max(seen.grownMb, (await residentMb(pid)) - before);
    await wait(20);
  }
  for (const socket of sockets) socket.destroy();
  agent.destroy();
  return { ...seen, cpuMs: (await processorMs(pid)) - spent };
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
}

/** In ticks of ten milliseconds. */
async function processorMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]!.split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
