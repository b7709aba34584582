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
    console.log(JSON.stringify({ times: [...times, time], isKept: begin === end && ["parse", "UTC"].every((name) => Object.hasOwn(Date, name)), isDate: new Date() instanceof Date }));
  });
`;

it("a process with a shifted clock and its threads are wrong by the same", () => {
  const before = Date.now();
  const output = execFileSync(process.execPath, ["--import", preload, "-e", script], {
    env: { NODE_ENV: "test", CLOCK_SHIFT_S: "-60" },
  });
  const after = Date.now();
  const { times, isKept, isDate } = JSON.parse(output.toString()) as {
    times: number[];
    isKept: boolean;
    isDate: boolean;
  };
  expect({ isKept, isDate, times: times.length }).toEqual({ isKept: true, isDate: true, times: 3 });
  for (const time of times) {
    expect(time).toBeGreaterThanOrEqual(before - 60_000);
    expect(time).toBeLessThanOrEqual(after - 60_000);
  }
});
