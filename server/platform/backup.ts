import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { type ClientBase, DatabaseError, escapeIdentifier } from "pg";
import { z } from "zod";
import { commitBetween, migrationsForRows, REMOVED_COLUMNS, REMOVED_TABLES } from "./earlier-schemas.ts";
import { ownMigrations } from "./migrate.ts";
import { serviceVersion } from "./version.ts";

/** The file is not a backup, or not a whole one. */
export class BackupDamagedError extends Error {
  override readonly name = "BackupDamagedError";
}

/** The first line of a backup. */
const headerSchema = z.object({
  /** Version of this form. */
  openMetOceanBackup: z.literal(1),
  /** Version of the service that wrote it. */
  version: z.string(),
  /** Time of the backup by the database's clock. */
  madeAt: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  /** The secret of the keys, or, where it is in the environment, what tells it from another. */
  pepper: z.union([
    z.object({ value: z.string().min(16) }),
    z.object({ salt: z.string().min(16), check: z.string().min(16) }),
  ]),
  /** Places of the files that rows name, for people. */
  files: z.object({ blobs: z.string(), archive: z.string() }),
  /** Tables in the order of the lines that follow. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int().min(0) })),
});

export type BackupHeader = z.infer<typeof headerSchema>;

const LAST_LINE = '{"end":true}';

/** Every row is shorter: a text of a storm feed has 16 MiB at most. */
const MAX_LINE_BYTES = 200 * 2 ** 20;

/**
 * A backup as gzip of JSON lines: a header, the rows of its tables, and a last line without which it is not whole.
 *
 * @param rows Each an object as JSON, on one line.
 */
export function packBackup(header: BackupHeader, rows: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  const lines = async function* () {
    yield `${JSON.stringify(header)}\n`;
    for await (const row of rows) yield `${row}\n`;
    yield `${LAST_LINE}\n`;
  };
  // An error of the lines is thrown to the reader of the last stream too.
  return pipeline(lines, createGzip(), () => {});
}

/** A backup that is being read. */
export interface OpenedBackup {
  header: BackupHeader;
  /** The rows of the next table, as JSON. Tables have to be read in order, each to its end. */
  rowsOf(table: BackupHeader["tables"][number]): AsyncIterable<string>;
  /** @throws BackupDamagedError unless this is the end of a whole backup. */
  end(): Promise<void>;
  close(): Promise<void>;
}

/** @throws BackupDamagedError if the file is not a backup, or a version that writes another form made it. */
export async function openBackup(file: string): Promise<OpenedBackup> {
  const lines = readLines(file);
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new BackupDamagedError(`${file} ends early: it is not a whole backup.`);
    return value;
  };
  try {
    const header = parseHeader(file, await next());
    return {
      header,
      async *rowsOf({ rows }) {
        for (let row = 0; row < rows; row++) yield await next();
      },
      async end() {
        if ((await next()) !== LAST_LINE || !(await lines.next()).done)
          throw new BackupDamagedError(`${file} has more rows than its first line says.`);
      },
      close: async () => void (await lines.return(undefined)),
    };
  } catch (error) {
    await lines.return(undefined);
    throw error;
  }
}

function parseHeader(file: string, line: string): BackupHeader {
  let content: unknown;
  try {
    content = JSON.parse(line);
  } catch {
    throw new BackupDamagedError(`${file} is not a backup of this service.`);
  }
  const { success, data } = headerSchema.safeParse(content);
  if (!success)
    throw new BackupDamagedError(
      `${file} is not a backup of this service, or one that another version of it wrote.`,
    );
  return data;
}

/** Lines that end with a line feed: Node's own readline also ends them at characters that JSON may contain. */
async function* readLines(file: string): AsyncGenerator<string, undefined> {
  const bytes = pipeline(createReadStream(file), createGunzip(), () => {});
  let begun: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString();
        begun = [];
        length = 0;
        start = end + 1;
      }
      begun.push(chunk.subarray(start));
      length += chunk.length - start;
      if (length > MAX_LINE_BYTES) throw new BackupDamagedError(`${file} is not a backup of this service.`);
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!code.startsWith("Z_")) throw error;
    throw new BackupDamagedError(`${file} is damaged or not whole: ${(error as Error).message}.`);
  }
  return undefined;
}

