// `npm test` runs every check of the project; a failed one stops no other. The browser tests take longest, so they
// begin at once. Beside them run first the static checks and then Vitest, at a lower priority, and their output is
// printed as a whole, in order. Temporary files are in memory where possible, because disk access would dominate the
// time.
// `npm test -- types vitest` runs the named checks. Checks that this machine cannot run are skipped and named at the
// end; REQUIRE_SAMPLES=1, REQUIRE_BROWSER=1, REQUIRE_ECCODES=1 and REQUIRE_CLIENTS=1 turn that into a failure.

import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem, setPriority, tmpdir } from "node:os";
import path from "node:path";

/** Exit status of a check that this machine cannot run. */
const EXIT_UNAVAILABLE = 3;

/** Nice value of the checks that run beside the browser tests, which end last. */
const LOWER_PRIORITY = 5;

/** Type of tmpfs in statfs(2). */
const TMPFS = 0x01021994;

/** Free memory that a temporary folder in memory requires, bytes. A quarter of it is used. */
const MEMORY_BYTES = 4e9;

const temporary = temporaryFolder();
const vitestReport = path.join(temporary, "vitest.json");

/** Folder of compiled scripts, shared by the hundreds of processes that tests start. */
const compiled = path.resolve("node_modules/.cache/metocean");

/**
 * Name and command of each check. A static one neither starts a server nor measures time. `unavailable` explains the
 * status EXIT_UNAVAILABLE of the command.
 */
