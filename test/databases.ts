import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, inject } from "vitest";
import { copyMigratedData, databasesOf } from "./postgres.ts";

export interface DatabasePlace {
  dataDir: string;
  databaseUrl: string;
}

/**
 * Describes tests that need databases, on the PostgreSQL server of the test run.
 *
 * @param tests Receives a function that creates a database: migrated and without rows, or empty.
 */
export function describeWithDatabase(
  name: string,
  tests: (fresh: (content?: "empty" | "migrated") => Promise<DatabasePlace>) => void,
): void {
  describe(name, () => {
    const databases = databasesOf(inject("postgres"));
    afterAll(() => databases.dropDatabases());
    const folder = temporaryFolders();
    tests(async (content = "migrated") => ({
      dataDir: folder(),
      databaseUrl: await databases.createDatabase(content),
    }));
  });
}

/** Returns a function that creates a temporary folder, which is removed after the tests of the current describe. */
export function temporaryFolders(): () => string {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "metocean-test-"));
    folders.push(folder);
    return folder;
  };
}

/** Returns a function that creates a data directory with an embedded database that is migrated and has no rows. */
export function migratedDataDirs(): () => Promise<{ dataDir: string }> {
  const folder = temporaryFolders();
  return async () => {
    const dataDir = folder();
    await copyMigratedData(dataDir);
    return { dataDir };
  };
}
