// `npm test`: every check of the project, in order; a failed one does not stop the next. `npm test -- types vitest` runs the
// named ones. What this machine cannot run is skipped and named at the end; REQUIRE_SAMPLES=1 and REQUIRE_BROWSER=1 make
// that a failure.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Exit status of a check that this machine cannot run. */
const EXIT_UNAVAILABLE = 3;

const temporary = mkdtempSync(path.join(tmpdir(), "metocean-test-"));
const vitestReport = path.join(temporary, "vitest.json");

/** Name, command, and what it needs of the environment. */
const checks = [
  { name: "lint", command: ["biome", "ci", "--error-on-warnings", "."] },
  { name: "types", command: ["tsc", "--noEmit"] },
  { name: "imports", command: ["node", "scripts/check-imports.ts"] },
  { name: "dead-code", command: ["knip"] },
  // Collects every suite as a machine without the samples does: a skipped suite must not read them.
  {
    name: "no-samples",
    command: ["vitest", "list", "--json", path.join(temporary, "collected.json")],
    env: { SAMPLES_DIR: path.join(temporary, "absent"), REQUIRE_SAMPLES: "" },
  },
  {
    name: "vitest",
    command: ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${vitestReport}`],
    skipped: skippedSuites,
  },
  {
    name: "playwright",
    // Without a browser there is nothing to run.
    unless: { command: ["node", "e2e/browser.ts", "--find"], required: process.env.REQUIRE_BROWSER === "1" },
    command: ["playwright", "test"],
  },
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`There is no check "${unknown[0]}"; there are ${checks.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const results = [];
for (const check of checks) {
  if (asked.length > 0 && !asked.includes(check.name)) continue;
  console.log(`\n── ${check.name}: ${check.command.join(" ")}`);
  const begun = performance.now();
  const result = await outcomeOf(check);
  results.push({ name: check.name, seconds: (performance.now() - begun) / 1000, skipped: [], ...result });
}
rmSync(temporary, { recursive: true, force: true });

console.log("");
for (const { name, state, seconds } of results) {
  console.log(`${state.padEnd(8)}${name.padEnd(12)}${seconds.toFixed(1).padStart(7)} s`);
}
const failed = results.filter(({ state }) => state === "FAILED").length;
const skipped = results.flatMap((result) => result.skipped);
console.log(`${results.length - failed} of ${results.length} checks without a failure`);
if (skipped.length > 0) {
  console.log(`\n!! SKIPPED, because this machine lacks what they need:`);
  for (const line of skipped) console.log(`!!   ${line}`);
}
process.exitCode = failed === 0 ? 0 : 1;

async function outcomeOf({ name, command, env, unless, skipped }) {
  if (unless) {
    const status = await run(unless.command);
    if (status === EXIT_UNAVAILABLE && !unless.required) {
      return { state: "SKIPPED", skipped: [`${name}: no browser was found, none could be installed`] };
    }
    if (status !== 0) return { state: "FAILED" };
  }
  const passed = (await run(command, env)) === 0;
  return { state: passed ? "ok" : "FAILED", skipped: skipped?.() ?? [] };
}

/** Suites that say in their own name why they are skipped. */
function skippedSuites() {
  let report;
  try {
    report = JSON.parse(readFileSync(vitestReport, "utf8"));
  } catch {
    // vitest itself has failed and said why.
    return [];
  }
  const suites = new Map();
  for (const { assertionResults } of report.testResults) {
    for (const { status, ancestorTitles, title } of assertionResults) {
      const named = [...ancestorTitles, title].find((text) => /\((skipped|needs)\b/.test(text));
      if (named && status !== "passed" && status !== "failed")
        suites.set(named, (suites.get(named) ?? 0) + 1);
    }
  }
  return [...suites].map(([suite, tests]) => `vitest: ${suite}${tests > 1 ? `, ${tests} tests` : ""}`);
}

/** @returns The exit status; 1 when the command could not be started. npm puts node_modules/.bin on the PATH. */
function run([command, ...args], env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env },
      shell: process.platform === "win32",
    });
    child.once("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once("exit", (status) => resolve(status ?? 1));
  });
}
