import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

const root = path.resolve(import.meta.dirname, "../..");

/** Creates a key with an unreachable limit and an owner with an email address. */
export async function newKey(owner: string, env: Record<string, string>): Promise<string> {
  const args = ["keys", "create", "--owner", owner, "--email", `${owner}@example.org`];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(root, "server/cli.ts"), ...args, "--limit", "1000000 per 1 minute"],
    {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production", ...env },
    },
  );
  return stdout.split("\n")[0]!;
}
