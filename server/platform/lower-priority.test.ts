import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { expect, it } from "vitest";

/** Runs in a process of its own: what yields has no way back. */
function inProcess(program: string): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
    cwd: import.meta.dirname,
  });
  if (stderr !== "") throw new Error(stderr);
  return JSON.parse(stdout);
}

const yields = `
  import { getPriority } from "node:os";
  import { readdirSync } from "node:fs";
  import { Worker } from "node:worker_threads";
  const priorities = () => readdirSync("/proc/self/task").map((id) => getPriority(Number(id)));`;

it.runIf(process.platform === "linux")("lets a command's threads yield, all of them", () => {
  const before = getPriority();
  expect(readdirSync("/proc/self/task").length).toBeGreaterThan(1);
  const found = inProcess(`${yields}
    const { lowerPriority } = await import("./lower-priority.ts");
    lowerPriority("rest");
    console.log(JSON.stringify(priorities()));`);
  expect(new Set(found as number[])).toEqual(new Set([19]));
  expect(getPriority()).toBe(before);
});

it.runIf(process.platform === "linux")(
  "lets a thread of the server yield, and not the one of the requests",
  () => {
    const found = inProcess(`${yields}
    const module = JSON.stringify(import.meta.resolve("#server/platform/lower-priority.ts"));
    const worker = new Worker(
      "import(" + module + ").then(({ lowerPriority }) => { lowerPriority(); return import('node:worker_threads'); }).then(({ parentPort }) => { parentPort.postMessage(0); setInterval(() => {}, 1000); })",
      { eval: true },
    );
    worker.once("message", () => {
      console.log(JSON.stringify([getPriority(process.pid), priorities().filter((one) => one === 10).length]));
      process.exit();
    });`) as number[];
    expect(found).toEqual([getPriority(), 1]);
  },
);
