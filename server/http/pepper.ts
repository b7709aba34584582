import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ClientBase } from "pg";
import type { Database } from "#server/platform/db.ts";
import { ConfigError, type Env } from "#server/platform/env.ts";
import { createFile, makeFolder } from "#server/platform/files.ts";

/**
 * The secret mixed into every hash of a key, created at the first call.
 *
 * KEY_PEPPER where given. Otherwise a file next to the embedded database, readable by its owner alone; with PostgreSQL a
 * row of it, because every replica needs the same. Keys stop working when it is lost.
 */
export async function readPepper(
  env: Pick<Env, "dataDir"> & Partial<Pick<Env, "keyPepper">>,
  database: Pick<Database, "kind" | "prisma">,
): Promise<string> {
  if (env.keyPepper !== undefined) return env.keyPepper;
  const fresh = randomBytes(32).toString("hex");
  if (database.kind !== "postgresql") return pepperFile(env.dataDir, fresh);
  await database.prisma.setting.createMany({ data: { name: ROW, value: fresh }, skipDuplicates: true });
  return (await database.prisma.setting.findUniqueOrThrow({ where: { name: ROW } })).value;
}

/**
 * Stores the pepper of a backup where `readPepper` looks for it, unless there is one.
 *
 * @param client In the transaction that restores the rows, which may have it.
 * @returns The one in use from now on.
 */
export async function placePepper(
  dataDir: string,
  kind: Database["kind"],
  client: ClientBase,
  pepper: string,
): Promise<string> {
  if (kind !== "postgresql") return pepperFile(dataDir, pepper);
  await client.query("insert into setting (name, value) values ($1, $2) on conflict do nothing", [
    ROW,
    pepper,
  ]);
  const { rows } = await client.query<{ value: string }>("select value from setting where name = $1", [ROW]);
  return rows[0]!.value;
}

const ROW = "key_pepper";

/** Creates the file or reads the existing one: a server and a command may do so at the same time. */
async function pepperFile(dataDir: string, fresh: string): Promise<string> {
  await makeFolder(dataDir);
  const file = path.join(dataDir, "key-pepper");
  await createFile(file, fresh, { mode: 0o600 });
  const pepper = await readFile(file, "utf8");
  // After a loss of power a file may be empty, or have zeros.
  if (pepper.length >= 16 && !pepper.includes("\0")) return pepper;
  throw new ConfigError(
    `${file} is damaged. Restore it from a backup, or if there is none, delete it and create all API keys again.`,
  );
}
