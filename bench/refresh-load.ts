import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { formatInstant } from "#lib/time.ts";
import { steadyLoad, type Waits } from "./measured-load.ts";
import { MEASURED_KEY, startMeasuredServer, stopProcess } from "./measured-server.ts";
import { median } from "./median.ts";

const ROUNDS = 4;
const SECONDS = 10;
const PER_SECOND = 20;

/**
 * What refreshes cost those who ask the server meanwhile: one point and /healthz at an even rate, while the command reads a
 * folder again and again, and while it does not, in turn. Needs the built pages.
 *
 * @param from The folder of a season.
 * @param now Weather clock, Unix seconds.
 */
export async function measureServer(from: string, now: number): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  const { child, url } = await startMeasuredServer(folder, now);
  const headers = { "content-type": "application/json", "x-api-key": MEASURED_KEY };
  const point = { latitude: 48.5, longitude: -5.5, timestamp: formatInstant(now + 3 * 3600) };
  const body = JSON.stringify({ points: [point], variables: ["wind"] });
  const watch = () =>
    Promise.all([
      steadyLoad(`${url}/MetOcean`, headers, PER_SECOND, SECONDS, body),
      steadyLoad(`${url}/healthz`, {}, PER_SECOND, SECONDS),
    ]);
  let refreshes = 0;
  const refreshUntil = async (isOver: () => boolean) => {
    for (; !isOver(); refreshes++) await refreshByCommand(from, folder, now + 600 * (refreshes + 1));
  };
  const alone: [Waits, Waits][] = [];
  const beside: [Waits, Waits][] = [];
  try {
    // What the first requests of a process take is compiling.
    await watch();
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await watch());
      let isOver = false;
      const refreshing = refreshUntil(() => isOver);
      beside.push(await watch());
      isOver = true;
      await refreshing;
    }
  } finally {
    await stopProcess(child);
    await rm(folder, { recursive: true });
  }
  print("without refreshes", alone);
  print(`beside ${refreshes} refreshes one after the other`, beside);
}

async function refreshByCommand(from: string, dataDir: string, now: number): Promise<void> {
  const command = ["server/cli.ts", "storms", "refresh", "--provider", "jtwc", "--from", from];
  const child = spawn(process.execPath, command, {
    cwd: path.resolve(import.meta.dirname, ".."),
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DATA_DIR: dataDir, METOCEAN_NOW: formatInstant(now) },
  });
  const [status] = (await once(child, "exit")) as [number | null];
  if (status !== 0) throw new Error(`storms refresh ended with ${status}`);
}

function print(when: string, rounds: readonly [Waits, Waits][]): void {
  const text = (index: 0 | 1) => {
    const of = (name: "p50" | "p99") => median(rounds.map((round) => round[index][name]));
    return `p50 ${of("p50").toFixed(1)} ms, p99 ${of("p99").toFixed(1)} ms`;
  };
  console.log(`server ${when} (median of ${ROUNDS} rounds): one point ${text(0)}; /healthz ${text(1)}`);
}
