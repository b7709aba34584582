import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");

/** Source files that git tracks or would add. */
function sources(): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  return execFileSync("git", args, { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((file) => /\.(ts|tsx|mjs|cjs|css)$/.test(file) && existsSync(path.join(root, file)));
}

/** Matches every way to reach the environment: a member of `process`, destructured, or imported. */
const READS_ENV =
  /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*(?:\?\.)?\[\s*["'`]env["'`]\s*\]|\{[^{}]*\benv\b[^{}]*\}\s*(?:=|from)\s*(?:process\b|(?:await\s+)?(?:import\s*\(\s*)?["'](?:node:)?process["'])/;

it("only one file reads the environment, and one the time", () => {
  const server = sources().filter(
    (file) => /^(server|lib)\/.*\.ts$/.test(file) && !/\.test\.ts$|\/fixtures\//.test(file),
  );
  const holding = (pattern: RegExp) =>
    server.filter((file) => pattern.test(readFileSync(path.join(root, file), "utf8")));
  expect(holding(READS_ENV)).toEqual([
    "server/platform/env.ts",
    // This file runs before anything is loaded. It passes the environment on to the process that replaces this one, and
    // names a folder for child threads and processes.
    "server/platform/process-settings.ts",
  ]);
  expect(holding(/Date\.now\(|new Date\(\)|performance\.now\(/)).toEqual(["server/platform/clock.ts"]);
});