const checks = [
  { name: "lint", command: ["biome", "ci", "--error-on-warnings", "."], isStatic: true },
  { name: "types", command: ["tsc", "--noEmit"], isStatic: true },
  { name: "imports", command: ["node", "scripts/check-imports.ts"], isStatic: true },
  { name: "dead-code", command: ["knip"], isStatic: true },
  // These third-party programs are run by tests of test/clients; nothing else needs their packages.
  {
    name: "outside-programs",
    command: ["node", "scripts/outside-programs.mjs"],
    isStatic: true,
    unavailable: "signalk-server and covjson-reader could not be installed",
  },
  {
    name: "playwright",
    // Without a browser there is nothing to run.
    unless: { command: ["node", "e2e/browser.ts", "--find"], required: process.env.REQUIRE_BROWSER === "1" },
    command: ["playwright", "test"],
  },
  {
    name: "vitest",
    command: ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${vitestReport}`],
    failures: failuresOfTests,
    skipped: skippedSuites,
  },
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`There is no check "${unknown[0]}"; there are ${checks.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const wanted = checks.filter(({ name }) => asked.length === 0 || asked.includes(name));
const browser = wanted.find(({ name }) => name === "playwright");
const options = wanted.length > 1 ? { kept: true, priority: browser && LOWER_PRIORITY } : {};
const statics = new Map(
  wanted.filter(({ isStatic }) => isStatic).map((check) => [check, timed(check, options)]),
);
const results = [];
if (browser) {
  announce(browser);
  const rest = finish(wanted.filter((check) => check !== browser));
  results.push(await timed(browser));
  results.push(...(await rest).map(print));
} else for (const check of wanted) results.push(...(await finish([check])).map(print));
console.log("");
for (const { name, state, seconds } of results) {
  console.log(`${state.padEnd(8)}${name.padEnd(18)}${seconds.toFixed(1).padStart(7)} s`);
}
// Failures are repeated at the end, because often only the end of a long log is saved.
for (const line of results.flatMap((result) => result.failures)) console.log(`!! ${line}`);
const failed = results.filter(({ state }) => state === "FAILED").length;
const skipped = results.flatMap((result) => result.skipped);
console.log(`${results.length - failed} of ${results.length} checks without a failure`);
if (skipped.length > 0) {
  console.log(`\n!! SKIPPED, because this machine lacks what they need:`);
  for (const line of skipped) console.log(`!!   ${line}`);
}
process.exitCode = failed === 0 ? 0 : 1;

/** Runs the other checks after the static ones, because Vitest runs programs that one of those installs. */
async function finish(checks) {
  await Promise.all(statics.values());
  const ended = [];
  for (const check of checks) ended.push([check, await (statics.get(check) ?? timed(check, options))]);
  return ended;
}

function announce({ name, command }) {
  console.log(`\n── ${name}: ${command.join(" ")}`);
}

/** Prints the output of a check, and returns the rest of its result. */
function print([check, { output, ...result }]) {
  if (output) announce(check);
  for (const { stream, text } of output ?? []) stream.write(text);
  return result;
}

/**
 * A folder for all temporary files, accessible to the users that some tests run programs as. It is removed at the end.
 */
function temporaryFolder() {
  const inMemory = isRoomyMemory("/dev/shm") ? folderIn("/dev/shm") : undefined;
  // Where programs cannot be executed from memory, as in Docker, files stay on disk.
  const folder = inMemory && runsPrograms(inMemory) ? inMemory : folderIn(tmpdir());
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  return folder;
}

function isRoomyMemory(folder) {
  try {
    const { type, bavail, bsize } = statfsSync(folder);
    return type === TMPFS && Math.min(bavail * bsize, freemem()) > MEMORY_BYTES;
  } catch {
    return false;
  }
}

function folderIn(parent) {
  const folder = mkdtempSync(path.join(parent, "metocean-test-"));
  chmodSync(folder, 0o1777);
  return folder;
}

function runsPrograms(folder) {
  const script = path.join(folder, "script");
  writeFileSync(script, "#!/bin/sh\n", { mode: 0o755 });
  const { status } = spawnSync(script);
  rmSync(status === 0 ? script : folder, { recursive: true });
  return status === 0;
}

/** Runs a check. @param kept Whether its output is returned instead of printed. @param priority Nice value. */
async function timed(check, { kept = false, priority } = {}) {
  const output = kept ? [] : undefined;
  const begun = performance.now();
  const result = await outcomeOf(check, { output, priority });
  return {
    name: check.name,
    seconds: (performance.now() - begun) / 1000,
    skipped: [],
    failures: [],
    output,
    ...result,
  };
}

async function outcomeOf({ name, command, unless, unavailable, skipped, failures }, options) {
  if (unless) {
    const status = await run(unless.command);
    if (status === EXIT_UNAVAILABLE && !unless.required) {
      return { state: "SKIPPED", skipped: [`${name}: no browser was found, none could be installed`] };
    }
    if (status !== 0) return { state: "FAILED" };
  }
  const status = await run(command, options);
  if (unavailable && status === EXIT_UNAVAILABLE)
    return { state: "SKIPPED", skipped: [`${name}: ${unavailable}`] };
  return {
    state: status === 0 ? "ok" : "FAILED",
    skipped: skipped?.() ?? [],
    failures: failures?.() ?? [],
  };
}

/** Results of vitest, one per file; empty if vitest itself failed, which it has then reported. */
function vitestResults() {
  try {
    return JSON.parse(readFileSync(vitestReport, "utf8")).testResults;
  } catch {
    return [];
  }
}

/**
 * Failed tests, even if a second try passed: file, name and first line of the error; only the file if it could not be
 * run.
 */
function failuresOfTests() {
  return vitestResults().flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(process.cwd(), name);
    const tests = assertionResults.filter(({ failureMessages = [] }) => failureMessages.length > 0);
    if (tests.length === 0) return status === "failed" ? [`FAILED ${file}: ${firstLine(message)}`] : [];
    return tests.map((test) => {
      const verdict = test.status === "failed" ? "FAILED" : "PASSED ONLY ON RETRY";
      return `${verdict} ${file} "${test.fullName}": ${firstLine(test.failureMessages[0])}`;
    });
  });
}

function firstLine(text = "") {
  return text.split("\n", 1)[0];
}

/** Skipped suites that give the reason in their name. */
function skippedSuites() {
  const suites = new Map();
  for (const { assertionResults } of vitestResults()) {
    for (const { status, ancestorTitles, title } of assertionResults) {
      const named = [...ancestorTitles, title].find((text) => /\((skipped|needs)\b/.test(text));
      if (named && status !== "passed" && status !== "failed")
        suites.set(named, (suites.get(named) ?? 0) + 1);
    }
  }
  return [...suites].map(([suite, tests]) => `vitest: ${suite}${tests > 1 ? `, ${tests} tests` : ""}`);
}

/**
 * @param output Receives the output of the command; without it, the output is printed at once.
 * @returns The exit status; 1 when the command could not be started. npm puts node_modules/.bin on the PATH.
 */
function run([command, ...args], { output, priority } = {}) {
  return new Promise((resolve) => {
    const printed = output ? "pipe" : "inherit";
    const child = spawn(command, args, {
      stdio: ["ignore", printed, printed],
      env: { ...process.env, TMPDIR: temporary, NODE_COMPILE_CACHE: compiled, NEXT_TELEMETRY_DISABLED: "1" },
      shell: process.platform === "win32",
    });
    if (priority !== undefined && child.pid) setPriority(child.pid, priority);
    for (const name of output ? ["stdout", "stderr"] : [])
      child[name].on("data", (text) => output.push({ stream: process[name], text }));
    child.once("error", (error) => {
      if (output) output.push({ stream: process.stderr, text: `${error.message}\n` });
      else console.error(error.message);
      resolve(1);
    });
    // "close" is used because at "exit" the last output may still be in the pipe.
    child.once("close", (status) => resolve(status ?? 1));
  });
}
