import { execFileSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { openEmbeddedPostgres } from "#server/platform/embedded-postgres.ts";
import { copyMigratedData } from "#test/postgres.ts";
import { seeded } from "#test/seeded.ts";

const PAGE_BYTES = 8192;

/**
 * Fails the power while rows are committed to the embedded database. The disk then has the data files as the last
 * checkpoint left them, and the write-ahead log up to where it was flushed when the last commit was acknowledged; what
 * came later is zeros, or garbage.
 *
 * @returns One line for each cut after which an acknowledged row was missing.
 */
export async function cutDatabase(cuts: number, seed: number): Promise<string[]> {
  const random = seeded(seed);
  const complaints: string[] = [];
  for (let cut = 0; cut < cuts; cut++) {
    const folder = mkdtempSync(path.join(os.tmpdir(), "metocean-power-cut-"));
    try {
      const complaint = await cutOnce(folder, random);
      if (complaint) complaints.push(`the database, cut ${cut}: ${complaint}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return complaints;
}

async function cutOnce(folder: string, random: () => number): Promise<string | undefined> {
  const [before, after] = [path.join(folder, "before"), path.join(folder, "after")];
  execFileSync("mkdir", [before, after]);
  await copyMigratedData(before);
  const server = await openEmbeddedPostgres(before);
  const client = new Client(server.connection);
  await client.connect();
  await client.query("create table kept (number int primary key, text text)");
  await client.query("checkpoint");
  // Nothing is written between the two: these are the data files that the disk is sure to have.
  execFileSync("cp", ["-a", path.join(before, "postgres"), after]);
  const rows = 1 + Math.floor(random() * 200);
  for (let number = 0; number < rows; number++)
    await client.query("insert into kept values ($1, repeat('x', $2))", [
      number,
      Math.floor(random() * 2000),
    ]);
  const { rows: found } = await client.query(
    "select pg_walfile_name(lsn) as segment, (pg_walfile_name_offset(lsn)).file_offset as offset from pg_current_wal_flush_lsn() as lsn",
  );
  const { segment, offset } = found[0] as { segment: string; offset: number };
  // Written, and perhaps flushed, but never acknowledged.
  const unacknowledged = client.query(
    "insert into kept select n, 'late' from generate_series(1000000, 1000300) n",
  );
  await unacknowledged;
  const wal = path.join(before, "postgres/pg_wal");
  for (const name of readdirSync(wal)) {
    if (!/^[0-9A-F]{24}$/.test(name) || name > segment) continue;
    cpSync(path.join(wal, name), path.join(after, "postgres/pg_wal", name));
    if (name === segment) spoil(path.join(after, "postgres/pg_wal", name), offset, random);
  }
  await client.end();
  await server.close();
  for (const name of ["postmaster.pid", ".s.PGSQL.5432", ".s.PGSQL.5432.lock"])
    rmSync(path.join(after, "postgres", name), { force: true });
  const again = await openEmbeddedPostgres(after);
  const reader = new Client(again.connection);
  await reader.connect();
  const { rows: numbers } = await reader.query(
    "select number from kept where number < 1000000 order by number",
  );
  await reader.end();
  await again.close();
  const missing = Array.from({ length: rows }, (_, number) => number).filter(
    (number) => numbers[number]?.number !== number,
  );
  return missing.length === 0 ? undefined : `${missing.length} of ${rows} acknowledged rows are missing`;
}

/** Bytes of the log that were never flushed: zeros, garbage, or cut in the middle of a page. */
function spoil(file: string, from: number, random: () => number): void {
  const bytes = readFileSync(file).subarray(from);
  const kept = Math.floor(random() * Math.min(bytes.length, 4 * PAGE_BYTES));
  if (random() < 0.5) bytes.fill(0, kept);
  else for (let at = kept; at < bytes.length; at++) bytes[at] = Math.floor(random() * 256);
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, bytes, 0, bytes.length, from);
  closeSync(descriptor);
}
