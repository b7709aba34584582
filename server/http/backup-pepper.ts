import { randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import type { ClientBase } from "pg";
import { type BackupHeader, RestoreRefusedError } from "#server/platform/backup.ts";
import type { Database } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import { placePepper, readPepper } from "./pepper.ts";

type Pepper = BackupHeader["pepper"];
type Setting = Pick<Env, "dataDir"> & Partial<Pick<Env, "keyPepper">>;

const CHECK_BYTES = 32;

/**
 * What a backup keeps of the pepper: without it every key of the backup is useless. A secret of the environment stays
 * there; of it only a check is kept, made slowly so that it helps nobody to guess.
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
 * Makes sure that the keys of a backup will work here, before its rows are committed.
 *
 * @param client In the transaction that restores the rows.
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
        `${env.dataDir}/key-pepper is of another installation: with it no key of this backup would work. The database has no keys yet; move that file away.`,
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
