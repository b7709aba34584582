import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolders } from "#test/databases.ts";

const folder = temporaryFolders();

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

it("exits with 78 and one message when the data directory has a database of an earlier version", () => {
  const dataDir = folder();
  mkdirSync(path.join(dataDir, "db"));
  writeFileSync(path.join(dataDir, "db/PG_VERSION"), "18\n");
  const { status, stderr } = spawnSync(process.execPath, [main], {
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATA_DIR: dataDir, PORT: "0" },
    encoding: "utf8",
  });
  expect(status).toBe(78);
  expect(stderr).toMatch(/^\S+\/db is a database of an earlier version .*\n$/);
});
