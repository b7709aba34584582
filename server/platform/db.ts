import { PrismaPg } from "@prisma/adapter-pg";
import { Pool, type PoolConfig } from "pg";
import { PrismaClient } from "#prisma/generated/client.ts";
import { type EmbeddedRole, openEmbedded } from "./embedded.ts";
import type { Env } from "./env.ts";
import { applyMigrations } from "./migrate.ts";

/** An open, migrated database. */
export interface Database {
  prisma: PrismaClient;
  kind: "postgresql" | "embedded" | "through the server";
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export class DatabaseUnreachableError extends Error {
  override readonly name = "DatabaseUnreachableError";
}

/**
 * Opens the database of the service and brings it up to date.
 *
 * PostgreSQL where DATABASE_URL names one. Otherwise the embedded one in the data directory, which one process has at a
 * time: a command that finds the server there works through the server.
 *
 * @throws DatabaseUnreachableError, MigrationError, DirectoryLockedError.
 */
export async function openDatabase(
  env: Pick<Env, "databaseUrl" | "dataDir">,
  role: EmbeddedRole = "server",
): Promise<Database> {
  if (env.databaseUrl !== undefined) return openPostgres(env.databaseUrl);
  const embedded = await openEmbedded(env.dataDir, role);
  if ("socketFolder" in embedded) {
    const { socketFolder } = embedded;
    return connect(
      { host: socketFolder, port: 5432, user: "postgres", database: "postgres", max: 1 },
      "through the server",
    );
  }
  try {
    await applyMigrations(embedded.migratable);
    if (role === "server") await embedded.share();
  } catch (error) {
    await embedded.close();
    throw error;
  }
  return database(new PrismaClient({ adapter: embedded.migratable.adapter }), "embedded", embedded.close);
}

/** Any number; all replicas take this one before they migrate. */
const MIGRATION_LOCK = 7_263_541_290;

async function openPostgres(url: string): Promise<Database> {
  await migrateAlone(url);
  return connect({ connectionString: url, max: 10 }, "postgresql");
}

/** Several replicas may start at once on one PostgreSQL: the others wait, and find nothing left to do. */
async function migrateAlone(url: string): Promise<void> {
  // Connections of their own: a lock that the migration engine takes lasts as long as its connection.
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: 10_000 });
  pool.on("error", () => {});
  try {
    const client = await pool.connect().catch((error: Error) => {
      throw new DatabaseUnreachableError(`The database of DATABASE_URL does not answer: ${error.message}`, {
        cause: error,
      });
    });
    try {
      await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
      await applyMigrations({
        adapter: new PrismaPg(pool),
        runScript: async (sql) => void (await pool.query(sql)),
        rows: async (sql) => (await pool.query(sql)).rows,
      });
    } finally {
      // Ends the session, and the lock with it, whatever happened.
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

function connect(config: PoolConfig, kind: Database["kind"]): Database {
  // The driver writes and reads times as UTC and leaves it to the session to agree.
  const pool = new Pool({ connectionTimeoutMillis: 10_000, options: "-c TimeZone=UTC", ...config });
  // A connection that breaks while idle is replaced by the pool; the next query tells when that fails.
  pool.on("error", () => {});
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return database(prisma, kind, () => pool.end());
}

function database(prisma: PrismaClient, kind: Database["kind"], end: () => Promise<void>): Database {
  let closing: Promise<void> | undefined;
  return {
    prisma,
    kind,
    ping: async () => void (await prisma.$queryRaw`select 1`),
    close: () => {
      closing ??= prisma.$disconnect().then(end);
      return closing;
    },
  };
}
