import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import type { MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm";

/** A connection that migrations can be run on. */
export interface Migratable {
  adapter: SqlMigrationAwareDriverAdapterFactory;
  /** Runs a whole SQL script as one transaction. */
  runScript(sql: string): Promise<void>;
  /** Runs a query without parameters. */
  rows(sql: string): Promise<unknown[]>;
}

export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/**
 * Applies the migrations that are missing, and writes the same `_prisma_migrations` rows as `prisma migrate deploy`. The
 * caller prevents concurrent calls.
 *
 * @returns Names of the migrations that were applied.
 * @throws MigrationError when one fails, or failed earlier; a failing migration is rolled back.
 */
export async function applyMigrations(database: Migratable): Promise<string[]> {
  const migrationsList = readMigrations();
  // The engine takes half a second and 300 MiB, and nearly every start has nothing to apply.
  if (await areApplied(database, migrationsList)) return [];
  await deleteInterrupted(database);
  const engine = await openEngine(recordingTheEnd(database, migrationsList));
  try {
    const applied = await engine.applyMigrations({ migrationsList, filters });
    return applied.appliedMigrationNames;
  } catch (error) {
    throw new MigrationError(`The database could not be migrated: ${reason(error)}`, { cause: error });
  } finally {
    engine.free();
  }
}

/** Whether exactly these migrations are applied, with the same text. In every other case the engine decides. */
async function areApplied({ rows }: Migratable, { migrationDirectories }: MigrationList): Promise<boolean> {
  if (!(await hasMigrationTable(rows))) return false;
  const applied = (await rows(
    "select migration_name as name, checksum, finished_at is not null and rolled_back_at is null as ended from _prisma_migrations",
  )) as { name: string; checksum: string; ended: boolean }[];
  if (applied.length !== migrationDirectories.length) return false;
  return migrationDirectories.every(({ path: name, migrationFile: { content } }) => {
    const checksum = content.tag === "ok" && createHash("sha256").update(content.value).digest("hex");
    return applied.some((row) => row.name === name && row.checksum === checksum && row.ended);
  });
}

async function hasMigrationTable(rows: Migratable["rows"]): Promise<boolean> {
  const [{ found }] = (await rows("select to_regclass('_prisma_migrations') is not null as found")) as [
    { found: boolean },
  ];
  return found;
}

/**
 * A migration that has neither an end nor an error belongs to a process that was killed. It was rolled back, so it is
 * started again; the engine alone would refuse every start from then on.
 */
async function deleteInterrupted({ rows, runScript }: Migratable): Promise<void> {
  if (!(await hasMigrationTable(rows))) return;
  await runScript(
    "delete from _prisma_migrations where finished_at is null and rolled_back_at is null and logs is null",
  );
}

/** The engine records the end of a migration after it ran; here both are one transaction. */
function recordingTheEnd(database: Migratable, { migrationDirectories }: MigrationList): Migratable {
  const names = new Map<string, string>();
  for (const { path: name, migrationFile } of migrationDirectories) {
    if (migrationFile.content.tag === "ok") names.set(migrationFile.content.value, name);
  }
  return {
    ...database,
    runScript(sql) {
      const name = names.get(sql);
      if (name === undefined) return database.runScript(sql);
      return database.runScript(
        `${sql}\n;update _prisma_migrations set finished_at = now() where migration_name = '${name}' and finished_at is null`,
      );
    },
  };
}

/** Folder of the schema and the migrations. */
export const PRISMA = path.join(import.meta.dirname, "../../prisma");

export const filters = { externalTables: [], externalEnums: [] };

export function schemaFile(): { path: string; content: string } {
  return { path: "schema.prisma", content: readFileSync(path.join(PRISMA, "schema.prisma"), "utf8") };
}

function readMigrations(): MigrationList {
  const baseDir = path.join(PRISMA, "migrations");
  const names = readdirSync(baseDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    baseDir,
    lockfile: {
      path: "migration_lock.toml",
      content: readFileSync(path.join(baseDir, "migration_lock.toml"), "utf8"),
    },
    shadowDbInitScript: "",
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: {
        path: "migration.sql",
        content: { tag: "ok", value: readFileSync(path.join(baseDir, name, "migration.sql"), "utf8") },
      },
    })),
  };
}

/** Opens Prisma's schema engine on a database. */
export async function openEngine(database: Migratable): Promise<SchemaEngine> {
  loaded ??= loadEngine();
  const engines = await loaded;
  const schema = schemaFile();
  return engines.SchemaEngine.new(
    { datamodels: [[schema.path, schema.content]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(withWholeScripts(database)),
  );
}

/**
 * The drivers' own script runners split at every semicolon, also inside a function's body, or do not wait for the end. A
 * migration has to run as a whole.
 */
function withWholeScripts({ adapter, runScript }: Migratable): SqlMigrationAwareDriverAdapterFactory {
  const whole = <C extends { executeScript(sql: string): Promise<void> }>(connection: C): C => {
    connection.executeScript = runScript;
    return connection;
  };
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    connect: async () => whole(await adapter.connect()),
    connectToShadowDb: () => adapter.connectToShadowDb(),
  };
}

type EngineModule = typeof import("@prisma/schema-engine-wasm");

/** Loaded once: the bindings belong to one instance, and a second one would read the memory of the first. */
let loaded: Promise<EngineModule> | undefined;

/** The package imports its .wasm as a module, which Node supports only from 24.5 on. */
async function loadEngine(): Promise<EngineModule> {
  const folder = path.dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm"));
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const module = await WebAssembly.compile(readFileSync(path.join(folder, "schema_engine_bg.wasm")));
  const instance = await WebAssembly.instantiate(module, { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bindings;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
