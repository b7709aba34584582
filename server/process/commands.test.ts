import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { ConfigError } from "#server/platform/env.ts";
import { temporaryFolder } from "#test/archive.ts";
import { describeCommandError } from "./command-error.ts";

const root = path.resolve(import.meta.dirname, "../..");

it("ends without a stack when its output is closed, as `| head` does", async () => {
  const script = `{ "${process.execPath}" server/cli.ts feeds plan; echo "ended $?" >&2; } | true`;
  const env = { ...process.env, DATA_DIR: temporaryFolder(), FEEDS: "full" };
  const { stderr } = await promisify(execFile)("bash", ["-c", script], { cwd: root, env });
  expect(stderr).toBe("ended 0\n");
});

const withCode = (message: string, code: string, more = {}) =>
  Object.assign(new Error(message), { code, ...more });

it.each([
  // Node's error for an open file has no path.
  ["of Node", withCode("ENOSPC: no space left on device, write", "ENOSPC", { syscall: "write", errno: -28 })],
  ["of a quota", withCode("EDQUOT: quota exceeded, write", "EDQUOT")],
  [
    "with a path",
    withCode("ENOSPC: no space left on device, mkdir '/x'", "ENOSPC", { syscall: "mkdir", path: "/x" }),
  ],
  ["of a query", new Error("the query failed", { cause: withCode("could not extend file", "53100") })],
  [
    "of PostgreSQL's start",
    new Error("The embedded PostgreSQL does not start:\nFATAL: No space left on device"),
  ],
])("describes a full disk %s in words, with what to do and without a stack", (_, error) => {
  const words = describeCommandError(error)!;
  expect(words).toMatch(/^The disk is full: /);
  expect(words).toContain("Make room in DATA_DIR");
  expect(words).not.toContain("\n");
});

it("keeps the message of an error that has one for operators, and the stack of a defect", async () => {
  expect(describeCommandError(new ConfigError("FEEDS=x: no"))).toBe("FEEDS=x: no");
  const file = import.meta.filename;
  // This error occurs where DATA_DIR is a file.
  const noFolder = await mkdir(file, { recursive: true }).catch((error: unknown) => error);
  expect(describeCommandError(noFolder)).toBe(`EEXIST: file already exists, mkdir '${file}'`);
  expect(describeCommandError(new TypeError("x is not a function"))).toBeUndefined();
  expect(describeCommandError("text")).toBeUndefined();
});
