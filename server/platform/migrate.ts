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
  /** Answers a query without parameters. */
  rows(sql: string): Promise<unknown[]>;
}

export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/**
 * Brings the database up to date, writing the same `_prisma_migrations` rows as `prisma migrate deploy`. The caller
 * sees to it that nobody else does so at the same time.
 *
 * @returns Names of the migrations that were applied now.
 * @throws MigrationError when one fails, or failed earlier; nothing of a failing migration stays.
 */
export async function applyMigrations(database: Migratable): Promise<string[]> {
  const migrationsList = readMigrations();
  // The engine takes half a second and 300 MiB, and nearly every start finds nothing for it to do.
  if (await areApplied(database, migrationsList)) return [];
  await forgetInterrupted(database);
  const engine = await openEngine(endingWithTheirRow(database, migrationsList));
  try {
    const applied = await engine.applyMigrations({ migrationsList, filters });
    return applied.appliedMigrationNames;
  } catch (error) {
    throw new MigrationError(`The database could not be migrated: ${reason(error)}`, { cause: error });
  } finally {
    engine.free();
  }
}

/**
 * What has to be done to a database for it to reach prisma/schema.prisma.
 *
 * @returns SQL; empty where they agree.
 */
export async function findDrift(database: Migratable): Promise<string> {
  const engine = await openEngine(database);
  const schema = { files: [schemaFile()] };
  try {
    const live = await engine.introspect({
      schema,
      baseDirectoryPath: PRISMA,
      force: true,
      compositeTypeDepth: 0,
      namespaces: null,
    });
    const difference = await engine.diff({
      from: { tag: "schemaDatamodel", ...live.schema },
      to: { tag: "schemaDatamodel", ...schema },
      script: true,
      exitCode: null,
      filters,
    });
    return /^\s*(--[^\n]*\s*)?$/.test(difference.stdout ?? "") ? "" : (difference.stdout ?? "");
  } finally {
    engine.free();
  }
}

/** Whether each migration ended well, as it is written now, and no other was begun: whatever else there is, the engine judges. */
async function areApplied({ rows }: Migratable, { migrationDirectories }: MigrationList): Promise<boolean> {
  if (!(await isKept(rows))) return false;
  const applied = (await rows(
    "select migration_name as name, checksum, finished_at is not null and rolled_back_at is null as well from _prisma_migrations",
  )) as { name: string; checksum: string; well: boolean }[];
  if (applied.length !== migrationDirectories.length) return false;
  return migrationDirectories.every(({ path: name, migrationFile: { content } }) => {
    const checksum = content.tag === "ok" && createHash("sha256").update(content.value).digest("hex");
    return applied.some((row) => row.name === name && row.checksum === checksum && row.well);
  });
}

/** Whether the database keeps a list of migrations yet. */
async function isKept(rows: Migratable["rows"]): Promise<boolean> {
  const [{ kept }] = (await rows("select to_regclass('_prisma_migrations') is not null as kept")) as [
    { kept: boolean },
  ];
  return kept;
}

/**
 * A migration that was begun, and of which neither an end nor an error is written down, belongs to a process that was
 * killed in the middle. Nothing of it stayed, so it is begun again; the engine alone would refuse every start from then on.
 */
async function forgetInterrupted({ rows, runScript }: Migratable): Promise<void> {
  if (!(await isKept(rows))) return;
  await runScript(
    "delete from _prisma_migrations where finished_at is null and rolled_back_at is null and logs is null",
  );
}

/** The engine writes that a migration ended after it ran; here that is one transaction with the migration itself. */
function endingWithTheirRow(database: Migratable, { migrationDirectories }: MigrationList): Migratable {
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

const PRISMA = path.join(import.meta.dirname, "../../prisma");

const filters = { externalTables: [], externalEnums: [] };

function schemaFile(): { path: string; content: string } {
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

async function openEngine(database: Migratable): Promise<SchemaEngine> {
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
 * The drivers' own script runner splits at every semicolon, also inside a function's body, or does not wait for the
 * end: a migration has to run as a whole and be waited for.
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

/** Once a process: the bindings belong to one instance, and a second would read the memory of the first. */
let loaded: Promise<EngineModule> | undefined;

/** The package imports its .wasm as a module, which Node does only from 24.5 on and bundlers do each in its own way. */
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
