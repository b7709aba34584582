import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ADOPTION, commitBetween, FIRST_MIGRATION, isEarlierSchema } from "./earlier-schemas.ts";
import { ConfigError } from "./env.ts";
import { serviceVersion } from "./version.ts";

/** A connection on which migrations can run. */
export interface Migratable {
  /** Runs a text of several statements as one transaction; such a text has no parameters. */
  query(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A migration failed and was rolled back. The next start tries it again. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
  constructor(reason: string, options?: ErrorOptions) {
    super(`The database could not be migrated: ${reason}`, options);
  }
}

/** The tables are neither those of this version nor of one that it can update. Nothing was written. */
export class UnknownSchemaError extends ConfigError {
  override readonly name = "UnknownSchemaError";
  constructor(reason: string) {
    super(`Version ${serviceVersion} cannot open this database, and has changed nothing in it: ${reason}`);
  }
}

/** Migrations and tables that a database has. */
export interface SchemaState {
  /** Finished migrations, ordered by name. */
  applied: readonly { name: string; checksum: string; version: string | null }[];
  /** Whether there are tables besides the list of migrations. */
  hasTables: boolean;
}

/** Folder with one subfolder per migration, ordered by name. */
const MIGRATIONS = path.join(import.meta.dirname, "../../prisma/migrations");

/** Creates the table in the form that `prisma migrate` uses. */
const CREATE_TABLE = `create table if not exists _prisma_migrations (
  id varchar(36) primary key,
  checksum varchar(64) not null,
  finished_at timestamptz,
  migration_name varchar(255) not null,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`;

/** Reads which migrations a database has. Writes nothing. */
export async function readSchemaState(database: Migratable): Promise<SchemaState> {
  const found = await database.query("select tablename from pg_tables where schemaname = current_schema()");
  const tables = (found.rows as { tablename: string }[]).map(({ tablename }) => tablename);
  const hasTables = tables.some((name) => name !== "_prisma_migrations");
  if (!tables.includes("_prisma_migrations")) return { applied: [], hasTables };
  // An unfinished row belongs to a migration that was killed or failed, and was rolled back.
  const { rows } = await database.query(
    `select migration_name as name, checksum, logs as version from _prisma_migrations
    where finished_at is not null and rolled_back_at is null order by migration_name collate "C"`,
  );
  return { applied: rows as SchemaState["applied"], hasTables };
}

interface Options {
  /** Applies only these. Default: all of this version. */
  only?: readonly string[] | undefined;
  /** Called when the schema is known and something is about to be written. */
  beforeWriting?: () => Promise<void>;
  /** Folder of the migrations. Default: those of this version. */
  folder?: string;
}

/**
 * Applies the missing migrations and writes the same `_prisma_migrations` rows as `prisma migrate deploy`, with the
 * version of the service in `logs`. The caller prevents concurrent calls.
 *
 * @returns Names of the migrations that were applied.
 * @throws UnknownSchemaError, MigrationError
 */
export async function applyMigrations(
  database: Migratable,
  { only, folder = MIGRATIONS, beforeWriting = async () => {} }: Options = {},
): Promise<string[]> {
  const state = await readSchemaState(database);
  const names = missingMigrations(state, folder).filter((name) => only?.includes(name) ?? true);
  if (names.length === 0) return [];
  await beforeWriting();
  await database.query(CREATE_TABLE);
  for (const name of names) {
    const sql = readMigration(folder, name);
    const isAdopted = name === FIRST_MIGRATION && state.applied.length > 0;
    await applyMigration(database, name, sql, isAdopted);
  }
  return names;
}

/**
 * Compares a database with the migrations of this version.
 *
 * @returns Names of the migrations to apply. 0001_first is among them where an earlier schema is to be converted.
 * @throws UnknownSchemaError where the database is not empty and its schema is unknown.
 */
export function missingMigrations(state: SchemaState, folder = MIGRATIONS): string[] {
  const own = ownMigrations(folder);
  if (state.applied.length === 0) {
    if (!state.hasTables) return own;
    throw new UnknownSchemaError(
      "it has tables, and no list of migrations says which. DATABASE_URL or DATA_DIR leads to a database of something else; use an empty one.",
    );
  }
  if (isEarlierSchema(state.applied)) return own;
  const applied = state.applied.map(({ name }) => name);
  const missing = own.filter((name) => !applied.includes(name));
  const foreign = state.applied.filter(
    ({ name, checksum }) => !own.includes(name) || checksum !== checksumOf(readMigration(folder, name)),
  );
  // A later version only adds tables and columns, so replicas of both versions may use the database together.
  const last = own.at(-1)!;
  if (foreign.length === 0 || (missing.length === 0 && foreign.every(({ name }) => name > last)))
    return missing;
  throw new UnknownSchemaError(adviceFor(applied, foreign));
}

/** Names of the migrations of this version, in order. */
export function ownMigrations(folder = MIGRATIONS): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function adviceFor(applied: readonly string[], foreign: SchemaState["applied"]): string {
  const commit = commitBetween(applied);
  if (commit !== undefined)
    return `its tables are of a commit before ${commit} (the last migration is ${applied.at(-1)}). Start commit ${commit} with it once, which brings them up to date; then start this version.`;
  const { name, version, checksum } = foreign.at(-1)!;
  const which = `migration ${name}, SHA-256 ${checksum.slice(0, 12)}…`;
  return version === null
    ? `its tables were made by another commit (${which}). Use the one whose prisma/migrations/${name}/migration.sql has this checksum, or restore a backup into an empty database.`
    : `its tables were made by version ${version} (${which}). Use that version, or a later one.`;
}

function readMigration(folder: string, name: string): string {
  return readFileSync(path.join(folder, name, "migration.sql"), "utf8");
}

function checksumOf(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}

/** Applies a migration, or the conversion of an earlier schema to it, and records it in the same transaction. */
async function applyMigration(
  database: Migratable,
  name: string,
  sql: string,
  isAdopted: boolean,
): Promise<void> {
  const row = [randomUUID(), checksumOf(sql), name, serviceVersion];
  const script = `delete from _prisma_migrations
    where ${isAdopted ? "true" : `migration_name = '${name}' and finished_at is null and rolled_back_at is null`};
    ${isAdopted ? ADOPTION : sql}
    ;insert into _prisma_migrations (id, checksum, migration_name, logs, finished_at, applied_steps_count)
    values ('${row.join("', '")}', clock_timestamp(), 1)`;
  try {
    await database.query(script);
  } catch (cause) {
    throw new MigrationError(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
