import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openContext } from "#server/context.ts";
import { openDatabase } from "#server/platform/db.ts";
import { isRoot } from "#server/platform/embedded-cluster.ts";
import { openEmbeddedPostgres } from "#server/platform/embedded-postgres.ts";
import { EXIT_CONFIG, readEnv } from "#server/platform/env.ts";
import { createLogger } from "#server/platform/log.ts";
import { UnknownSchemaError } from "#server/platform/migrate.ts";
import { restoreCommand } from "#server/process/backup-command.ts";
import { temporaryFolders } from "#test/databases.ts";
import { describedSchema } from "#test/described-schema.ts";
import { copyMigratedData } from "#test/postgres.ts";
import { ask, connectContext, textOf } from "#test/send.ts";
import { backupOf, copyFiles, KEY, makeStoredData, NOW, QUESTION, storedData } from "./data.ts";

/** Uid of `nobody`, who owned PostgreSQL's files under root in earlier versions. */
const OTHER_USER = 65_534;

describe("data that an earlier commit left", () => {
  const folder = temporaryFolders();
  const made = new Map<string, string>();
  let schema: string[];

  beforeAll(async () => {
    for (const commit of storedData) {
      made.set(commit, folder());
      await makeStoredData(commit, made.get(commit)!);
    }
    const fresh = folder();
    await copyMigratedData(fresh);
    schema = await schemaOf(fresh);
  });

  const envOf = (dataDir: string) =>
    readEnv({ DATA_DIR: dataDir, METOCEAN_NOW: NOW, DEMO: "never", LOG_LEVEL: "silent" });

  /** A copy of the data of a commit. @param sql Statements that change it first. */
  async function dataOf(commit: string, sql = ""): Promise<string> {
    const dataDir = folder();
    cpSync(made.get(commit)!, dataDir, { recursive: true, filter: (file) => !file.includes(".s.PGSQL") });
    if (sql !== "") await query(dataDir, sql);
    if (isRoot()) chownTree(path.join(dataDir, "postgres"));
    return dataDir;
  }

  /** Expects that the key works, the task has its result, the watch continues, and the run answers. */
  async function expectServed(dataDir: string): Promise<void> {
    const { context } = await openContext(envOf(dataDir), createLogger("silent", [], { write() {} }));
    onTestFinished(() => context.close());
    connectContext(context);
    const headers = { "x-api-key": KEY };
    const json = async (method: "GET" | "POST", at: string, body?: unknown) =>
      JSON.parse(await textOf(await ask(method, at, { body, headers })));
    const { results: tasks } = await json("GET", "/user/tasks");
    expect(tasks).toMatchObject([{ status: "SUCCESS", task_name: QUESTION.task_name }]);
    const { result } = await json("GET", `/task/${tasks[0].task_id}`);
    const conditions = { Winds_10m_Direction: 290.6, Winds_10m_Intensity: 8.54 };
    expect(result.results).toMatchObject([{ coordinates: QUESTION.points[0], conditions }]);
    expect((await json("GET", "/watches")).results).toMatchObject([{ name: "Gale off Ushant" }]);
    expect((await json("POST", "/MetOcean", QUESTION)).result.results).toEqual(result.results);
    await context.close();
  }

  it.each(storedData)("%s is served further, and has the tables of a new database", async (commit) => {
    const dataDir = await dataOf(commit);
    await expectServed(dataDir);
    expect(await schemaOf(dataDir)).toEqual(schema);
  });

  it.each(storedData)("%s is served from its backup", async (commit) => {
    const dataDir = folder();
    const printed: string[] = [];
    const out = { write: (text: string) => printed.push(text) };
    expect(await restoreCommand([backupOf(commit)], { env: envOf(dataDir), out, err: out })).toBe(0);
    expect(printed.join("")).toContain("1 api_key");
    copyFiles(commit, dataDir);
    await expectServed(dataDir);
    expect(await schemaOf(dataDir)).toEqual(schema);
  });

  it("10d62eb0 is served where 5c8b8e01 has failed to open it", async () => {
    const dataDir = await dataOf(
      "10d62eb0",
      `insert into _prisma_migrations (id, checksum, migration_name, logs)
      values ('1', 'any', '0001_first', 'relation "api_key" already exists')`,
    );
    await expectServed(dataDir);
    expect(await schemaOf(dataDir)).toEqual(schema);
  });

  it.each([
    [
      "of a commit before 10d62eb0",
      "10d62eb0",
      "delete from _prisma_migrations where migration_name > '0020'; drop table alert_channel",
      /commit before 10d62eb0.*Start commit 10d62eb0/,
    ],
    [
      "of an unknown commit",
      "5c8b8e01",
      "update _prisma_migrations set checksum = 'abc'",
      /another commit \(migration 0001_first, SHA-256 abc/,
    ],
    [
      "of another version",
      "5c8b8e01",
      "update _prisma_migrations set migration_name = '0001_later', logs = '9.8.7'",
      /made by version 9\.8\.7 .* Use that version/,
    ],
    ["of something else", "5c8b8e01", "drop table _prisma_migrations", /database of something else/],
  ])("%s is refused, and nothing in the folder changes", async (_, commit, sql, message) => {
    const dataDir = await dataOf(commit, sql);
    // A killed process leaves this file.
    writeFileSync(path.join(dataDir, "postgres.lock"), "{}");
    const before = fingerprint(dataDir);
    const opening = openDatabase({ dataDir });
    await expect(opening).rejects.toThrow(UnknownSchemaError);
    await expect(opening).rejects.toThrow(message);
    expect(fingerprint(dataDir)).toEqual(before);
  });

  it("is refused with the exit status of a wrong configuration, and without a stack", async () => {
    const dataDir = await dataOf("5c8b8e01", "update _prisma_migrations set checksum = 'abc'");
    const before = fingerprint(dataDir);
    const environment: NodeJS.ProcessEnv = { ...process.env, DATA_DIR: dataDir, FEEDS: "none", PORT: "0" };
    for (const args of [["server/main.ts"], ["server/cli.ts", "keys", "list"]]) {
      const cwd = path.join(import.meta.dirname, "../..");
      const run = promisify(execFile)(process.execPath, args, { cwd, env: environment });
      const ended = await run.catch((error: { code: number; stderr: string }) => error);
      expect(ended).toMatchObject({ code: EXIT_CONFIG });
      expect(ended.stderr).toMatch(
        /^Version \S+ cannot open this database, and has changed nothing in it: [^\n]+\n$/,
      );
    }
    expect(fingerprint(dataDir)).toEqual(before);
  });

  it("is refused by the record beside it, without a copy of it", async () => {
    const dataDir = folder();
    mkdirSync(path.join(dataDir, "postgres"));
    const applied = [{ name: "0001_later", checksum: "abc", version: "9.8.7" }];
    const record = JSON.stringify({ applied, hasTables: true });
    writeFileSync(path.join(dataDir, "postgres/metocean-schema.json"), record);
    await expect(openDatabase({ dataDir })).rejects.toThrow(/made by version 9\.8\.7/);
  });

  it("in the files of another PostgreSQL version is refused, and nothing in the folder changes", async () => {
    const dataDir = await dataOf("5c8b8e01");
    await (await openDatabase({ dataDir })).close();
    writeFileSync(path.join(dataDir, "postgres/PG_VERSION"), "12\n");
    const before = fingerprint(dataDir);
    await expect(openDatabase({ dataDir })).rejects.toThrow(
      /made by PostgreSQL 12, and this version of the service brings/,
    );
    expect(fingerprint(dataDir)).toEqual(before);
  });
});

async function schemaOf(dataDir: string): Promise<string[]> {
  const database = await openDatabase({ dataDir });
  const client = await database.connect();
  try {
    return await describedSchema(client);
  } finally {
    await client.end();
    await database.close();
  }
}

/** Runs SQL in an embedded database with any tables. */
async function query(dataDir: string, sql: string): Promise<void> {
  const server = await openEmbeddedPostgres(dataDir);
  const client = new Client(server.connection);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
    await server.close();
  }
}

function chownTree(folder: string): void {
  for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
    chownSync(path.join(folder, name), OTHER_USER, OTHER_USER);
}

/**
 * Content of a folder: names, owners, permissions and bytes. The server's log is left out: a server that stops writes
 * its last line after it has removed postmaster.pid, which is the sign that it is closed.
 */
function fingerprint(folder: string): string[] {
  expect(existsSync(folder)).toBe(true);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return ["", ...names.filter((name) => name !== "postgres.log")].sort().map((name) => {
    const file = path.join(folder, name);
    const { mode, uid, gid } = lstatSync(file);
    const kind = lstatSync(file);
    const content = kind.isFile() ? readFileSync(file) : kind.isSymbolicLink() ? readlinkSync(file) : "";
    return `${name} ${mode.toString(8)} ${uid}:${gid} ${createHash("sha256").update(content).digest("hex")}`;
  });
}
