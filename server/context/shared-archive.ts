import { randomUUID } from "node:crypto";
import { claimStore, keepMaintained, type MaintenanceDeps } from "#server/archive/maintain-store.ts";
import { offerManifest } from "#server/archive/manifest-channel.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import { rowManifest } from "#server/archive/run-rows.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Database } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import type { Logger } from "#server/platform/log.ts";
import { type ArchiveSettings, type OpenArchiveOptions, type OpenedArchive, openArchive } from "./archive.ts";
import { catalogOf, type SharedPlace } from "./run-archive.ts";

/** The archive of a process with a database. */
export interface ServedArchive extends OpenedArchive {
  /** Bytes of the published runs. */
  usedBytes(): Promise<number>;
  /** Channel on which threads of this process request the catalog; undefined where they read it themselves. */
  catalogChannel: string | undefined;
}

/**
 * Opens the archive that answers requests. If it is in a bucket, its catalog is in the database: changes are followed,
 * and the bucket is maintained.
 *
 * @throws ConfigError where the bucket belongs to another installation.
 */
export async function openServedArchive(
  settings: ArchiveSettings & Pick<Env, "archiveDir">,
  weather: Clock,
  database: Database,
  log: Logger,
  options: Pick<OpenArchiveOptions, "demoThreads">,
): Promise<ServedArchive> {
  const { place } = settings.archive;
  if (place.kind !== "s3") {
    const archive = await openArchive(settings, weather, { ...options, log });
    return { ...archive, usedBytes: folderArchive(settings.archiveDir).usedBytes, catalogChannel: undefined };
  }
  const shared = await openShared(place, database, log);
  try {
    const catalogChannel = `metocean-catalog-${randomUUID()}`;
    let offer: ReturnType<typeof offerManifest> | undefined;
    const source = rowManifest({ rows: shared.rows, listen: database.listen });
    const archive = await openArchive(settings, weather, {
      ...options,
      log,
      source,
      onChange: () => offer?.changed(),
    });
    // Threads get the published catalog and decide themselves whether the demo takes the place of an empty one.
    offer = offerManifest(catalogChannel, archive.published);
    const maintenance = keepMaintained(shared);
    return {
      ...archive,
      catalogChannel,
      usedBytes: () => shared.rows.bytes(),
      async close() {
        offer?.close();
        await maintenance.close();
        await archive.close();
        shared.close();
      },
    };
  } catch (error) {
    shared.close();
    throw error;
  }
}

async function openShared(
  place: SharedPlace,
  database: Database,
  log: Logger,
): Promise<MaintenanceDeps & { close(): void }> {
  const { s3BlobStore } = await import("#server/platform/s3-blob-store.ts");
  const blobs = s3BlobStore(place);
  const deps: MaintenanceDeps = { ...catalogOf(place, database, blobs), log };
  try {
    await claimStore(deps);
  } catch (error) {
    // Reading does no harm, and the process that maintains the store checks it again.
    if (!(error instanceof UnavailableError) || (await deps.rows.revision()) === 0) {
      blobs.close();
      throw error;
    }
    log.warn({ err: error }, "the archive's store does not answer: only what is cached is answered");
  }
  return { ...deps, close: () => blobs.close() };
}
