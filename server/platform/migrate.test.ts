import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Pool } from "pg";
import { afterEach, expect, it } from "vitest";
import { describeWithDatabase } from "#test/databases.ts";
import { findDrift } from "#test/schema-drift.ts";
import { applyMigrations, type Migratable, MigrationError } from "./migrate.ts";

const BASELINE = "0001_first";

/** Drops the tables and functions of a migrated database, except these tables. */
const dropAllBut = (...kept: string[]) => `do $$ declare t text; begin
  for t in select tablename from pg_tables where schemaname = current_schema() and tablename <> all ('{${kept}}') loop
    execute format('drop table %I', t);
  end loop;
  drop function notify_task, notify_watch, notify_delivery;
end $$`;

/** Statements that a replica of the version before does not survive. */
const BREAKING =
  /^\s*(DROP|TRUNCATE|DELETE)\b|\b(DROP|RENAME|ALTER) COLUMN\b|\bRENAME TO\b|\bADD COLUMN\b(?=[^,;]*NOT NULL)(?![^,;]*DEFAULT)/im;

it("a migration only adds, so that replicas of the version before run on beside it", () => {
  const folder = path.join(import.meta.dirname, "../../prisma/migrations");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".sql"),
  );
  expect(files).toContain(path.join(BASELINE, "migration.sql"));
  for (const file of files) expect(readFileSync(path.join(folder, file), "utf8")).not.toMatch(BREAKING);
  for (const statement of [
    'DROP TABLE "task"',
    'ALTER TABLE "task" DROP COLUMN "size"',
    'ALTER TABLE "task" ALTER COLUMN "size" SET NOT NULL',
    'ALTER TABLE "task" ADD COLUMN "a" TEXT NOT NULL',
  ])
    expect(statement).toMatch(BREAKING);
});

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
    expect(await applyMigrations(database)).toEqual([BASELINE]);
    expect(await findDrift(database.url)).toBe("");
    expect(await applyMigrations(database)).toEqual([]);
  });

  it.each([
    ["that failed", "finished_at = null, logs = 'syntax error'", /failed migrations/],
    ["whose text has changed since, which is not a failure", "checksum = 'another'", undefined],
  ])("find one %s", async (_, change, failure) => {
    const database = await connect("migrated");
    await database.query(`update _prisma_migrations set ${change} where migration_name = '${BASELINE}'`);
    const again = applyMigrations(database);
    if (failure) await expect(again).rejects.toThrow(failure);
    else expect(await again).toEqual([]);
  });

  it.each([
    ["before it did anything", async () => {}],
    ["when all it did was committed", (run: () => Promise<void>) => run()],
  ])("continue after a process was killed in the middle of one, %s", async (_, before) => {
    const database = await connect();
    await new Promise<void>((killed) => {
      const query: Migratable["query"] = async (sql, values) => {
        if (!sql.includes("CREATE TABLE")) return database.query(sql, values);
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
    await database.query(dropAllBut("_prisma_migrations"));
    await database.query("update _prisma_migrations set finished_at = null");
    expect(await applyMigrations(database)).toEqual([BASELINE]);
    expect(await findDrift(database.url)).toBe("");
    expect(await applyMigrations(database)).toEqual([]);
  });

  it("are rolled back and reported when they fail, and refused from then on", async () => {
    const database = await connect("migrated");
    await database.query(dropAllBut("_prisma_migrations", "storm_history"));
    await database.query("delete from _prisma_migrations");
    const migrating = applyMigrations(database);
    await expect(migrating).rejects.toThrow(MigrationError);
    await expect(migrating).rejects.toThrow(`${BASELINE}: relation "storm_history" already exists`);
    const { rows } = await database.query("select to_regclass('storm_text') as created");
    expect(rows).toEqual([{ created: null }]);
    await expect(applyMigrations(database)).rejects.toThrow(/failed migrations/);
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
