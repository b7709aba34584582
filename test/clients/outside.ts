import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";

/**
 * Describes tests that need a third-party program. Without it one skipped test says so, which REQUIRE_CLIENTS=1 turns
 * into a failure. The test itself fails and not the collection, because packages may still be being installed.
 *
 * @param program Name for people who lack it.
 * @param isThere Whether it can be run.
 */
export function whereInstalled(
  name: string,
  program: string,
  isThere: () => boolean,
  describeTests: () => void,
): void {
  if (isThere()) describe(name, describeTests);
  else if (process.env.REQUIRE_CLIENTS === "1")
    it(name, () => expect(isThere(), `REQUIRE_CLIENTS=1, but there is no ${program}`).toBe(true));
  else it.skip(`${name} (skipped: there is no ${program})`, () => {});
}

/** Debian's Python is preferred, because it has packages that others may lack. */
const python = ["/usr/bin/python3", "python3"].find((name) => {
  const { status } = spawnSync(name, ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]);
  return status === 0;
});

/** A test that runs Python. Without it, it is skipped and says so, which is a failure in CI. */
export function wherePython(name: string, test: () => Promise<void>): void {
  if (python !== undefined) it(name, test, 240_000);
  else if (process.env.CI) it(name, () => expect(python, "there is no Python 3.9").toBeDefined());
  else it.skip(`${name} (skipped: there is no Python 3.9)`, () => {});
}

/**
 * Runs a module of tests in Python.
 *
 * @param client Folder below `clients/`.
 * @param module Name of the module: `tests.test_faults`.
 */
export async function pythonPasses(
  client: "python" | "homeassistant",
  module: string,
  env: Record<string, string> = {},
): Promise<void> {
  // -B prevents compiled files in the source tree. Warnings are errors, except those of other packages.
  const child = spawn(python!, ["-B", "-W", "error:::open_metocean", "-m", "unittest", "-v", module], {
    cwd: path.join(import.meta.dirname, "../../clients", client),
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "test", ...env },
  });
  const [output, [status]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(status, output).toBe(0);
  expect(output).toMatch(/Ran [1-9]\d* tests/);
}
