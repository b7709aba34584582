import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { z } from "zod";
import { EmbeddedDatabaseError, isRoot } from "./embedded-cluster.ts";
import { openEmbeddedPostgres } from "./embedded-postgres.ts";
import { isNoSpace } from "./errors.ts";
import { readJson, replaceFile, syncFolder } from "./files.ts";
import { missingMigrations, readSchemaState, type SchemaState } from "./migrate.ts";

/** File that records the schema of the database beside its files. PostgreSQL ignores files that it does not know. */
const RECORD = "metocean-schema.json";

const recordSchema: z.ZodType<SchemaState> = z.object({
  applied: z.array(z.object({ name: z.string(), checksum: z.string(), version: z.string().nullable() })),
  hasTables: z.boolean(),
});

/** Files of a running server, which the server of the copy would take for its own. */
const OF_A_SERVER = /^(postmaster\.pid|\.s\.PGSQL\..*)$/;

/**
 * Throws where this version does not know the schema of database files. It is called before a server runs on them,
 * because even a start writes to them.
 *
 * @param directory PostgreSQL's data directory, which no server uses. Nothing in it changes.
 * @throws UnknownSchemaError
 */
export async function refuseUnknownFiles(directory: string): Promise<void> {
  const recorded = await readJson(path.join(directory, RECORD), recordSchema, undefined);
  missingMigrations(recorded ?? (await readFromCopy(directory)));
}

/** Records the schema of the database in a folder. */
export async function recordSchemaOf(directory: string, state: SchemaState): Promise<void> {
  const recorded = await readJson(path.join(directory, RECORD), recordSchema, undefined);
  if (JSON.stringify(recorded) === JSON.stringify(state)) return;
  await replaceFile(path.join(directory, RECORD), `${JSON.stringify(state, undefined, 1)}\n`);
}

/** Deletes the record before the tables change, so that an interrupted change leaves no false record. */
export async function forgetSchemaOf(directory: string): Promise<void> {
  await rm(path.join(directory, RECORD), { force: true });
  await syncFolder(directory);
}

/**
 * Reads the schema of a database without a record, such as one of an earlier version, by running a server on a copy of
 * its files.
 */
async function readFromCopy(directory: string): Promise<SchemaState> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "metocean-schema-"));
  try {
    await copyFiles(directory, path.join(folder, "postgres"));
    // The server of the copy then runs as the same user as the server of these files.
    const { uid, gid } = await stat(path.dirname(directory));
    if (isRoot()) await promisify(execFile)("chown", ["-R", `${uid}:${gid}`, folder]);
    const server = await openEmbeddedPostgres(folder, { settings: ["fsync=off"] });
    try {
      const client = new Client(server.connection);
      await client.connect();
      try {
        return await readSchemaState(client);
      } finally {
        await client.end();
      }
    } finally {
      await server.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyFiles(from: string, to: string): Promise<void> {
  try {
    // A linked folder, such as one for the log, would otherwise be shared with the copy.
    await cp(from, to, {
      recursive: true,
      dereference: true,
      filter: (source) => !OF_A_SERVER.test(path.basename(source)),
    });
  } catch (cause) {
    if (!isNoSpace(cause)) throw cause;
    throw new EmbeddedDatabaseError(
      `The database in ${from} was made by an earlier version. What tables it has is read from a copy of it in ${os.tmpdir()}, which has too little space: set TMPDIR to a folder with more. Nothing was changed.`,
      { cause },
    );
  }
}
