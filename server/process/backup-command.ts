import { existsSync } from "node:fs";
import path from "node:path";
import { formatInstant } from "#lib/time.ts";
import { pepperOfBackup, restorePepper } from "#server/keys/pepper.ts";
import {
  type BackupHeader,
  dumpTables,
  loadTables,
  migrationsToRestore,
  openBackup,
  packBackup,
} from "#server/platform/backup.ts";
import { describePlace } from "#server/platform/blob-url.ts";
import { openDatabase } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import { makeFolder, replaceFile } from "#server/platform/files.ts";
import { serviceVersion } from "#server/platform/version.ts";

interface Output {
  write(text: string): unknown;
}

const usage = `Usage: npm run metocean -- backup <file>
       npm run metocean -- restore <file>

backup writes all rows of the database as they are at one moment, while the service
runs: keys, tasks, storms, watches. The file contains a secret and e-mail addresses.
restore writes them into a database in which the service has never started. Results of
tasks and runs of the archive are not in the file: backup prints where they are.
docs/operations.md has the order of the steps.
`;

/**
 * `backup <file>` writes every row of the database to one file.
 *
 * @returns Exit code: 0 done, 1 refused, 2 invalid command.
 */
export async function backupCommand(
  args: string[],
  { env, out, err }: { env: Env; out: Output; err: Output },
): Promise<number> {
  const file = fileOf(args, out, err);
  if (typeof file === "number") return file;
  if (existsSync(file)) {
    err.write(`${file} exists already. A backup does not replace a file: choose another name.\n`);
    return 1;
  }
  const database = await openDatabase(env);
  try {
    const pepper = await pepperOfBackup(env, database);
    const client = await database.connect();
    try {
      const { rows, ...described } = await dumpTables(client);
      const files = { blobs: describePlace(env.blobs), archive: describePlace(env.archive.place) };
      const header: BackupHeader = {
        openMetOceanBackup: 1,
        version: serviceVersion,
        ...described,
        pepper,
        files,
      };
      await makeFolder(path.dirname(file));
      await replaceFile(file, packBackup(header, rows), { mode: 0o600 });
      out.write(summaryOf(file, header));
      return 0;
    } finally {
      await client.end();
    }
  } finally {
    await database.close();
  }
}

/**
 * `restore <file>` writes the rows of a backup to an empty database.
 *
 * @returns Exit code: 0 done, 2 invalid command.
 * @throws RestoreRefusedError, BackupDamagedError
 */
export async function restoreCommand(
  args: string[],
  { env, out, err }: { env: Env; out: Output; err: Output },
): Promise<number> {
  const file = fileOf(args, out, err);
  if (typeof file === "number") return file;
  const backup = await openBackup(file);
  try {
    const { header } = backup;
    // The check comes before the database is opened, which creates its tables.
    const migrations = migrationsToRestore(header);
    const database = await openDatabase(env, migrations);
    try {
      const client = await database.connect();
      try {
        const pepperInPlace = () => restorePepper(header.pepper, env, database.kind, client);
        const counts = await loadTables(client, backup, pepperInPlace);
        out.write(`Restored from ${header.madeAt}, version ${header.version}: ${countsInWords(counts)}.\n`);
      } finally {
        await client.end();
      }
    } finally {
      await database.close();
    }
    // Opening the database again applies the migrations that are newer than the backup.
    await (await openDatabase(env)).close();
  } finally {
    await backup.close();
  }
  out.write("Put the files in their places, then look at: npm run metocean -- doctor\n");
  return 0;
}

function fileOf(args: string[], out: Output, err: Output): string | number {
  const [file, ...more] = args;
  if (file === "--help" || file === "-h") {
    out.write(usage);
    return 0;
  }
  if (file === undefined || file.startsWith("-") || more.length > 0) {
    err.write(`${file === undefined ? "Which file?" : "One file, and nothing else."}\n\n${usage}`);
    return 2;
  }
  return path.resolve(file);
}

function summaryOf(file: string, { madeAt, tables, pepper, files }: BackupHeader): string {
  const counts = Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));
  const secret =
    "value" in pepper
      ? `The secret of the keys is in ${file}: keep it where only you read it.`
      : `KEY_PEPPER is not in ${file}: keep it elsewhere, without it no key works.`;
  return `${file}: the database as of ${formatInstant(Math.floor(Date.parse(madeAt) / 1000))}, ${countsInWords(counts)}.
${secret}
Not in it, to be copied after it:
  ${files.blobs}: requests, results and kept answers
  ${files.archive}: the runs (feeds fetch those of today again, not those of the past)
`;
}

/** Lists the number of rows by table, the largest first. */
function countsInWords(counts: Record<string, number>): string {
  const filled = Object.entries(counts).filter(([, rows]) => rows > 0);
  if (filled.length === 0) return "no rows";
  const words = filled.sort(([, a], [, b]) => b - a).map(([name, rows]) => `${rows} ${name}`);
  return `rows: ${words.join(", ")}`;
}
