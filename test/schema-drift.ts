import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import { type FieldDef, Pool } from "pg";
import { filters, openEngine, PRISMA, schemaFile } from "#server/platform/migrate.ts";

/**
 * Compares a database with prisma/schema.prisma.
 *
 * @returns SQL that would make the database equal to the schema; empty when they agree.
 */
export async function findDrift(databaseUrl: string): Promise<string> {
  const pool = new Pool({ connectionString: databaseUrl });
  const runScript = async (sql: string) => void (await pool.query(sql));
  const rows = async (sql: string) => (await pool.query(sql)).rows;
  const engine = await openEngine({ adapter: adapterWithChar(pool), runScript, rows });
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
    await pool.end();
  }
}

const OID_OF_CHAR = 18;
const OID_OF_TEXT = 25;

/** The driver adapter does not know the type "char", which PostgreSQL's catalogs use and the engine expects. */
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
