import { PrismaPg } from "@prisma/adapter-pg";
import { Pool } from "pg";
import { afterEach, expect, it } from "vitest";
import { describeWithDatabase } from "#test/databases.ts";
import { findDrift } from "#test/schema-drift.ts";
import { applyMigrations, type Migratable, MigrationError } from "./migrate.ts";

describeWithDatabase("migrations", (fresh) => {
  const pools: Pool[] = [];
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.end();
  });

  async function connect(content: "empty" | "migrated" = "empty"): Promise<Migratable & { url: string }> {
    const { databaseUrl: url } = await fresh(content);
    const pool = new Pool({ connectionString: url });
    pools.push(pool);
    return {
      url,
      adapter: new PrismaPg(pool),
      runScript: async (sql) => void (await pool.query(sql)),
      rows: async (sql) => (await pool.query(sql)).rows,
    };
  }

  it("lead to exactly the schema that the client is generated from", async () => {
    const database = await connect();
    expect(await applyMigrations(database)).toContain("0001_keys");
    expect(await findDrift(database.url)).toBe("");
    expect(await applyMigrations(database)).toEqual([]);
  });

  it.each([
    ["that failed", "finished_at = null, logs = 'syntax error'", /failed migrations/],
    ["whose text has changed since, which is not a failure", "checksum = 'another'", undefined],
  ])("are judged by the engine where there is one %s", async (_, change, failure) => {
    const database = await connect("migrated");
    await database.runScript(`update _prisma_migrations set ${change} where migration_name = '0001_keys'`);
    const again = applyMigrations(database);
    if (failure) await expect(again).rejects.toThrow(failure);
    else expect(await again).toEqual([]);
  });

  it.each([
    ["before it did anything", async () => {}],
    ["when all it did was committed", (run: () => Promise<void>) => run()],
  ])("continue after a process was killed in the middle of one, %s", async (_, before) => {
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
    expect(await findDrift(database.url)).toBe("");
    expect(await applyMigrations(database)).toEqual([]);
  });

  it("do not load the engine when all of them are applied", async () => {
    const database = await connect("migrated");
    const unusable = new Proxy(database.adapter, {
      get() {
        throw new Error("The engine was used");
      },
    });
    expect(await applyMigrations({ ...database, adapter: unusable })).toEqual([]);
  });

  it("do not hide a difference: a missing index is found", async () => {
    const database = await connect("migrated");
    await database.runScript('drop index "api_key_owner_idx"');
    expect(await findDrift(database.url)).toContain('CREATE INDEX "api_key_owner_idx"');
  });

  it("leave a database alone that contains something else, and say so", async () => {
    const database = await connect();
    await database.runScript('create table "setting" ("name" text)');
    const migrating = applyMigrations(database);
    await expect(migrating).rejects.toThrow(MigrationError);
    await expect(migrating).rejects.toThrow("schema is not empty");
    expect(await database.rows("select to_regclass('api_key') as made")).toEqual([{ made: null }]);
  });
});
