import { type ClientBase, DatabaseError, escapeIdentifier, escapeLiteral } from "pg";
import { BackupDamagedError, type OpenedBackup } from "./backup-file.ts";
import { readMigrations, readTables } from "./tables.ts";

/** The database is not one that this backup can be restored into. */
export class RestoreRefusedError extends Error {
  override readonly name = "RestoreRefusedError";
}

/** Errors of PostgreSQL: values that are none of their type, and rows that break a rule of their table. */
const WRONG_DATA = /^2[23]/;

/** Text of the rows that are inserted together, characters. */
const BATCH_CHARACTERS = 2 ** 20;

/**
 * Writes the rows of a backup into a database that has its migrations and no rows, in one transaction: all or nothing.
 *
 * @param beforeCommit Runs when every row is written and counted.
 * @returns How many rows each table has now.
 * @throws RestoreRefusedError, BackupDamagedError
 */
export async function loadTables(
  client: ClientBase,
  backup: OpenedBackup,
  beforeCommit: () => Promise<void>,
): Promise<Record<string, number>> {
  await client.query("begin");
  try {
    await prepare(client, backup);
    const counts: Record<string, number> = {};
    for (const table of backup.header.tables) {
      counts[table.name] = await loadTable(client, table, backup.rowsOf(table));
      if (counts[table.name] !== table.rows)
        throw new BackupDamagedError(
          `The backup says ${table.rows} rows of ${table.name}, and ${counts[table.name]} could be read.`,
        );
    }
    await backup.end();
    await advanceSequences(client);
    await beforeCommit();
    await client.query("commit");
    // What the planner knows of tables is not in a backup.
    await client.query("analyze");
    return counts;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** Keeps others out, and checks that there is nothing that rows could be mixed with. */
async function prepare(client: ClientBase, { header }: OpenedBackup): Promise<void> {
  const migrations = await readMigrations(client);
  if (migrations.join() !== header.migrations.join())
    throw new RestoreRefusedError(
      `The backup was made by version ${header.version}, whose tables are not those of this database. Restore it with that version into a database in which nothing has run yet; then start this one.`,
    );
  const tables = await readTables(client);
  for (const { name, columns } of header.tables) {
    const found = tables.find((table) => table.name === name);
    const absent = found ? columns.filter((column) => !found.columns.includes(column)) : [name];
    if (absent.length > 0)
      throw new RestoreRefusedError(`The backup has ${absent.join(", ")}, which this database has not.`);
  }
  const names = tables.map(({ name }) => escapeIdentifier(name));
  await client.query(`lock table ${names.join(", ")} in access exclusive mode`);
  for (const { name } of tables) {
    const { rows } = await client.query(`select 1 from ${escapeIdentifier(name)} limit 1`);
    if (rows.length > 0)
      throw new RestoreRefusedError(
        `The database is not empty: its table ${name} has rows. A backup is restored only into one in which the service has never started, so that nothing is mixed or lost.`,
      );
  }
}

async function loadTable(
  client: ClientBase,
  { name, columns }: { name: string; columns: string[] },
  rows: AsyncIterable<string>,
): Promise<number> {
  const list = columns.map(escapeIdentifier).join(", ");
  const table = escapeIdentifier(name);
  const sql = `insert into ${table} (${list}) overriding system value
    select ${list} from jsonb_populate_recordset(null::${table}, $1::jsonb)`;
  let count = 0;
  let batch: string[] = [];
  let characters = 0;
  const insert = async () => {
    try {
      const { rowCount } = await client.query(sql, [`[${batch.join(",")}]`]);
      return rowCount ?? 0;
    } catch (cause) {
      if (!(cause instanceof DatabaseError) || !WRONG_DATA.test(cause.code ?? "")) throw cause;
      throw new BackupDamagedError(`The rows of ${name} cannot be read: ${cause.message}.`, { cause });
    }
  };
  const flush = async () => {
    if (batch.length > 0) count += await insert();
    batch = [];
    characters = 0;
  };
  for await (const row of rows) {
    batch.push(row);
    characters += row.length;
    if (characters > BATCH_CHARACTERS) await flush();
  }
  await flush();
  return count;
}

/** Numbers that the database gives out go on behind those that were restored. */
async function advanceSequences(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ sequence: string; table: string; column: string }>(
    `select s.oid::regclass::text as sequence, t.relname as table, a.attname as column
    from pg_class s
    join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    join pg_class t on t.oid = d.refobjid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace`,
  );
  for (const { sequence, table, column } of rows)
    await client.query(
      `select setval(${escapeLiteral(sequence)}, max(${escapeIdentifier(column)})) from ${escapeIdentifier(table)}
      having max(${escapeIdentifier(column)}) is not null`,
    );
}
