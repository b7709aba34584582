import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Client } from "pg";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { afterEach, describe, expect, it } from "vitest";
import { describeWithPostgres, emptyEmbedded } from "#test/databases.ts";
import { openDatabase } from "./db.ts";
import { applyMigrations, findDrift, type Migratable, MigrationError } from "./migrate.ts";

/** Everything of a table that a query can depend on, in one text a column, key or index. */
const SHAPE = `
  select format('%s.%s %s null=%s default=%s', table_name, column_name, udt_name || coalesce(datetime_precision::text, ''),
    is_nullable, column_default) as line from information_schema.columns where table_schema = 'public'
  union all select indexdef from pg_indexes where schemaname = 'public'
  order by line`;

const fresh = emptyEmbedded();

describe("migrations", () => {
  const opened: PGlite[] = [];
  afterEach(async () => {
    for (const db of opened.splice(0)) await db.close();
  });

  async function connect(): Promise<Migratable & { db: PGlite }> {
    const db = await PGlite.create(path.join((await fresh()).dataDir, "db"));
    opened.push(db);
    return {
      db,
      adapter: new PrismaPGlite(db),
      runScript: async (sql) => void (await db.exec(sql)),
      rows: async (sql) => (await db.query(sql)).rows,
    };
  }

  it("lead to exactly the schema that the client is made from", async () => {
    const database = await connect();
    expect(await applyMigrations(database)).toContain("0001_keys");
    expect(await findDrift(database)).toBe("");
    expect(await applyMigrations(database)).toEqual([]);
  });

  it.each([
    ["that failed", "finished_at = null, logs = 'syntax error'", /failed migrations/],
    ["that was written anew since, which is no failure", "checksum = 'another'", undefined],
  ])("are judged by the engine where there is one %s", async (_, change, failure) => {
    const database = await connect();
    await applyMigrations(database);
    await database.runScript(`update _prisma_migrations set ${change} where migration_name = '0001_keys'`);
    const again = applyMigrations(database);
    if (failure) await expect(again).rejects.toThrow(failure);
    else expect(await again).toEqual([]);
  });

  it.each([
    ["before it did anything", async () => {}],
    ["when all it did was kept", (run: () => Promise<void>) => run()],
  ])("go on where a process was killed in the middle of one, %s", async (_, before) => {
    const database = await connect();
    let scripts = 0;
    await new Promise<void>((killed) => {
      const runScript = async (sql: string) => {
        if (++scripts < 2) return database.runScript(sql);
        await before(() => database.runScript(sql));
        killed();
        await new Promise(() => {});
      };
      void applyMigrations({ ...database, runScript });
    });
    await applyMigrations(database);
    expect(await findDrift(database)).toBe("");
    expect(await applyMigrations(database)).toEqual([]);
  });

  it("are done without the engine where all of them were", async () => {
    const database = await connect();
    await applyMigrations(database);
    const unusable = new Proxy(database.adapter, {
      get() {
        throw new Error("The engine was asked");
      },
    });
    expect(await applyMigrations({ ...database, adapter: unusable })).toEqual([]);
  });

  it("do not hide a difference: a missing index is found", async () => {
    const database = await connect();
    await applyMigrations(database);
    await database.runScript('drop index "api_key_owner_idx"');
    expect(await findDrift(database)).toContain('CREATE INDEX "api_key_owner_idx"');
  });

  it("leave a database alone that holds something else, and say so", async () => {
    const database = await connect();
    await database.runScript('create table "setting" ("name" text)');
    const migrating = applyMigrations(database);
    await expect(migrating).rejects.toThrow(MigrationError);
    await expect(migrating).rejects.toThrow("schema is not empty");
    expect((await database.db.query("select to_regclass('api_key') as made")).rows).toEqual([{ made: null }]);
  });

  describeWithPostgres("on PostgreSQL", (freshUrl) => {
    it("make the same tables, columns and indexes as in the embedded database", async () => {
      const embedded = await connect();
      await applyMigrations(embedded);
      const databaseUrl = await freshUrl();
      await (await openDatabase({ databaseUrl, dataDir: "" })).close();
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      const { rows } = await client.query(SHAPE);
      await client.end();
      expect(rows.length).toBeGreaterThan(10);
      expect(rows).toEqual((await embedded.db.query(SHAPE)).rows);
    });

    it("are run once by several replicas that start together", async () => {
      const databaseUrl = await freshUrl();
      const replicas = await Promise.all([1, 2, 3].map(() => openDatabase({ databaseUrl, dataDir: "" })));
      const [row] = await replicas[0]!.prisma.$queryRaw<{ count: number; names: number }[]>`
        select count(*)::int as count, count(distinct migration_name)::int as names from _prisma_migrations`;
      for (const replica of replicas) await replica.close();
      expect(row!.names).toBeGreaterThan(1);
      expect(row!.count).toBe(row!.names);
    });
  });
});
