import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { bodyLimits } from "#lib/contract/limits.ts";
import { formatInstant } from "#lib/time.ts";
import { steadyLoad } from "./measured-load.ts";
import { MEASURED_KEY, stopProcess } from "./measured-server.ts";
import { longest, startWatchedServer, type WatchedServer } from "./watched-server.ts";

const NOW = Date.UTC(2026, 0, 1) / 1000;
const HEALTH_PER_SECOND = 100;
const PHASE_S = 4;

/**
 * GET /healthz of the real server while one client after the other sends large bodies of one kind, and the longest pause of
 * the thread that answers: as time, and as processor time of that thread. Needs the built pages.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  const server = await startWatchedServer(folder, NOW);
  const { child, url } = server;
  try {
    await report("no body", server, async () => 0);
    for (const [target, limit] of [
      ["/MetOcean/async", bodyLimits.async],
      ["/MetOcean", bodyLimits.sync],
      ["/2DMetOcean", bodyLimits.sync],
      ["/storms/approach", bodyLimits.sync],
    ] as const)
      for (const [name, body] of largeBodies(limit, NOW)) {
        const size = (body.length / 2 ** 20).toFixed(1);
        await report(`${target}, ${name}, ${size} MiB`, server, () => sendBody(url + target, body));
        const packed = gzipSync(body, { level: 1 });
        await report(`${target}, ${name}, gzip`, server, () => sendBody(url + target, packed, "gzip"));
      }
  } finally {
    await stopProcess(child);
    await rm(folder, { recursive: true });
  }
}

/** Bodies of at most so many bytes, each costly in another way. */
function* largeBodies(limit: number, now: number): Generator<[string, Buffer]> {
  const time = formatInstant(now);
  const point = (at: number) =>
    `{"latitude":${(at % 900) / 10},"longitude":${((at * 7) % 1800) / 10},"timestamp":"${time}"}`;
  const count = Math.min(limit === bodyLimits.async ? 200_000 : 10_000, Math.floor(limit / 70));
  const points = (length: number) => Array.from({ length }, (_, at) => point(at)).join(",");
  const tail = '],"variables":["wind"]';
  const filled = (before: string, unit: string, after: string) =>
    Buffer.from(
      before + unit.repeat(Math.floor((limit - before.length - after.length) / unit.length)) + after,
    );
  const one = `{"points":[${point(0)}${tail}`;
  yield ["many points", Buffer.from(`{"points":[${points(count)}${tail}}`)];
  yield ["points of strings", filled('{"points":["', 'x","', 'x"],"variables":["wind"]}')];
  yield ["empty objects beside a point", filled(`${one},"x":[{}`, ",{}", "]}")];
  yield ["numbers beside a point", filled(`${one},"x":[0`, ",0", "]}")];
  yield [
    "deep nesting",
    Buffer.from(`${one},"x":${"[".repeat(limit / 2 - 100)}${"]".repeat(limit / 2 - 100)}}`),
  ];
  yield ["one string", filled(`${one},"x":"`, "x", '"}')];
  yield ["one string of escapes", filled(`${one},"x":"`, "\\u00e9", '"}')];
  yield ["one string, not closed", filled(`${one},"x":"`, "x", "")];
  yield ["spaces", filled(one, " ", "}")];
  yield ["one number", filled(`${one},"x":`, "1", "}")];
}

/** Sends a body, and deletes the task where there is one. @returns The status of the reply. */
async function sendBody(url: string, body: Buffer, encoding?: string): Promise<number> {
  const headers = {
    "content-type": "application/json",
    "x-api-key": MEASURED_KEY,
    ...(encoding && { "content-encoding": encoding }),
  };
  const reply = await fetch(url, { method: "POST", headers, body: body as BodyInit });
  const text = await reply.text();
  if (reply.status === 202) {
    const id = (JSON.parse(text) as { task_id: string }).task_id;
    await fetch(`${new URL(url).origin}/task/${id}`, { method: "DELETE", headers });
  }
  return reply.status;
}

/** Sends again and again for a while. */
async function report(name: string, server: WatchedServer, once: () => Promise<number>): Promise<void> {
  const statuses = new Set<number>();
  let sent = 0;
  await server.stalls();
  const health = steadyLoad(`${server.url}/healthz`, {}, HEALTH_PER_SECOND, PHASE_S);
  let ended = false;
  const waits = health.finally(() => {
    ended = true;
  });
  while (!ended) {
    statuses.add(await once());
    sent++;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { p99, p999 } = await waits;
  const stalls = await server.stalls();
  const longestOf = (key: "wall" | "cpu") => longest(stalls, key).toFixed(0);
  console.log(
    `${name}: ${sent} × ${[...statuses].join(" and ")}; /healthz p99 ${p99.toFixed(0)}, p99.9 ${p999.toFixed(0)} ms; ` +
      `longest pause ${longestOf("wall")} ms, of the thread's processor time ${longestOf("cpu")} ms`,
  );
}