/** A table as a backup describes it. */
export interface BackupTable {
  name: string;
  /** Columns that are stored; those that the database computes are left out. */
  columns: string[];
}

/** Table of applied migrations, which a restore repeats. */
export const MIGRATIONS_TABLE = "_prisma_migrations";

/**
 * Reads the tables of the schema with their columns from the database, so that the next backup includes a new table.
 * Tables that a crash of the database empties (unlogged ones) and the list of migrations are left out.
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

/** Rows that are fetched together: one of them can have a megabyte. */
const ROWS_AT_ONCE = 100;

/** All rows of the database at one moment. */
export interface TableDump extends Pick<BackupHeader, "madeAt" | "migrations" | "tables"> {
  /**
   * Rows in the order of the tables. The caller reads them to the end, or returns from them, before it uses the client
   * for anything else.
   */
  rows: AsyncIterable<string>;
}

/** Reads all tables in one transaction that sees the database as it is now, whatever is written meanwhile. */
export async function dumpTables(client: ClientBase): Promise<TableDump> {
  await client.query("begin isolation level repeatable read, read only");
  // The settings make fractions complete and give times an offset, whatever the role's defaults are.
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

/** The database is not one that this backup can be restored into. */
export class RestoreRefusedError extends Error {
  override readonly name = "RestoreRefusedError";
}

/**
 * Matches errors of PostgreSQL for values that are invalid for their type and rows that break a rule of their table.
 */
const WRONG_DATA = /^2[23]/;

/** Text of the rows that are inserted together, characters. */
const BATCH_CHARACTERS = 2 ** 20;

/**
 * Writes the rows of a backup into a database that has its migrations (`migrationsToRestore`) and no rows, in one transaction: all or nothing.
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
      const rows = backup.rowsOf(table);
      const [target] = restored(table);
      if (!target) {
        for await (const _ of rows);
        continue;
      }
      counts[table.name] = await loadTable(client, target, rows);
      if (counts[table.name] !== table.rows)
        throw new BackupDamagedError(
          `The backup says ${table.rows} rows of ${table.name}, and ${counts[table.name]} could be read.`,
        );
    }
    await backup.end();
    await beforeCommit();
    await client.query("commit");
    // A backup does not contain the planner's statistics.
    await client.query("analyze");
    return counts;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/**
 * Says into which tables the rows of a backup go.
 *
 * @returns Migrations that make them, for a database without any.
 * @throws RestoreRefusedError where this version does not know the tables.
 */
export function migrationsToRestore({ migrations, version }: BackupHeader): readonly string[] {
  const needed = migrationsForRows(migrations);
  const own = ownMigrations();
  if (needed.every((name) => own.includes(name))) return needed;
  const commit = commitBetween(needed);
  const which = `Its tables are not known to version ${serviceVersion}: it was made by version ${version}, with ${needed.length} migrations up to ${needed.at(-1)}.`;
  throw new RestoreRefusedError(
    commit === undefined
      ? `${which} Restore it with that version or a later one: it has the folder prisma/migrations/${needed.at(-1)}.`
      : `${which} Restore it with commit ${commit} into an empty database, then start this version with that database.`,
  );
}

/** Locks others out, and checks that there are no rows that the backup could be mixed with. */
async function prepare(client: ClientBase, { header }: OpenedBackup): Promise<void> {
  const migrations = await readMigrations(client);
  if (migrations.join() !== migrationsToRestore(header).join())
    throw new RestoreRefusedError(
      `The backup, of version ${header.version}, has ${header.migrations.length} migrations up to ${header.migrations.at(-1)}, and this database ${migrations.length} up to ${migrations.at(-1)}. Restore it into a database in which nothing has run yet: it gets the tables of the backup first, then those that are new since.`,
    );
  const tables = await readTables(client);
  for (const { name, columns } of header.tables.flatMap(restored)) {
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

/** A table of a backup without the columns that no schema has any more; none where the table itself is such. */
function restored({ name, columns }: BackupTable): BackupTable[] {
  if (REMOVED_TABLES.includes(name)) return [];
  return [{ name, columns: columns.filter((column) => !REMOVED_COLUMNS[name]?.includes(column)) }];
}

async function loadTable(
  client: ClientBase,
  { name, columns }: BackupTable,
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
