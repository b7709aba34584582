import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");

/** Source files that git has or would take. */
function sources(): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  return execFileSync("git", args, { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((file) => /\.(ts|tsx|mjs|cjs|css)$/.test(file) && existsSync(path.join(root, file)));
}

describe("the house stays small", () => {
  it("no source file is longer than 400 lines", () => {
    const files = sources();
    expect(files.length).toBeGreaterThan(50);
    const long = files.filter((file) => readFileSync(path.join(root, file), "utf8").split("\n").length > 401);
    expect(long).toEqual([]);
  });

  it("at most 40 packages are needed to run it", () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(40);
  });

  it("only one file reads the environment, and one the time", () => {
    const server = sources().filter(
      (file) =>
        /^(server|lib)\/.*\.ts$/.test(file) &&
        !/\.(test|bench)\.ts$|\/testing|\/fixtures\/|^server\/scripts\//.test(file),
    );
    const holding = (pattern: RegExp) =>
      server.filter((file) => pattern.test(readFileSync(path.join(root, file), "utf8")));
    expect(holding(/process\.env/)).toEqual(["server/platform/env.ts"]);
    expect(holding(/Date\.now\(|new Date\(\)|performance\.now\(/)).toEqual(["server/platform/clock.ts"]);
  });
});
