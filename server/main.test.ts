import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";

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
