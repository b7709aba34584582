import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { expect, it } from "vitest";

/** Runs in a process of its own: a lowered priority cannot be raised again. */
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
    const { lowerPriority } = await import("./lower-priority.ts");
    lowerPriority("rest");
    console.log(JSON.stringify(priorities()));`);
  expect(new Set(found as number[])).toEqual(new Set([19]));
  expect(getPriority()).toBe(before);
});

it.runIf(process.platform === "linux")(
  "lowers the priority of a thread of the server, and not of the one that answers requests",
  () => {
    const found = inProcess(`${setup}
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

it.runIf(process.platform === "linux")(
  "never raises a priority that was lowered before, as of threads of tasks",
  () => {
    const found = inProcess(`${setup}
    const { lowerPriority } = await import("./lower-priority.ts");
    const before = getPriority();
    lowerPriority("quarter");
    const first = getPriority();
    lowerPriority("tenth");
    lowerPriority("quarter");
    console.log(JSON.stringify([first - before >= 0, first, getPriority()]));`) as [boolean, number, number];
    expect(found).toEqual([true, Math.max(5, getPriority()), Math.max(10, getPriority())]);
  },
);

it.runIf(process.platform === "linux")(
  "lowers the threads in which V8 compiles and collects, and not the one that answers requests",
  () => {
    const found = inProcess(`${setup}
    import { readFileSync } from "node:fs";
    const { lowerV8Threads } = await import("./lower-priority.ts");
    const before = getPriority();
    lowerV8Threads();
    const threads = readdirSync("/proc/self/task").map((id) => [
      readFileSync("/proc/self/task/" + id + "/comm", "utf8").trim(), getPriority(Number(id)) - before,
    ]);
    console.log(JSON.stringify(threads));`) as [name: string, lowered: number][];
    const lowered = (ofV8: boolean) =>
      found.filter(([name]) => (name === "V8Worker") === ofV8).map(([, by]) => by);
    expect(new Set(lowered(true))).toEqual(new Set([Math.max(5, getPriority()) - getPriority()]));
    expect(new Set(lowered(false))).toEqual(new Set([0]));
  },
);
