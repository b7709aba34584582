import { PrismaPg } from "@prisma/adapter-pg";
import { Pool, type PoolConfig } from "pg";
import { PrismaClient } from "#prisma/generated/client.ts";
import { openEmbeddedPostgres } from "./embedded-postgres.ts";
import type { Env } from "./env.ts";
import { applyMigrations } from "./migrate.ts";

/** An open, migrated database. */
export interface Database {
  prisma: PrismaClient;
  kind: "postgresql" | "embedded";
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export class DatabaseUnreachableError extends Error {
  override readonly name = "DatabaseUnreachableError";
}

/**
 * Opens the database of the service and migrates it: PostgreSQL of DATABASE_URL, otherwise the embedded PostgreSQL of the
 * data directory, which any number of processes use together.
 *
 * @throws DatabaseUnreachableError, MigrationError, EmbeddedDatabaseError, LockedError.
 */
export async function openDatabase(env: Pick<Env, "databaseUrl" | "dataDir">): Promise<Database> {
  if (env.databaseUrl !== undefined) {
    return openPostgres({ connectionString: env.databaseUrl }, "postgresql", async () => {});
  }
  const embedded = await openEmbeddedPostgres(env.dataDir);
  try {
    return await openPostgres(embedded.connection, "embedded", embedded.close);
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

/** Any number; all replicas take this one before they migrate. */
const MIGRATION_LOCK = 7_263_541_290;

async function openPostgres(
  config: PoolConfig,
  kind: Database["kind"],
  release: () => Promise<void>,
): Promise<Database> {
  await migrate(config);
  // The driver reads and writes times as UTC and relies on the session to do the same.
  const pool = new Pool({ connectionTimeoutMillis: 10_000, max: 10, options: "-c TimeZone=UTC", ...config });
  // The pool replaces a connection that breaks while idle; if that fails, the next query throws.
  pool.on("error", () => {});
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  let closing: Promise<void> | undefined;
  return {
    prisma,
    kind,
    ping: async () => void (await prisma.$queryRaw`select 1`),
    close: () => {
      closing ??= prisma
        .$disconnect()
        .then(() => pool.end())
        .then(release);
      return closing;
    },
  };
}

/** Processes that start together migrate one after the other; only the first finds something to do. */
async function migrate(config: PoolConfig): Promise<void> {
  // Connections of its own: a lock that the migration engine takes lasts as long as its connection.
  const pool = new Pool({ ...config, connectionTimeoutMillis: 10_000 });
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
      // Ends the session and so the lock, whatever happened.
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}
