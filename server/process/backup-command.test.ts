import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KeyStore } from "#server/keys/keys.ts";
import { readPepper } from "#server/keys/pepper.ts";
import { realClock } from "#server/platform/clock.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { readEnv } from "#server/platform/env.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { putGzip } from "#server/tasks/gzip-blobs.ts";
import { Tasks } from "#server/tasks/tasks.ts";
import { type DatabasePlace, describeWithDatabase, migratedDataDirs } from "#test/databases.ts";
import { newTask, testLimits } from "#test/tasks.ts";
import { backupCommand, restoreCommand } from "./backup-command.ts";
import { doctorCommand } from "./doctor.ts";

describeWithDatabase("a backup", (fresh) => {
  const embedded = migratedDataDirs();
  let place: DatabasePlace;
  let backup: string;
  let key: string;
  let task: string;
  /** A text that is not ASCII, has unusual line ends, and contains quotes and a backslash. */
  const odd = "Ø \u2028 \r\n 'a\\b' \"c\" 海";

  beforeAll(async () => {
    place = await fresh();
    const env = envOf(place);
    const database = await openDatabase(env);
    try {
      key = (await (await keysOf(env, database)).create({ owner: odd })).text;
      task = await endedTask(env, database);
      await database.prisma.$executeRaw`
        update task set pieces = '{3,5}', rank = 'Infinity', computed_ms = 7,
          created_at = '2026-03-29T01:59:59.123Z' where id = ${task}::uuid`;
      await database.prisma.feedState.create({
        data: { name: "gfs", state: "ok", bytesTotal: 2n ** 60n, updatedAt: new Date(0) },
      });
      backup = path.join(place.dataDir, "backups/one.gz");
      expect(await command(backupCommand, backup, env)).toMatchObject({ status: 0 });
    } finally {
      await database.close();
    }
  });

  const envOf = (at: Partial<DatabasePlace> & { dataDir: string }, more: Record<string, string> = {}) =>
    readEnv({ DATA_DIR: at.dataDir, DATABASE_URL: at.databaseUrl, PATH: process.env.PATH, ...more });

  async function command(run: typeof backupCommand, file: string, env: ReturnType<typeof readEnv>) {
    const printed: string[] = [];
    const output = { write: (text: string) => printed.push(text) };
    return { status: await run([file], { env, out: output, err: output }), text: printed.join("") };
  }

  async function rowsOf(database: Database): Promise<Record<string, unknown>> {
    const client = await database.connect();
    const { rows } = await client.query(
      `select relname as name, query_to_xml('select * from "' || relname || '" t order by t::text', true, false, '')::text as rows
      from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
        and relname <> '_prisma_migrations'`,
    );
    await client.end();
    return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]));
  }

  async function used<T>(
    env: ReturnType<typeof readEnv>,
    use: (database: Database) => Promise<T>,
  ): Promise<T> {
    const database = await openDatabase(env);
    try {
      return await use(database);
    } finally {
      await database.close();
    }
  }

  it("restores every row, a key that works and a readable result into an empty database", async () => {
    const env = envOf({ ...(await fresh()), dataDir: place.dataDir });
    const { status, text } = await command(restoreCommand, backup, env);
    expect([status, text]).toEqual([0, expect.stringContaining("1 api_key")]);
    const before = await used(envOf(place), rowsOf);
    await used(env, async (database) => {
      expect(await rowsOf(database)).toEqual(before);
      expect(await (await keysOf(env, database)).find(key)).toMatchObject({ owner: odd });
      const found = await tasksOf(env, database).reader.find("Ann", task);
      expect(found?.task).toMatchObject({
        status: "SUCCESS",
        pieces: [3, 5],
        rank: Number.POSITIVE_INFINITY,
      });
    });
    expect(await command(async (_, { env, out }) => doctorCommand(env, out), "", env)).toMatchObject({
      status: 0,
    });
  });

  it("may be restored into the embedded database, with the pepper of its keys", async () => {
    const env = envOf(await embedded());
    expect(await command(restoreCommand, backup, env)).toMatchObject({ status: 0 });
    expect(statSync(path.join(env.dataDir, "key-pepper")).mode & 0o777).toBe(0o600);
    await used(env, async (database) => {
      expect(await (await keysOf(env, database)).find(key)).toMatchObject({ owner: odd });
    });
    // The results of tasks were not copied, so doctor reports them.
    const doctor = await command(async (_, { env, out }) => doctorCommand(env, out), "", env);
    expect(doctor.status).toBe(1);
    expect(doctor.text).toMatch(/^Tasks +FAILS: 2 of 2 requests, results and answers .* are not in /m);
  });

  it("is refused by a database with rows, which keeps them, and by a database that it was restored into before", async () => {
    const env = envOf(await fresh());
    const owner = await used(env, async (database) => {
      await (await keysOf(env, database)).create({ owner: "Kay" });
      return database.prisma.apiKey.findMany();
    });
    await expect(command(restoreCommand, backup, env)).rejects.toThrow("is not empty: its table api_key");
    expect(await used(env, ({ prisma }) => prisma.apiKey.findMany())).toEqual(owner);
    await expect(command(restoreCommand, backup, envOf(place))).rejects.toThrow("is not empty");
  });

  it("is refused when its version has other tables, with the version that can restore it", async () => {
    const older = rewritten("older.gz", (header) => {
      header.migrations = ["0000_older"];
      header.version = "0.9.0";
    });
    const empty = envOf(await fresh("empty"));
    await expect(command(restoreCommand, older, empty)).rejects.toThrow(
      /made by version 0\.9\.0.*0000_older/,
    );
    const between = rewritten("between.gz", (header) => {
      header.migrations = ["0001_keys", "0002_tasks"];
    });
    await expect(command(restoreCommand, between, empty)).rejects.toThrow(
      /Restore it with commit 10d62eb0 into an empty database/,
    );
    // Nothing was written: this call creates the tables.
    expect(await used(empty, ({ prisma }) => prisma.apiKey.count())).toBe(0);

    const later = envOf(await fresh());
    await used(
      later,
      ({ prisma }) => prisma.$executeRaw`
        insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('1', '', '9999_x', now())`,
    );
    await expect(command(restoreCommand, backup, later)).rejects.toThrow(
      /and this database \d+ up to 9999_x/,
    );

    const newer = rewritten("newer.gz", ({ tables }) => tables[0].columns.push("colour"));
    const refused = envOf(await fresh());
    await expect(command(restoreCommand, newer, refused)).rejects.toThrow(
      "colour, which this database has not",
    );
    expect(await used(refused, ({ prisma }) => prisma.apiKey.count())).toBe(0);
  });

  it.each([
    ["cut", (file: string) => truncateSync(file, statSync(file).size - 20), /damaged or not whole/],
    ["without its last line", (file: string) => dropLine(file, -2), /ends early/],
    ["without a row", (file: string) => dropLine(file, 1), /cannot be read: null value in column/],
    ["no backup", (file: string) => writeFileSync(file, gzipSync("{}\n")), /not a backup of this service/],
    ["not compressed", (file: string) => writeFileSync(file, "x"), /damaged or not whole/],
  ])("that is %s is refused and leaves nothing behind", async (name, damage, message) => {
    const file = rewritten(`${name}.gz`, () => {});
    damage(file);
    const env = envOf(await fresh());
    await expect(command(restoreCommand, file, env)).rejects.toThrow(message);
    await used(env, async ({ prisma }) => {
      expect(await prisma.apiKey.count()).toBe(0);
      expect(await prisma.setting.count()).toBe(0);
    });
  });

  it("does not contain a KEY_PEPPER of the environment, and is refused where that is missing or different", async () => {
    const from = envOf(await fresh(), { KEY_PEPPER: "a secret of the environment" });
    const text = await used(from, async (database) => {
      return (await (await keysOf(from, database)).create({ owner: "Ann" })).text;
    });
    const file = path.join(place.dataDir, "secret.gz");
    await command(backupCommand, file, from);
    expect(gunzipSync(readFileSync(file)).toString()).not.toContain("a secret of the environment");
    for (const pepper of ["", "another secret of 16"]) {
      const env = envOf(await fresh(), { KEY_PEPPER: pepper });
      await expect(command(restoreCommand, file, env)).rejects.toThrow(/KEY_PEPPER/);
      expect(await used(env, ({ prisma }) => prisma.apiKey.count())).toBe(0);
    }
    const env = envOf(await fresh(), { KEY_PEPPER: "a secret of the environment" });
    await command(restoreCommand, file, env);
    await used(env, async (database) => {
      expect(await (await keysOf(env, database)).find(text)).toMatchObject({ owner: "Ann" });
    });
  });

  it("is readable by its owner only, names the folders of files, and replaces no file", async () => {
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    const again = await command(backupCommand, backup, envOf(place));
    expect(again).toMatchObject({ status: 1, text: expect.stringContaining("exists already") });
    const other = await command(backupCommand, path.join(place.dataDir, "two.gz"), envOf(place));
    expect(other.text).toContain(`${place.dataDir}/tasks: requests, results and kept answers`);
  });

  afterAll(() => {
    expect(existsSync(`${backup}.draft`)).toBe(false);
    rmSync(backup);
  });

  /** A copy of the backup with a changed first line. */
  // biome-ignore lint/suspicious/noExplicitAny: any change of the header.
  function rewritten(name: string, change: (header: any) => void): string {
    const [first = "", ...rest] = gunzipSync(readFileSync(backup)).toString().split("\n");
    const header = JSON.parse(first);
    change(header);
    const file = path.join(place.dataDir, name);
    writeFileSync(file, gzipSync([JSON.stringify(header), ...rest].join("\n")));
    return file;
  }

  function dropLine(file: string, index: number): void {
    const lines = gunzipSync(readFileSync(file)).toString().split("\n");
    lines.splice(index, 1);
    writeFileSync(file, gzipSync(lines.join("\n")));
  }

  async function keysOf(env: ReturnType<typeof readEnv>, database: Database): Promise<KeyStore> {
    return new KeyStore(database.prisma, { pepper: await readPepper(env, database), clock: realClock });
  }

  function tasksOf(env: ReturnType<typeof readEnv>, { prisma }: Database): Tasks {
    return new Tasks({
      tables: prisma,
      blobs: folderBlobStore(path.join(env.dataDir, "tasks")),
      clock: realClock,
      limits: testLimits,
      log: { info() {}, warn() {}, error() {} },
    });
  }

  /** Stores a task with request and result, as a worker leaves it. @returns Its id. */
  async function endedTask(env: ReturnType<typeof readEnv>, database: Database): Promise<string> {
    const tasks = tasksOf(env, database);
    const { requestFile: _, ...wanted } = newTask("Ann");
    await tasks.submit(wanted, Buffer.from("{}"));
    const claimed = (await tasks.queue.claim({ any: true, small: true, alone: true }))!;
    const file = `${claimed.id}.${claimed.token}.result`;
    const stored = await putGzip(tasks.blobs, file, [Buffer.from('{"status":"SUCCESS"}')]);
    const times = { finishedAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) };
    await tasks.queue.succeed(claimed, { file, stored, synthetic: false, ...times }, 1);
    return claimed.id;
  }
});
