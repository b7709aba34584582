import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe } from "vitest";
import { type Cluster, findPostgres, startPostgres } from "./postgres.ts";

/** Where an empty database is, as the environment names it. */
export interface DatabasePlace {
  dataDir: string;
  databaseUrl?: string;
}

/**
 * Describes tests that must hold on the embedded database and on PostgreSQL. Where this machine has no PostgreSQL its
 * half is skipped and the name says so; with REQUIRE_POSTGRES=1 that is a failure.
 *
 * @param tests Given a function that makes an empty database.
 */
export function describeOnBothDatabases(
  name: string,
  tests: (fresh: () => Promise<DatabasePlace>) => void,
): void {
  describe(`${name}, embedded`, () => tests(emptyEmbedded()));
  describeWithPostgres(`${name}, PostgreSQL`, (freshUrl) => {
    const folder = temporaryFolders();
    tests(async () => ({ dataDir: folder(), databaseUrl: await freshUrl() }));
  });
}

/**
 * Describes tests that need PostgreSQL.
 *
 * @param tests Given a function that makes an empty database and returns its DATABASE_URL.
 */
export function describeWithPostgres(name: string, tests: (freshUrl: () => Promise<string>) => void): void {
  const bin = findPostgres();
  if (bin === undefined) {
    if (process.env.REQUIRE_POSTGRES === "1")
      throw new Error("REQUIRE_POSTGRES=1, but there is no PostgreSQL here");
    describe.skip(`${name} (skipped: there is no PostgreSQL here)`, () => tests(async () => ""));
    return;
  }
  describe(name, () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startPostgres(bin);
    });
    afterAll(() => cluster?.stop());
    tests(() => cluster.fresh());
  });
}

/** A new temporary folder, removed after the tests of the current describe. */
export function temporaryFolders(): () => string {
  const made: string[] = [];
  afterAll(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "metocean-test-"));
    made.push(folder);
    return folder;
  };
}

/** Makes folders with an empty embedded database, which the owner of the folders opens as a server does. */
export function emptyEmbedded(): () => Promise<DatabasePlace> {
  const folder = temporaryFolders();
  return async () => {
    const dataDir = folder();
    cpSync(await emptyCluster(), path.join(dataDir, "db"), { recursive: true });
    return { dataDir };
  };
}

/**
 * Folder of an embedded database with nothing in it. To make one takes many seconds of a core, so it is made once for
 * each version of PGlite and copied.
 */
async function emptyCluster(): Promise<string> {
  const modules = path.join(import.meta.dirname, "../node_modules");
  const { version } = JSON.parse(
    readFileSync(path.join(modules, "@electric-sql/pglite/package.json"), "utf8"),
  ) as { version: string };
  const made = path.join(modules, ".metocean", `empty-pglite-${version}`);
  if (existsSync(made)) return made;
  const draft = `${made}-${randomUUID()}`;
  mkdirSync(draft, { recursive: true });
  const db = await PGlite.create(draft);
  await db.close();
  try {
    renameSync(draft, made);
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(made)) throw error;
    rmSync(draft, { recursive: true });
  }
  return made;
}
