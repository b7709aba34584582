import type { ClientBase } from "pg";

/** A table as a backup describes it. */
export interface BackupTable {
  name: string;
  /** Columns that are stored; those that the database computes are left out. */
  columns: string[];
}

/** What migrations did, which a restore repeats. */
export const MIGRATIONS_TABLE = "_prisma_migrations";

/**
 * The tables of the schema with their columns, asked of the database so that a new table is in the next backup: those that
 * survive a crash of the database, without the list of migrations.
 */
export async function readTables(client: ClientBase): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace
      and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p' and c.relname <> $1
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`,
    [MIGRATIONS_TABLE],
  );
  return rows;
}

/** Names of the migrations that were applied, in order. */
export async function readMigrations(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select migration_name as name from ${MIGRATIONS_TABLE}
    where finished_at is not null and rolled_back_at is null order by migration_name collate "C"`,
  );
  return rows.map(({ name }) => name);
}
