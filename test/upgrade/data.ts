import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Client } from "pg";
import { openBackup } from "#server/platform/backup.ts";
import { openEmbeddedPostgres } from "#server/platform/embedded-postgres.ts";

/** The key of the data, whose owner has one task and one watch. */
export const KEY = "key-of-the-stored-data";
export const NOW = "2026-11-26T03:00:00Z";
/** Request of the task. In the archive's run the wind is 8 m/s eastward and -3 m/s northward. */
export const QUESTION = {
  points: [{ latitude: 48.5, longitude: -5.2, timestamp: "2026-11-26T02:00:00Z" }],
  variables: ["wind"],
  task_name: "Off Ushant",
};

const FIXTURES = path.join(import.meta.dirname, "fixtures");

/** Commits whose data is stored: each has a folder, made by make-data.ts. */
export const storedData = readdirSync(FIXTURES);

export const backupOf = (commit: string) => path.join(FIXTURES, commit, "backup.gz");

/**
 * Creates the data directory of a commit, with an embedded database of its tables and rows. @param dataDir An empty
 * folder.
 */
export async function makeStoredData(commit: string, dataDir: string): Promise<void> {
  const folder = path.join(FIXTURES, commit);
  copyFiles(commit, dataDir);
  const server = await openEmbeddedPostgres(dataDir);
  const client = new Client(server.connection);
  await client.connect();
  await client.query(readFileSync(path.join(folder, "schema.sql"), "utf8"));
  const backup = await openBackup(backupOf(commit));
  for (const table of backup.header.tables)
    for await (const row of backup.rowsOf(table))
      await client.query(
        `insert into "${table.name}" select * from jsonb_populate_record(null::"${table.name}", $1::jsonb)`,
        [row],
      );
  const { pepper } = backup.header;
  if ("value" in pepper) writeFileSync(path.join(dataDir, "key-pepper"), pepper.value, { mode: 0o600 });
  await backup.close();
  await client.end();
  await server.close();
}

/** Copies the files that a backup does not contain. */
export function copyFiles(commit: string, dataDir: string): void {
  for (const folder of ["archive", "tasks"])
    cpSync(path.join(FIXTURES, commit, folder), path.join(dataDir, folder), { recursive: true });
  chmodSync(path.join(dataDir, "tasks"), 0o700);
}
