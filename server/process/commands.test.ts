import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "#test/archive.ts";

const root = path.resolve(import.meta.dirname, "../..");

it("ends without a stack where nobody reads its output any more, as `| head` does", async () => {
  const script = `{ "${process.execPath}" server/cli.ts feeds plan; echo "ended $?" >&2; } | true`;
  const env = { ...process.env, DATA_DIR: temporaryFolder(), FEEDS: "full" };
  const { stderr } = await promisify(execFile)("bash", ["-c", script], { cwd: root, env });
  expect(stderr).toBe("ended 0\n");
});
