import { Agent, request } from "node:http";
import { setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Target, Waits } from "./measured-load.ts";

// This process only sends small requests at an even rate and times them. Its first argument is its order as JSON, and
// its results go to standard output as JSON.

const { targets, seconds } = JSON.parse(process.argv[2]!) as {
  targets: Record<string, Target>;
  seconds: number;
};

/**
 * Priority of the client, which needs privileges. Without them the client waits for a processor like others, which
 * `late` shows.
 */
const CLIENT_PRIORITY = -10;

/** Time for the first requests, which wait for connections, milliseconds. */
const CONNECTING_MS = 500;

try {
  setPriority(CLIENT_PRIORITY);
} catch {
  // The process has no privileges.
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const begun = performance.now() + 100;
const found: Record<string, Waits> = {};
await Promise.all(Object.entries(targets).map(([name, target], index) => ask(name, target, index)));
console.log(JSON.stringify(found));
process.exit(0);

async function ask(name: string, { perSecond, ...target }: Target, index: number): Promise<void> {
  const waits: number[] = [];
  const late: number[] = [];
  const running: Promise<void>[] = [];
  let refused = 0;
  const everyMs = 1000 / perSecond;
  // Requests to different targets are staggered.
  const from = begun + (everyMs * index) / Object.keys(targets).length;
  for (let sent = 0; sent < perSecond * seconds + CONNECTING_MS / everyMs; sent++) {
    const due = from + everyMs * sent;
    const left = due - performance.now();
    if (left > 0) await delay(left);
    const at = performance.now();
    const answered = send(target, sent).then((status) => {
      if (status !== 200) refused++;
      if (due < from + CONNECTING_MS) return;
      waits.push(performance.now() - at);
      late.push(at - due);
    });
    running.push(answered);
  }
  await Promise.all(running);
  const [times, lateness] = [quantiles(waits), quantiles(late)];
  found[name] = {
    p50: times(0.5),
    p90: times(0.9),
    p99: times(0.99),
    p999: times(0.999),
    late: lateness(0.99),
    refused,
  };
}

function send(
  { url, headers = {}, bodies, connects }: Omit<Target, "perSecond">,
  sent: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const body = bodies?.[sent % bodies.length];
    const method = body === undefined ? "GET" : "POST";
    const asked = request(url, { agent: connects ? false : agent, headers, method }, (reply) => {
      reply.resume().on("end", () => resolve(reply.statusCode!));
    });
    asked.on("error", reject).end(body);
  });
}

function quantiles(values: number[]): (share: number) => number {
  values.sort((one, other) => one - other);
  return (share) => values[Math.floor(share * (values.length - 1))] ?? Number.NaN;
}
