import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { expect, it } from "vitest";
import { memoryEnvironment } from "./process-settings.ts";

it("executes a process again with the memory settings, once, and the operator's take precedence", () => {
  const settled = memoryEnvironment({ PATH: "/bin", MEMORY_MB: "2048" })!;
  expect(settled).toMatchObject({
    PATH: "/bin",
    MALLOC_ARENA_MAX: "2",
    NODE_OPTIONS: "--max-semi-space-size=8 --max-old-space-size=2048",
  });
  expect(memoryEnvironment(settled)).toBeUndefined();
  const own = { MALLOC_ARENA_MAX: "8", NODE_OPTIONS: "--max-semi-space-size=64", MEMORY_MB: "-1" };
  expect(memoryEnvironment(own)).toMatchObject({
    MALLOC_ARENA_MAX: "8",
    // Node applies the last of two equal options.
    NODE_OPTIONS: "--max-semi-space-size=8 --max-old-space-size=512 --max-semi-space-size=64",
  });
});

/** Runs a program in a process of its own, because a lowered priority cannot be raised again. */
function inProcess(program: string): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
    cwd: import.meta.dirname,
  });
  if (stderr !== "") throw new Error(stderr);
  return JSON.parse(stdout);
}

const setup = `
  import { getPriority } from "node:os";
  import { readdirSync } from "node:fs";
  import { Worker } from "node:worker_threads";
  const priorities = () => readdirSync("/proc/self/task").map((id) => getPriority(Number(id)));`;

it.runIf(process.platform === "linux")("lowers the priority of all threads of a command", () => {
  const before = getPriority();
  expect(readdirSync("/proc/self/task").length).toBeGreaterThan(1);
  const found = inProcess(`${setup}
    const { lowerPriority } = await import("./process-settings.ts");
    lowerPriority("rest");
    console.log(JSON.stringify(priorities()));`);
  expect(new Set(found as number[])).toEqual(new Set([19]));
  expect(getPriority()).toBe(before);
});

it.runIf(process.platform === "linux")(
  "lowers the priority of a thread of the server, and not of the one that answers requests",
  () => {
    const found = inProcess(`${setup}
    const module = JSON.stringify(import.meta.resolve("#server/platform/process-settings.ts"));
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
