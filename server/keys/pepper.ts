import { randomBytes, scrypt } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { ClientBase } from "pg";
import { type BackupHeader, RestoreRefusedError } from "#server/platform/backup.ts";
import type { Database } from "#server/platform/db.ts";
import { ConfigError, type Env } from "#server/platform/env.ts";
import { createFile, makeFolder } from "#server/platform/files.ts";

type Pepper = BackupHeader["pepper"];
type Setting = Pick<Env, "dataDir"> & Partial<Pick<Env, "keyPepper">>;

const ROW = "key_pepper";

/**
 * Returns the secret that is mixed into every hash of a key, and creates it at the first call.
 *
 * It is KEY_PEPPER where set. Otherwise it lies in a file beside the embedded database, readable by its owner only, or
 * in a row of a PostgreSQL server, because every replica needs the same one. Keys stop working when it is lost.
 */
export async function readPepper(env: Setting, database: Pick<Database, "kind" | "prisma">): Promise<string> {
  if (env.keyPepper !== undefined) return env.keyPepper;
  const fresh = randomBytes(32).toString("hex");
  if (database.kind !== "postgresql") return pepperFile(env.dataDir, fresh);
  await database.prisma.setting.createMany({ data: { name: ROW, value: fresh }, skipDuplicates: true });
  return (await database.prisma.setting.findUniqueOrThrow({ where: { name: ROW } })).value;
}

/**
 * Stores the pepper of a backup where `readPepper` looks for it, unless there is one already.
 *
 * @param client A connection inside the transaction that restores the rows, which may include the pepper.
 * @returns The pepper that is in use from now on.
 */
async function placePepper(
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

/** Reads the file or creates it. A server and a command may do so at the same time. */
async function pepperFile(dataDir: string, fresh: string): Promise<string> {
  await makeFolder(dataDir);
  const file = path.join(dataDir, "key-pepper");
  await createFile(file, fresh, { mode: 0o600 });
  const pepper = await readFile(file, "utf8");
  // After a loss of power a file may be empty or contain zeros.
  if (pepper.length >= 16 && !pepper.includes("\0")) return pepper;
  throw new ConfigError(
    `${file} is damaged. Restore it from a backup, or if there is none, delete it and create all API keys again.`,
  );
}

const CHECK_BYTES = 32;

/**
 * Returns the pepper for a backup: without it every key of the backup is useless. A KEY_PEPPER of the environment is
 * not stored. The backup has only a check value of it, derived slowly so that it does not help to guess the secret.
 */
export async function pepperOfBackup(
  env: Setting,
  database: Pick<Database, "kind" | "prisma">,
): Promise<Pepper> {
  const value = await readPepper(env, database);
  if (env.keyPepper === undefined) return { value };
  const salt = randomBytes(16).toString("hex");
  return { salt, check: await checkOf(value, salt) };
}

/**
 * Ensures that the keys of a backup will work here, before its rows are committed.
 *
 * @param client A connection inside the transaction that restores the rows.
 * @throws RestoreRefusedError
 */
export async function restorePepper(
  pepper: Pepper,
  env: Setting,
  kind: Database["kind"],
  client: ClientBase,
): Promise<void> {
  if (env.keyPepper === undefined) {
    if ("check" in pepper)
      throw new RestoreRefusedError(
        "The keys of this backup need the KEY_PEPPER of the installation that it was made of: without it none of them would work. Set KEY_PEPPER to the same value.",
      );
    const inUse = await placePepper(env.dataDir, kind, client, pepper.value);
    if (inUse !== pepper.value)
      throw new RestoreRefusedError(
        `${env.dataDir}/key-pepper belongs to another installation: with it no key of this backup would work. The database has no keys yet; move that file away.`,
      );
    return;
  }
  const isSame =
    "value" in pepper
      ? pepper.value === env.keyPepper
      : pepper.check === (await checkOf(env.keyPepper, pepper.salt));
  if (isSame) return;
  throw new RestoreRefusedError(
    "value" in pepper
      ? "KEY_PEPPER is another secret than that of the backup: no key of it would work. Leave KEY_PEPPER unset; the backup has its secret with it."
      : "KEY_PEPPER is another one than that of the installation that the backup was made of: no key of it would work.",
  );
}

async function checkOf(pepper: string, salt: string): Promise<string> {
  const derived = await promisify<string, string, number, Buffer>(scrypt)(pepper, salt, CHECK_BYTES);
  return derived.toString("hex");
}
