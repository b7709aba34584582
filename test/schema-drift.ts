import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import { type FieldDef, Pool } from "pg";

const PRISMA = path.join(import.meta.dirname, "../prisma");

/**
 * Compares a database with prisma/schema.prisma.
 *
 * @returns SQL that would make the database equal to the schema; empty when they agree.
 */
export async function findDrift(databaseUrl: string): Promise<string> {
  const pool = new Pool({ connectionString: databaseUrl });
  const content = readFileSync(path.join(PRISMA, "schema.prisma"), "utf8");
  const engine = await openEngine(adapterWithChar(pool), content);
  const schema = { files: [{ path: "schema.prisma", content }] };
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
      filters: { externalTables: [], externalEnums: [] },
    });
    return /^\s*(--[^\n]*\s*)?$/.test(difference.stdout ?? "") ? "" : (difference.stdout ?? "");
  } finally {
    engine.free();
    await pool.end();
  }
}

const OID_OF_CHAR = 18;
const OID_OF_TEXT = 25;

/** An adapter that knows the type "char", which PostgreSQL's catalogs use and the engine expects. */
function adapterWithChar(pool: Pool): PrismaPg {
  const names = new Set<string>();
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<{ fields: FieldDef[] }>;
  const withoutChar = async (...args: unknown[]) => {
    const result = await query(...args);
    for (const field of result.fields.filter(({ dataTypeID }) => dataTypeID === OID_OF_CHAR)) {
      field.dataTypeID = OID_OF_TEXT;
      names.add(field.name);
    }
    return result;
  };
  const adapter = new PrismaPg(Object.assign(pool, { query: withoutChar }));
  const connect = adapter.connect.bind(adapter);
  adapter.connect = async () => {
    const connection = await connect();
    const queryRaw = connection.queryRaw.bind(connection);
    connection.queryRaw = async (sql) => {
      const result = await queryRaw(sql);
      const columnTypes = result.columnTypes.map((type, index) =>
        names.has(result.columnNames[index]!) ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    };
    return connection;
  };
  return adapter;
}

type EngineModule = typeof import("@prisma/schema-engine-wasm");

/** Loaded once, because the bindings belong to one instance, and a second one would read the memory of the first. */
let loaded: Promise<EngineModule> | undefined;

async function openEngine(adapter: PrismaPg, schema: string): Promise<SchemaEngine> {
  loaded ??= loadEngine();
  const { SchemaEngine } = await loaded;
  return SchemaEngine.new(
    { datamodels: [["schema.prisma", schema]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(adapter),
  );
}

/** Loads the engine. The package imports its .wasm as a module, which Node supports only from 24.5 on. */
async function loadEngine(): Promise<EngineModule> {
  const folder = path.dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm"));
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const module = await WebAssembly.compile(readFileSync(path.join(folder, "schema_engine_bg.wasm")));
  const instance = await WebAssembly.instantiate(module, { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bindings;
}
