import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A connection that migrations can be run on. */
export interface Migratable {
  /** A text of several statements runs as one transaction; it has no parameters. */
  query(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

export class MigrationError extends Error {
  override readonly name = "MigrationError";
  constructor(reason: string, options?: ErrorOptions) {
    super(`The database could not be migrated: ${reason}`, options);
  }
}

/** A folder for each migration, in the order of their names. */
const MIGRATIONS = path.join(import.meta.dirname, "../../prisma/migrations");

/** The table as `prisma migrate` creates it. */
const CREATE_TABLE = `create table _prisma_migrations (
  id varchar(36) primary key,
  checksum varchar(64) not null,
  finished_at timestamptz,
  migration_name varchar(255) not null,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`;

/**
 * Applies the migrations that are missing, and writes the same `_prisma_migrations` rows as `prisma migrate deploy`. The
 * caller prevents concurrent calls.
 *
 * @returns Names of the migrations that were applied.
 * @throws MigrationError when one fails, or failed earlier; a failing migration is rolled back.
 */
export async function applyMigrations(database: Migratable): Promise<string[]> {
  const recorded = await recordedMigrations(database);
  const names = readdirSync(MIGRATIONS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const failed = recorded.find(({ state }) => state === "failed");
  if (failed) {
    throw new MigrationError(
      `${failed.name} is one of the failed migrations of this database. How to resolve it: https://pris.ly/d/migrate-resolve`,
    );
  }
  const missing = names.filter(
    (name) => !recorded.some((row) => row.name === name && row.state === "finished"),
  );
  for (const name of missing) await applyMigration(database, name);
  return missing;
}

async function recordedMigrations(
  database: Migratable,
): Promise<{ name: string; state: "finished" | "failed" | "interrupted" }[]> {
  const { rows } = await database.query(
    "select tablename from pg_tables where schemaname = current_schema()",
  );
  const tables = (rows as { tablename: string }[]).map(({ tablename }) => tablename);
  if (!tables.includes("_prisma_migrations")) {
    if (tables.length > 0) {
      throw new MigrationError(
        "The database schema is not empty. How to adopt an existing database: https://pris.ly/d/migrate-baseline",
      );
    }
    await database.query(CREATE_TABLE);
  }
  const recorded = await database.query(
    `select migration_name as name, case
      when finished_at is not null then 'finished' when logs is not null then 'failed' else 'interrupted'
    end as state from _prisma_migrations where rolled_back_at is null`,
  );
  return recorded.rows as Awaited<ReturnType<typeof recordedMigrations>>;
}

/** Applies a migration and records it in the same transaction. */
async function applyMigration(database: Migratable, name: string): Promise<void> {
  const sql = readFileSync(path.join(MIGRATIONS, name, "migration.sql"), "utf8");
  const row = [randomUUID(), createHash("sha256").update(sql).digest("hex"), name];
  // `prisma migrate` leaves an interrupted row when it is killed; the migration itself was rolled back.
  const script = `delete from _prisma_migrations
    where migration_name = '${name}' and finished_at is null and rolled_back_at is null;
    ${sql}
    ;insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
    values ('${row.join("', '")}', clock_timestamp(), 1)`;
  try {
    await database.query(script);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    await database.query(
      "insert into _prisma_migrations (id, checksum, migration_name, logs) values ($1, $2, $3, $4)",
      [...row, reason],
    );
    throw new MigrationError(`${name}: ${reason}`, { cause });
  }
}
