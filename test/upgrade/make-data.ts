import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { unusedPort } from "#test/unused-port.ts";
import { KEY, NOW, QUESTION } from "./data.ts";

// Writes the data directory that a commit of this repository leaves, for the tests of upgrades. It needs a checkout of
// the commit in which its own `node scripts/setup.mjs --build` has run, and a name for the folder in fixtures/.
//
//   git worktree add --detach /tmp/earlier 10d62eb0 && (cd /tmp/earlier && npm ci && node scripts/setup.mjs --build)
//   node test/upgrade/make-data.ts /tmp/earlier 10d62eb0
//
// A folder of PostgreSQL has 40 MB, so only the SQL that creates its tables, a backup by the commit itself, and the
// files are stored.

const [checkout, name] = process.argv.slice(2);
if (!checkout || !name) throw new Error("node test/upgrade/make-data.ts <checkout> <name>");
const target = path.join(import.meta.dirname, "fixtures", name);
const dataDir = mkdtempSync(path.join(os.tmpdir(), "metocean-data-"));
const port = await unusedPort();
const base = `http://127.0.0.1:${port}`;
const environment: NodeJS.ProcessEnv = {
  NODE_ENV: "production",
  PATH: process.env.PATH,
  DATA_DIR: dataDir,
  PORT: String(port),
  METOCEAN_NOW: NOW,
  DEMO: "never",
  BOOTSTRAP_API_KEY: KEY,
  RETENTION_RESULT: "99999 days",
  RETENTION_ROW: "99999 days",
};

const command = (...args: string[]) =>
  execFileSync(process.execPath, ["server/cli.ts", ...args], {
    cwd: checkout,
    env: environment,
    stdio: "inherit",
  });

async function ask(at: string, body?: unknown): Promise<{ task_id: string; status: string }> {
  const reply = await fetch(base + at, {
    headers: { "x-api-key": KEY, "content-type": "application/json", "idempotency-key": at },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${at}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as { task_id: string; status: string };
}

command("ingest", "gfs", "--from", path.join(import.meta.dirname, "wind.grib2"), "--partial");
const server = spawn(process.execPath, ["server/main.ts"], {
  cwd: checkout,
  env: environment,
  stdio: "inherit",
});
try {
  while (!(await fetch(`${base}/readyz`).catch(() => undefined))?.ok) await wait(100);
  const { task_id } = await ask("/MetOcean/async", QUESTION);
  while ((await ask(`/task/${task_id}`)).status === "PENDING") await wait(100);
  await ask("/watches", {
    name: "Gale off Ushant",
    question: {
      kind: "place",
      latitude: 48.5,
      longitude: -5.2,
      window_hours: 48,
      conditions: [{ quantity: "wind_kt", over: 33 }],
    },
  });
} finally {
  server.kill();
  await once(server, "exit");
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
command("backup", path.join(target, "backup.gz"));
for (const folder of ["archive", "tasks"])
  cpSync(path.join(dataDir, folder), path.join(target, folder), { recursive: true });
writeFileSync(path.join(target, "schema.sql"), schemaOf(path.join(checkout, "prisma/migrations")));
rmSync(dataDir, { recursive: true });

/** The migrations of a database that `prisma migrate` prepared, with the rows that record them. */
function schemaOf(folder: string): string {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const parts = names
    .map((entry) => entry.name)
    .sort()
    .map((migration) => {
      const sql = readFileSync(path.join(folder, migration, "migration.sql"), "utf8");
      const checksum = createHash("sha256").update(sql).digest("hex");
      return `${sql}
INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
VALUES (gen_random_uuid(), '${checksum}', '${migration}', clock_timestamp(), 1);
`;
    });
  return [
    `CREATE TABLE _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
);`,
    ...parts,
  ].join("\n");
}
