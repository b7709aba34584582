import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { migratedDataDirs } from "#test/databases.ts";

const migrated = migratedDataDirs();

const main = path.join(import.meta.dirname, "main.ts");

it("names every wrong variable and exits with 78, before anything is opened", () => {
  const { status, stderr } = spawnSync(process.execPath, [main], {
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      PORT: "70000",
      METOCEAN_NOW: "2026-02-30T00:00:00Z",
      BOOTSTRAP_API_KEY: "short",
      BOOTSTRAP_API_KEY_LIMIT: "many",
      DATABASE_URL: "mysql://localhost/x",
    },
    encoding: "utf8",
  });
  expect(status).toBe(78);
  for (const name of [
    "PORT",
    "METOCEAN_NOW",
    "BOOTSTRAP_API_KEY",
    "BOOTSTRAP_API_KEY_LIMIT",
    "DATABASE_URL",
  ]) {
    expect(stderr).toContain(`  ${name}: `);
  }
  expect(stderr).not.toContain("short");
});

it.each([
  ["a file", import.meta.filename],
  ["in /proc, where no folder can be created", "/proc/metocean/data"],
  ["longer than PostgreSQL reads", `/tmp/${"x/".repeat(500)}`],
])("exits with 78 and one line that names DATA_DIR when that is %s", (_, dataDir) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [main], {
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATA_DIR: dataDir, PORT: "0" },
    encoding: "utf8",
  });
  expect(status).toBe(78);
  expect(stderr).toMatch(/^DATA_DIR=\S+ cannot be used: .*\n$/);
  expect(stdout).toBe("");
});

it("names settings that no longer exist, and closes what it has opened when it is stopped while the database starts", async () => {
  const { dataDir } = await migrated();
  const child = spawn(process.execPath, [main], {
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: "0",
      DEMO: "never",
      WHEN_FULL: "delete_oldest",
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const said = text(child.stdout);
  while (!existsSync(path.join(dataDir, "postgres/postmaster.pid"))) await delay(1);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(await said).toContain("WHEN_FULL is ignored because it no longer exists");
  expect(readdirSync(dataDir)).not.toContain("postgres.lock");
  expect(existsSync(path.join(dataDir, "postgres/postmaster.pid"))).toBe(false);
}, 60_000);
