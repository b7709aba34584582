import { randomUUID } from "node:crypto";
import path from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { type BlobStore, MARKER_KEY } from "#server/platform/blob-store.ts";
import { describePlace } from "#server/platform/blob-url.ts";
import type { Database } from "#server/platform/db.ts";
import { ConfigError, type Env } from "#server/platform/env.ts";
import { makeFolder, sweepDrafts, syncFolder } from "#server/platform/files.ts";
import { folderBlobStore, openBlobs } from "#server/platform/folder-blob-store.ts";
import { cannotBeUsed, prepareFolder } from "#server/platform/usable-folder.ts";

type Places = Pick<Env, "dataDir" | "archiveDir" | "archive" | "blobs">;

/** Name of the row that has the same id in the database of the replicas. */
const ROW = "store_id";

/**
 * Creates the folders of the archive and of the tasks durably, and removes what killed processes left half-written.
 * Also checks that replicas of one database use the same archive and the same blobs.
 *
 * @throws ConfigError where this process has another archive or other blobs than earlier processes; UnavailableError
 *   where a bucket cannot be reached.
 */
export async function prepareFolders(
  env: Places,
  database: Pick<Database, "kind" | "prisma">,
): Promise<void> {
  const { blobs } = env;
  if (database.kind === "postgresql") await prepareFolder(env.dataDir, `DATA_DIR=${env.dataDir}`);
  await prepareArchive(env);
  if (blobs.kind === "folder")
    await prepareFolder(blobs.folder, settingOf(env, blobs.folder, "BLOB_URL"), 0o700);
  // Another process may have created them without having synced them yet.
  for (const folder of [env.dataDir, path.dirname(env.dataDir)]) await syncFolder(folder);
  for (const folder of [env.dataDir, path.join(env.dataDir, "demo"), env.archiveDir])
    await sweepDrafts(folder);
  if (blobs.kind === "folder") await sweepDrafts(blobs.folder, { recursive: true });
  // The embedded database lies in the same folder as the rest, so only a shared database or a bucket can differ.
  if (database.kind === "postgresql" || blobs.kind === "s3") await checkStore(env, database.prisma);
}

/**
 * Creates the archive folder of this machine. An archive folder elsewhere may be on a read-only disk that another
 * machine writes.
 *
 * @throws ConfigError
 */
export async function prepareArchive(env: Pick<Env, "dataDir" | "archiveDir">): Promise<void> {
  const setting = settingOf(env, env.archiveDir, "ARCHIVE_URL");
  if (isOwn(env, env.archiveDir)) return prepareFolder(env.archiveDir, setting);
  await makeFolder(env.archiveDir).catch(async (error) => {
    throw await cannotBeUsed(env.archiveDir, setting, error);
  });
}

/** The setting that names a folder, with its value. */
function settingOf(env: Pick<Env, "dataDir">, folder: string, url: string): string {
  return isOwn(env, folder) ? `DATA_DIR=${env.dataDir}` : `${url}=${pathToFileURL(folder)}`;
}

function isOwn({ dataDir }: Pick<Env, "dataDir">, folder: string): boolean {
  return folder.startsWith(dataDir + path.sep);
}

/**
 * Key of an advisory lock, an arbitrary number. Of several processes that start for the first time together, one holds
 * it.
 */
const FIRST_START_LOCK = 7_263_541_291;

/** Longest time for a first start, including those before it, milliseconds. A store may be slow. */
const FIRST_START_MS = 120_000;

/** A store whose id is in the file or object `MARKER_KEY`. */
interface Marked {
  /** Name of the store for people. */
  where: string;
  blobs: Pick<BlobStore, "get" | "put">;
}

/**
 * Compares the ids of archive and blobs with that of the database. At the first start both stores get an id, then the
 * database gets it. First starts run one after another, because a bucket would accept the ids of all of them. From then
 * on a folder or bucket without this id is a different store.
 */
async function checkStore(
  { archiveDir, archive, blobs: place }: Places,
  prisma: Database["prisma"],
): Promise<void> {
  const blobs = await openBlobs(place);
  try {
    const stores: Marked[] = [{ where: describePlace(place), blobs }];
    // A remote archive is only read, and not only by these replicas, so it gets no marker.
    if (archive.place.kind === "folder")
      stores.unshift({ where: archiveDir, blobs: folderBlobStore(archiveDir, { isPublic: true }) });
    const known = (await knownId(prisma)) ?? (await firstId(prisma, stores));
    for (const store of stores) {
      const found = await idIn(store);
      if (found !== known) throw new ConfigError(otherStore(store.where, found, known));
    }
  } finally {
    blobs.close();
  }
}

const knownId = async (prisma: Pick<Database["prisma"], "setting">) =>
  (await prisma.setting.findUnique({ where: { name: ROW } }))?.value;

async function idIn({ blobs }: Marked): Promise<string | undefined> {
  const bytes = await blobs.get(MARKER_KEY);
  return bytes && Buffer.from(bytes).toString().trim();
}

function firstId(prisma: Database["prisma"], stores: readonly Marked[]): Promise<string> {
  return prisma.$transaction(
    async (transaction) => {
      await transaction.$executeRaw`select pg_advisory_xact_lock(${FIRST_START_LOCK})`;
      const known = await knownId(transaction);
      if (known !== undefined) return known;
      let id: string = randomUUID();
      for (const store of stores) {
        const found = await idIn(store);
        if (found === undefined)
          await store.blobs.put(MARKER_KEY, Readable.from([Buffer.from(`${id}\n`)], { objectMode: false }));
        else id = found;
      }
      await transaction.setting.create({ data: { name: ROW, value: id } });
      return id;
    },
    { maxWait: FIRST_START_MS, timeout: FIRST_START_MS },
  );
}

function otherStore(where: string, found: string | undefined, known: string): string {
  const marker = `${where}/${MARKER_KEY}`;
  const difference =
    found === undefined
      ? `${marker} is missing, and the database expects ${known} in it`
      : `${marker} says ${found || "nothing"}, and the database ${known}`;
  return (
    `${where} is not the store that the other processes of this database use: ${difference}. ` +
    "All replicas need the same archive and the same blobs: one DATA_DIR on a shared disk, or the same ARCHIVE_URL and BLOB_URL. " +
    `Where it was replaced on purpose, write ${known} into ${marker}.`
  );
}
