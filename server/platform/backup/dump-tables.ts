import { type ClientBase, escapeIdentifier } from "pg";
import type { BackupHeader } from "./backup-file.ts";
import { readMigrations, readTables } from "./tables.ts";

/** Rows that are fetched together: one of them can have a megabyte. */
const ROWS_AT_ONCE = 100;

/** All rows of one moment. */
export interface TableDump extends Pick<BackupHeader, "madeAt" | "migrations" | "tables"> {
  /** In the order of the tables. To be read to the end, or returned from, before the client is used for anything else. */
  rows: AsyncIterable<string>;
}

/** Reads all tables in one transaction that sees the database as it is now, whatever is written meanwhile. */
export async function dumpTables(client: ClientBase): Promise<TableDump> {
  await client.query("begin isolation level repeatable read, read only");
  // Numbers with a fraction come whole, and times with their offset, whatever the role's defaults are.
  await client.query("set local extra_float_digits = 1");
  const { rows: clock } = await client.query<{ now: Date }>("select now() as now");
  const migrations = await readMigrations(client);
  const tables: BackupHeader["tables"] = [];
  for (const table of await readTables(client)) {
    const { rows } = await client.query<{ count: string }>(
      `select count(*) as count from ${escapeIdentifier(table.name)}`,
    );
    tables.push({ ...table, rows: Number(rows[0]!.count) });
  }
  async function* rows() {
    try {
      for (const { name } of tables) {
        await client.query(
          `declare backup no scroll cursor for select to_jsonb(t)::text as row from ${escapeIdentifier(name)} t`,
        );
        for (;;) {
          const fetched = await client.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from backup`);
          if (fetched.rows.length === 0) break;
          for (const { row } of fetched.rows) yield row;
        }
        await client.query("close backup");
      }
    } finally {
      await client.query("rollback");
    }
  }
  return { madeAt: clock[0]!.now.toISOString(), migrations, tables, rows: rows() };
}
