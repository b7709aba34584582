import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Pool } from "pg";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { describeWithDatabase } from "#test/databases.ts";
import { describedSchema } from "#test/described-schema.ts";
import { findDrift } from "#test/schema-drift.ts";
import { applyMigrations, type Migratable, MigrationError, UnknownSchemaError } from "./migrate.ts";

const BASELINE = "0001_first";
/** Names of all migrations, in their order. */
const ALL = [BASELINE, "0002_mailbox"];
const MIGRATIONS = path.join(import.meta.dirname, "../../prisma/migrations");

/** The largest schema before 0001_first was final. The other schemas have a part of its tables and columns. */
const EARLIER_SCHEMA = path.join(import.meta.dirname, "../../test/upgrade/fixtures/10d62eb0/schema.sql");
const EARLIER_TEXTS = [
  "3041a943e0929e32ef75b854e668e38b9c682b27bc09a897db35a674e09c2db1",
  "0b4d8f0a07351dacd9dbd3901b8bb0e575f4c9fb4957987de966aeebb820d1d8",
  "34f20d93a34422dffbc6ad3e446c0c7ca64e6529a89dabcbbd506f5715c4db4a",
];

/** Drops the tables and functions of a migrated database, except these tables. */
const dropAllBut = (...kept: string[]) => `do $$ declare t text; begin
  for t in select tablename from pg_tables where schemaname = current_schema() and tablename <> all ('{${kept}}') loop
    execute format('drop table %I', t);
  end loop;
  drop function notify_task, notify_watch, notify_delivery;
end $$`;

/** Statements that a running replica of the previous version does not survive. */
const BREAKING =
  /^\s*(DROP|TRUNCATE|DELETE)\b|\b(DROP|RENAME|ALTER) COLUMN\b|\bRENAME TO\b|\bADD COLUMN\b(?=[^,;]*NOT NULL)(?![^,;]*DEFAULT)/im;

it("a migration only adds, so that replicas of the previous version keep running", () => {
  const files = readdirSync(MIGRATIONS, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".sql"),
  );
  expect(files).toContain(path.join(BASELINE, "migration.sql"));
  for (const file of files) expect(readFileSync(path.join(MIGRATIONS, file), "utf8")).not.toMatch(BREAKING);
  for (const statement of [
    'DROP TABLE "task"',
    'ALTER TABLE "task" DROP COLUMN "size"',
    'ALTER TABLE "task" ALTER COLUMN "size" SET NOT NULL',
    'ALTER TABLE "task" ADD COLUMN "a" TEXT NOT NULL',
  ])
    expect(statement).toMatch(BREAKING);
});

it("a migration in use is never edited, because databases know it by its checksum", () => {
  const text = readFileSync(path.join(MIGRATIONS, BASELINE, "migration.sql"));
  expect(createHash("sha256").update(text).digest("hex")).toBe(
    "420fca23e6ef8e6e531463d2a30bb57023ef3005117a284a162c96a9757884cc",
  );
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
    expect(await applyMigrations(database)).toEqual(ALL);
    expect(await findDrift(database.url)).toBe("");
    expect(await applyMigrations(database)).toEqual([]);
  });

  /** Replaces the records of finished migrations by these. */
  async function record(database: Migratable, ...applied: [name: string, checksum: string][]): Promise<void> {
    await database.query("delete from _prisma_migrations");
    for (const [name, checksum] of applied)
      await database.query(
        `insert into _prisma_migrations (id, checksum, migration_name, finished_at)
        values (gen_random_uuid(), $1, $2, now())`,
        [checksum, name],
      );
  }

  it.each(["0001_baseline 3041a943", "0001_baseline 0b4d8f0a", "0001_first 0b4d8f0a", "0001_first 34f20d93"])(
    "adopt the schema of an earlier text: %s",
    async (text) => {
      const [name = "", begin = ""] = text.split(" ");
      const checksum = EARLIER_TEXTS.find((each) => each.startsWith(begin))!;
      const [database, fresh] = [await connect(), await connect("migrated")];
      await database.query(readFileSync(EARLIER_SCHEMA, "utf8"));
      await record(database, [name, checksum]);
      expect((await applyMigrations(database))[0]).toBe(BASELINE);
      expect(await describedSchema(database)).toEqual(await describedSchema(fresh));
      expect(await applyMigrations(database)).toEqual([]);
    },
  );

  it.each([
    ["one whose text is another", `update _prisma_migrations set checksum = 'another'`],
    ["tables without a list of them", "drop table _prisma_migrations"],
    [
      "an unknown one in place of one that is missing",
      "update _prisma_migrations set migration_name = '0009_x'",
    ],
    [
      "an unknown one before its own",
      "insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('1', '', '0000_x', now())",
    ],
  ])("refuse a database with %s, and write nothing", async (_, change) => {
    const database = await connect("migrated");
    await database.query(change);
    const writes: string[] = [];
    const query: Migratable["query"] = (sql, values) => {
      if (!/^\s*select/.test(sql)) writes.push(sql);
      return database.query(sql, values);
    };
    await expect(applyMigrations({ query })).rejects.toThrow(UnknownSchemaError);
    expect(writes).toEqual([]);
  });

  it("leave a database of a later version alone, because later versions only add", async () => {
    const database = await connect("migrated");
    await database.query(
      "insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('1', '', '9999_x', now())",
    );
    expect(await applyMigrations(database)).toEqual([]);
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
    expect(await applyMigrations(database)).toEqual(ALL);
    expect(await findDrift(database.url)).toBe("");
    expect(await applyMigrations(database)).toEqual([]);
  });

  it("are rolled back and reported when they fail, and tried again", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "metocean-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(MIGRATIONS, folder, { recursive: true });
    const next = path.join(folder, "9999_next");
    mkdirSync(next);
    writeFileSync(path.join(next, "migration.sql"), `create table "new" (); create table "setting" ();`);
    const database = await connect("migrated");
    const migrating = applyMigrations(database, { folder });
    await expect(migrating).rejects.toThrow(MigrationError);
    await expect(migrating).rejects.toThrow('9999_next: relation "setting" already exists');
    const { rows } = await database.query("select to_regclass('new') as created");
    expect(rows).toEqual([{ created: null }]);
    // This version continues, and so does the next once its text is right.
    expect(await applyMigrations(database)).toEqual([]);
    writeFileSync(path.join(next, "migration.sql"), `create table "new" ();`);
    expect(await applyMigrations(database, { folder })).toEqual(["9999_next"]);
  });

  it("leave a database alone that contains foreign tables, and say so", async () => {
    const database = await connect();
    await database.query('create table "setting" ("name" text)');
    const migrating = applyMigrations(database);
    await expect(migrating).rejects.toThrow(UnknownSchemaError);
    await expect(migrating).rejects.toThrow("a database of something else");
    const { rows } = await database.query("select to_regclass('api_key') as created");
    expect(rows).toEqual([{ created: null }]);
  });
});
