import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Database } from "#server/platform/db.ts";
import { sweepDrafts } from "#server/platform/drafts.ts";
import { ConfigError, type Env } from "#server/platform/env.ts";
import { createFile, ifMissing, makeFolder, syncFolder } from "#server/platform/files.ts";

type Folders = Pick<Env, "dataDir" | "archiveDir" | "tasksDir">;

/** In each folder that replicas share. */
const MARKER = ".store-id";

/** The same id in the database of the replicas. */
const ROW = "store_id";

/**
 * Creates the folders of the archive and of the tasks, durably; removes what killed processes left half-written; and checks
 * that replicas of one database see the same folders.
 *
 * @throws ConfigError where this process sees other folders than those before it.
 */
export async function prepareFolders(
  env: Folders,
  database: Pick<Database, "kind" | "prisma">,
): Promise<void> {
  await makeFolder(env.archiveDir);
  await makeFolder(env.tasksDir, 0o700);
  // Another process may have created them, and not have come so far.
  for (const folder of [env.dataDir, path.dirname(env.dataDir)]) await syncFolder(folder);
  for (const folder of [env.dataDir, path.join(env.dataDir, "demo"), env.archiveDir])
    await sweepDrafts(folder);
  await sweepDrafts(env.tasksDir, { recursive: true });
  // The embedded database is in the same folder as the rest.
  if (database.kind === "postgresql") await checkStore(env, database.prisma.setting);
}

/**
 * At the first start the folders get an id, then the database gets it: of several first starts, one writes each. From then
 * on a folder without this id is another one.
 */
async function checkStore(
  { archiveDir, tasksDir }: Folders,
  table: Database["prisma"]["setting"],
): Promise<void> {
  const folders = [archiveDir, tasksDir];
  const read = async () => (await table.findUnique({ where: { name: ROW } }))?.value;
  let known = await read();
  if (known === undefined) {
    const first = await markerOf(archiveDir, randomUUID());
    await markerOf(tasksDir, first);
    await table.createMany({ data: { name: ROW, value: first }, skipDuplicates: true });
    known = (await read())!;
  }
  for (const folder of folders) {
    const file = path.join(folder, MARKER);
    const found = await readFile(file, "utf8").catch(ifMissing(undefined));
    if (found?.trim() !== known) throw new ConfigError(otherFolder(file, found?.trim(), known));
  }
}

/** The id of a folder, which gets this one if it has none. */
async function markerOf(folder: string, fresh: string): Promise<string> {
  const file = path.join(folder, MARKER);
  await createFile(file, `${fresh}\n`);
  return (await readFile(file, "utf8")).trim();
}

function otherFolder(file: string, found: string | undefined, known: string): string {
  const folder = path.dirname(file);
  const difference =
    found === undefined
      ? `${file} is missing, and the database expects ${known} in it`
      : `${file} says ${found || "nothing"}, and the database ${known}`;
  return (
    `${folder} is not the folder that the other processes of this database use: ${difference}. ` +
    "All replicas need the same DATA_DIR, on a shared disk. " +
    `Where the folder was replaced on purpose, write ${known} into ${file}.`
  );
}
