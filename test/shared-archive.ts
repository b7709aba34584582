import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { openCatalog } from "#server/archive/catalog.ts";
import type { MaintainDeps } from "#server/archive/maintain-store.ts";
import { openReader } from "#server/archive/reader.ts";
import { noCache, remoteStore } from "#server/archive/remote/remote-store.ts";
import type { RunArchive } from "#server/archive/run-archive.ts";
import { type RowManifestDeps, RunRows, rowManifest } from "#server/archive/run-rows.ts";
import { storeArchive } from "#server/archive/store-archive.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { type S3BlobStore, s3BlobStore } from "#server/platform/s3-blob-store.ts";
import type { DatabasePlace } from "./databases.ts";
import { BUCKET } from "./s3/start-s3.ts";

let prefixes = 0;

/** A prefix of the test's bucket that no other test uses. */
export const freshPrefix = () => `archive-${++prefixes}/`;

/** A machine that shares an archive in the test's bucket with others. */
export interface Machine {
  database: Database;
  rows: RunRows;
  blobs: S3BlobStore;
  archive: RunArchive;
  /** Dependencies for maintaining the store. */
  maintain: MaintainDeps;
}

/** Opens a machine with a disk of its own, until the end of the test. */
export async function openMachine(place: DatabasePlace, prefix: string): Promise<Machine> {
  const database = await openDatabase(place);
  const blobs = s3BlobStore({ bucket: BUCKET, prefix, isPathStyle: true });
  const folder = mkdtempSync(path.join(tmpdir(), "machine-"));
  const rows = new RunRows(database.prisma);
  onTestFinished(async () => {
    blobs.close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    database,
    rows,
    blobs,
    archive: storeArchive({ rows, blobs, store: remoteStore(blobs, noCache), folder }),
    maintain: { rows, blobs, setting: database.prisma.setting, where: prefix, lead: database.lead },
  };
}

/** A reader of a machine's archive, whose catalog follows the database. */
export function openReplica(
  { rows, blobs, database }: Machine,
  options: Partial<Pick<RowManifestDeps, "listen" | "every">> = {},
) {
  const store = remoteStore(blobs, noCache);
  const reader = openReader(store, { cacheBytes: 1 << 24 });
  const source = rowManifest({ rows, listen: database.listen, ...options });
  const catalog = openCatalog(store, { source, onChange: ({ runs }) => reader.retainOnly(runs) });
  onTestFinished(() => catalog.close());
  return { ...catalog, reader };
}
