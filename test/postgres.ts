import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { Client, type ClientConfig } from "pg";
import { openDatabase } from "#server/platform/db.ts";
import { openEmbeddedPostgres } from "#server/platform/embedded-postgres.ts";

export type TestServerAddress = Pick<ClientConfig, "user" | "host">;

export interface TestDatabases {
  address: TestServerAddress;
  /** Creates a database. @returns Its DATABASE_URL. */
  createDatabase(content: "empty" | "migrated"): Promise<string>;
  /** Drops the databases that it has created. */
  dropDatabases(): Promise<void>;
}

export interface TestServer extends TestDatabases {
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server with a data directory of its own. If the tests are killed it stops by itself, like the
 * embedded PostgreSQL of the service.
 */
export async function startPostgres(): Promise<TestServer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "metocean-test-postgres-"));
  await copyMigratedData(folder);
  // Another time zone of the server reveals times that depend on it.
  const settings = ["fsync=off", "timezone=Asia/Tokyo"];
  const server = await openEmbeddedPostgres(folder, { settings });
  const { user, host } = server.connection;
  return {
    ...databasesOf({ user, host }),
    async stop() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Databases of a running server of `startPostgres`, for this process. */
export function databasesOf(server: TestServerAddress): TestDatabases {
  const created: string[] = [];
  return {
    address: server,
    async createDatabase(content) {
      const name = `test_${process.pid}_${randomUUID().slice(0, 8)}`;
      const template = content === "migrated" ? TEMPLATE : "template0";
      // Without a sync, copying files takes a quarter of the time of copying through the log.
      await execute(server, `create database ${name} template ${template} strategy file_copy`);
      created.push(name);
      return databaseUrl(server, name);
    },
    async dropDatabases() {
      for (const name of created.splice(0)) await execute(server, `drop database ${name} with (force)`);
    },
  };
}

/** Copies the files of a migrated embedded database without rows into a data directory that has none. */
export async function copyMigratedData(dataDir: string): Promise<void> {
  if (existsSync(path.join(dataDir, "postgres"))) return;
  mkdirSync(dataDir, { recursive: true });
  execFileSync("cp", ["-r", path.join(await migratedData(), "postgres"), dataDir]);
}

const TEMPLATE = "migrated";

const root = path.join(import.meta.dirname, "..");

/**
 * Data directory of an embedded database that is migrated and has no rows. Creating one takes seconds, so it is done
 * once for each version of PostgreSQL and of the migrations.
 */
async function migratedData(): Promise<string> {
  const cache = path.join(root, "node_modules/.metocean");
  const finished = path.join(cache, `postgres-${version()}`);
  if (existsSync(finished)) return finished;
  mkdirSync(cache, { recursive: true });
  const draft = path.join(cache, `postgres-draft-${randomUUID()}`);
  await (await openDatabase({ dataDir: draft })).close();
  const server = await openEmbeddedPostgres(draft);
  await execute(server.connection, `create database ${TEMPLATE}`);
  await (
    await openDatabase({ dataDir: draft, databaseUrl: databaseUrl(server.connection, TEMPLATE) })
  ).close();
  await server.close();
  try {
    renameSync(draft, finished);
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(finished)) throw error;
    rmSync(draft, { recursive: true });
  }
  return finished;
}

function version(): string {
  const { optionalDependencies } = createRequire(import.meta.url)("../package.json");
  const hash = createHash("sha256").update(JSON.stringify(optionalDependencies));
  const folder = path.join(root, "prisma/migrations");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    if (name.endsWith(".sql")) hash.update(name).update(readFileSync(path.join(folder, name)));
  }
  return hash.digest("hex").slice(0, 16);
}

async function execute(connection: ClientConfig, sql: string): Promise<void> {
  const client = new Client({ database: "postgres", ...connection });
  await client.connect();
  await client.query(sql);
  await client.end();
}

function databaseUrl({ user, host }: TestServerAddress, name: string): string {
  return `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host ?? "")}`;
}
