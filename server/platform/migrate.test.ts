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
    return { url, query: (sql, values) => pool.query(sql, values) };
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
  ])("find one %s", async (_, change, failure) => {
    const database = await connect("migrated");
    await database.query(`update _prisma_migrations set ${change} where migration_name = '0001_keys'`);
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
      const query: Migratable["query"] = async (sql, values) => {
        if (!sql.includes("CREATE TABLE") || ++scripts < 2) return database.query(sql, values);
        await before(async () => void (await database.query(sql)));
        killed();
        return new Promise(() => {});
      };
      void applyMigrations({ query });
    });
    await applyMigrations(database);
    expect(await findDrift(database.url)).toBe("");
    expect(await applyMigrations(database)).toEqual([]);
  });

  it("continue after `prisma migrate` was killed in the middle of one", async () => {
    const database = await connect("migrated");
    await database.query("drop table storm_text, storm_snapshot, storm_history");
    await database.query(
      "update _prisma_migrations set finished_at = null where migration_name = '0003_storms'",
    );
    await database.query(
      "delete from _prisma_migrations where migration_name in ('0007_storm_origin', '0010_storm_feed', '0011_storm_areas')",
    );
    expect(await applyMigrations(database)).toEqual([
      "0003_storms",
      "0007_storm_origin",
      "0010_storm_feed",
      "0011_storm_areas",
    ]);
    expect(await findDrift(database.url)).toBe("");
    expect(await applyMigrations(database)).toEqual([]);
  });

  it("are rolled back and reported when they fail, and refused from then on", async () => {
    const database = await connect("migrated");
    await database.query("drop table storm_text, storm_snapshot");
    await database.query("delete from _prisma_migrations where migration_name = '0003_storms'");
    const migrating = applyMigrations(database);
    await expect(migrating).rejects.toThrow(MigrationError);
    await expect(migrating).rejects.toThrow('0003_storms: relation "storm_history" already exists');
    const { rows } = await database.query("select to_regclass('storm_text') as created");
    expect(rows).toEqual([{ created: null }]);
    await expect(applyMigrations(database)).rejects.toThrow(/failed migrations/);
  });

  it("do not hide a difference: a missing index is found", async () => {
    const database = await connect("migrated");
    await database.query('drop index "api_key_owner_idx"');
    expect(await findDrift(database.url)).toContain('CREATE INDEX "api_key_owner_idx"');
  });

  it("leave a database alone that contains something else, and say so", async () => {
    const database = await connect();
    await database.query('create table "setting" ("name" text)');
    const migrating = applyMigrations(database);
    await expect(migrating).rejects.toThrow(MigrationError);
    await expect(migrating).rejects.toThrow("schema is not empty");
    const { rows } = await database.query("select to_regclass('api_key') as created");
    expect(rows).toEqual([{ created: null }]);
  });
});
