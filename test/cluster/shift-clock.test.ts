import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";

const preload = path.join(import.meta.dirname, "shift-clock.ts");
const script = `
  const { Worker } = require("node:worker_threads");
  const times = [Date.now(), new Date().getTime()];
  const thread = "import { parentPort } from 'node:worker_threads'; parentPort.postMessage(Date.now())";
  const worker = new Worker(new URL("data:text/javascript," + thread));
  worker.once("message", (time) => {
    const [begin, end] = [Date.UTC(2026, 0, 1), new Date("2026-01-01T00:00:00Z").getTime()];
    console.log(JSON.stringify({ times: [...times, time], isKept: begin === end, isDate: new Date() instanceof Date }));
  });
`;

it("a process with a shifted clock and its threads are wrong by the same", () => {
  const run = (shift: string) =>
    JSON.parse(
      execFileSync(process.execPath, ["--import", preload, "-e", script], {
        env: { NODE_ENV: "test", CLUSTER_CLOCK_SHIFT_S: shift },
      }).toString(),
    ) as { times: number[]; isKept: boolean; isDate: boolean };
  const early = run("-3600");
  const late = run("3600");
  for (const { isKept, isDate } of [early, late])
    expect({ isKept, isDate }).toEqual({ isKept: true, isDate: true });
  // The second process starts after the first, and within the minute.
  early.times.forEach((time, index) => {
    const apart = (late.times[index]! - time) / 1000 - 7200;
    expect(apart).toBeGreaterThanOrEqual(0);
    expect(apart).toBeLessThan(60);
  });
});
