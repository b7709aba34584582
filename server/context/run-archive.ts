import type { MaintenanceDeps } from "#server/archive/maintain-store.ts";
import { folderArchive, type RunArchive } from "#server/archive/run-archive.ts";
import { RunRows } from "#server/archive/run-rows.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { type ArchivePlace, describePlace } from "#server/platform/blob-url.ts";
import type { Database } from "#server/platform/db.ts";
import { within } from "#server/platform/deadline.ts";
import type { Env } from "#server/platform/env.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import { prepareArchive } from "./data-folders.ts";

/** How long the last maintenance of a bucket may take, milliseconds; the next process does what remains. */
const CLOSE_MS = 5_000;

/** An archive in which runs are published. */
export interface OpenedRunArchive extends RunArchive {
  /** Catalog and store of an archive in a bucket. */
  shared?: Omit<MaintenanceDeps, "log">;
  close(): Promise<void>;
}

/** An archive in a bucket, whose catalog is in the database. */
export type SharedPlace = Extract<ArchivePlace, { kind: "s3" }>;

/** Dependencies for claiming and maintaining an archive in a bucket. */
export function catalogOf(
  place: SharedPlace,
  { prisma, lead, listen }: Pick<Database, "prisma" | "lead" | "listen">,
  blobs: BlobStore,
): Omit<MaintenanceDeps, "log"> {
  const where = describePlace(place);
  return { rows: new RunRows(prisma), setting: prisma.setting, blobs, where, lead, listen };
}

/**
 * Opens the archive that this installation writes: that of a bucket, if ARCHIVE_URL names one, otherwise that of its
 * folder.
 *
 * @param open Opens the database; called for a bucket only.
 * @throws ConfigError where the bucket belongs to another installation.
 */
export async function openRunArchive(
  env: Pick<Env, "archive" | "archiveDir" | "dataDir">,
  open: () => Promise<Database>,
): Promise<OpenedRunArchive> {
  const { place, ...cache } = env.archive;
  if (place.kind !== "s3") {
    await prepareArchive(env);
    return { ...folderArchive(env.archiveDir), close: async () => {} };
  }
  const { claimStore } = await import("#server/archive/maintain-store.ts");
  const { maintainStore } = await import("#server/archive/maintain-store.ts");
  const { openRemoteStore } = await import("#server/archive/remote/open-remote.ts");
  const { storeArchive } = await import("#server/archive/store-archive.ts");
  const { s3BlobStore } = await import("#server/platform/s3-blob-store.ts");
  const database = await open();
  const blobs = s3BlobStore(place);
  const shared = catalogOf(place, database, blobs);
  let claiming: Promise<void> | undefined;
  /** Nothing is written to a bucket before it is claimed for this installation. */
  const claim = () => {
    claiming ??= claimStore(shared).catch((error) => {
      claiming = undefined;
      throw error;
    });
    return claiming;
  };
  try {
    await claim().catch((error) => {
      // The list of published runs is in the database, so reading works without the bucket.
      if (!(error instanceof UnavailableError)) throw error;
    });
    const store = await openRemoteStore(place, { dataDir: env.dataDir, ...cache });
    const archive = storeArchive({ rows: shared.rows, blobs, store, folder: env.archiveDir });
    return {
      ...archive,
      begin: async (...args) => {
        await claim();
        return archive.begin(...args);
      },
      remove: async (...args) => {
        await claim();
        return archive.remove(...args);
      },
      shared,
      async close() {
        // If no server runs beside this command, nothing else maintains the store. One that never answers must not keep the
        // process running.
        await within(CLOSE_MS, undefined, (signal) => maintainStore(shared, signal)).catch(() => {});
        store.close();
        blobs.close();
      },
    };
  } catch (error) {
    blobs.close();
    throw error;
  }
}
