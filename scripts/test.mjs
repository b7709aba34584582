// `npm test`: every check of the project, in order, all of them also when one fails. `npm test -- types vitest` runs the
// named ones.

import { spawn } from "node:child_process";

const steps = [
  ["lint", "biome", "ci", "--error-on-warnings", "."],
  ["types", "tsc", "--noEmit"],
  ["imports", "node", "scripts/check-imports.ts"],
  ["dead-code", "knip"],
  ["vitest", "vitest", "run"],
  ["playwright", "playwright", "test"],
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !steps.some(([known]) => known === name));
if (unknown.length > 0) {
  console.error(`There is no check "${unknown[0]}"; there are ${steps.map(([name]) => name).join(", ")}`);
  process.exit(2);
}

const results = [];
for (const [name, command, ...args] of steps) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n── ${name}: ${command} ${args.join(" ")}`);
  const begun = performance.now();
  const passed = (await run(command, args)) === 0;
  results.push({ name, passed, seconds: (performance.now() - begun) / 1000 });
}

console.log("");
for (const { name, passed, seconds } of results) {
  console.log(`${passed ? "ok  " : "FAIL"} ${name.padEnd(12)}${seconds.toFixed(1).padStart(7)} s`);
}
const failed = results.filter(({ passed }) => !passed).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** @returns The exit status; 1 when the command could not be started. npm has put node_modules/.bin on the PATH. */
function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
      shell: process.platform === "win32",
    });
    child.once("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once("exit", (status) => resolve(status ?? 1));
  });
}
