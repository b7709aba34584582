import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

/** Runs a thread with a heap of 32 MiB in a process of its own. @returns What the process said, and how it ended. */
function runThread(code: string) {
  const starter = `
    const { Worker } = require("node:worker_threads");
    const limits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };
    new Worker(process.argv[1], { eval: true, resourceLimits: limits })
      .on("error", ({ code }) => console.log(code));
  `;
  const { stdout, signal, status } = spawnSync(process.execPath, ["-e", starter, code], { encoding: "utf8" });
  return { said: stdout.trim(), died: signal !== null || (status ?? 0) >= 128 };
}

it("a thread whose heap grows beyond its limit ends alone", () => {
  expect(runThread("const all = []; for (;;) all.push({ n: all.length });")).toEqual({
    said: "ERR_WORKER_OUT_OF_MEMORY",
    died: false,
  });
});

it("one allocation beyond the limit ends the process: what reaches a thread is bounded before, as SECURITY.md says", () => {
  expect(runThread("new Array(3e7).fill(1.5);")).toEqual({ said: "", died: true });
});
