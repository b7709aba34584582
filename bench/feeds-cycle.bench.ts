import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { formatInstant } from "#lib/time.ts";
import { memoryEnvironment } from "#server/platform/process-settings.ts";
import { runForJson, startChildServer } from "./child-process.ts";
import type { CycleOrder, CycleReport } from "./feeds-cycle-process.ts";
import { steadyLoad, type Waits } from "./measured-load.ts";
import { MEASURED_KEY, startMeasuredServer, stopProcess } from "./measured-server.ts";
import { median } from "./median.ts";

const ALL_STEPS = 209;
const CYCLE = Date.UTC(2026, 8, 1) / 1000;
/** Rate of one-point requests to the server beside it, and length of each window. */
const PER_SECOND = 50;
const WINDOW_S = 10;

/**
 * Fetches, checks and publishes steps of GFS (20 fields) and GFS-Wave (9 fields) at 0.25° in their real sizes, beside a
 * server that answers points. The messages come from a store in another process and were made before. `--steps 209`
 * runs the whole cycle. It needs the built pages.
 */
export async function bench(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { steps: { type: "string", default: "16" } },
  });
  const store = await startChildServer([path.join(import.meta.dirname, "feed-store-process.ts")]);
  try {
    await measureCycle({ mirror: store.url, cycle: CYCLE, steps: Number(values.steps) });
  } finally {
    await stopProcess(store.child);
  }
}

async function measureCycle(order: Omit<CycleOrder, "folder">): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "feeds-cycle-"));
  let server: ChildProcess | undefined;
  try {
    const measured = await startMeasuredServer(folder, CYCLE + 7 * 3600);
    server = measured.child;
    const headers = { "content-type": "application/json", "x-api-key": MEASURED_KEY };
    const point = { latitude: 40.1, longitude: -30.1, timestamp: formatInstant(CYCLE + 8 * 3600) };
    const body = JSON.stringify({ points: [point], variables: ["wind", "wave"] });
    const window = () => steadyLoad(`${measured.url}/MetOcean`, headers, PER_SECOND, WINDOW_S, body);
    // The first window is not measured, because code is still being compiled.
    await window();
    const before = [await window(), await window(), await window()];
    const beside: Waits[] = [];
    const running = runCycle({ ...order, folder });
    const ended = running.then(() => true);
    do beside.push(await window());
    while (!(await Promise.race([ended, Promise.resolve(false)])));
    const report = await running;
    const { steps } = order;
    const { wall, processor } = report;
    console.log(
      `as it runs, beside ${PER_SECOND} one-point requests a second, ${steps} steps of both feeds:`,
    );
    console.log(
      `  ${(wall / steps).toFixed(2)} s, ${(processor / steps).toFixed(2)} s of the processor a step; ${(report.fetchedBytes / 1e6 / wall).toFixed(1)} MB/s; ${report.peakMemory.toFixed(0)} MiB at most`,
    );
    for (const [name, seconds] of Object.entries(report.threads))
      console.log(`  threads ${name}: ${(seconds / steps).toFixed(2)} s of the processor a step`);
    const minutes = (seconds: number) => `${(seconds / 60).toFixed(1)} min`;
    if (steps === ALL_STEPS)
      console.log(`  the cycle: ${minutes(wall)}, ${minutes(processor)} of one processor`);
    else {
      const factor = ALL_STEPS / steps;
      console.log(
        `  at that rate ${ALL_STEPS} steps take ${minutes(wall * factor)}, ${minutes(processor * factor)} of one processor (estimated from ${steps})`,
      );
    }
    const [alone, together] = [describe(before), describe(beside)];
    console.log(
      `  one point alone ${alone.words}; beside it ${together.words}: p99 ${(together.p99 / alone.p99).toFixed(1)} times`,
    );
  } finally {
    if (server) await stopProcess(server);
    await rm(folder, { recursive: true, force: true });
  }
}

function runCycle(order: CycleOrder): Promise<CycleReport> {
  const script = path.join(import.meta.dirname, "feeds-cycle-process.ts");
  // The process gets the memory settings that the server passes to its children.
  return runForJson([script, JSON.stringify(order)], memoryEnvironment(process.env));
}

/** Medians of the windows. */
function describe(windows: readonly Waits[]): { p99: number; words: string } {
  const [p50, p99] = (["p50", "p99"] as const).map((name) => median(windows.map((waits) => waits[name])));
  const worst = Math.max(...windows.map((waits) => waits.p99));
  return {
    p99: p99!,
    words: `p50 ${p50!.toFixed(1)} ms, p99 ${p99!.toFixed(1)} ms (worst of ${windows.length} windows ${worst.toFixed(0)} ms)`,
  };
}
