import { randomUUID } from "node:crypto";
import type { PrismaClient } from "#prisma/generated/client.ts";
import { MARKER_KEY } from "#server/platform/blob-key.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { ConfigError } from "#server/platform/env.ts";
import { DamagedManifestError } from "./errors.ts";
import { MANIFEST_KEY, parseManifest } from "./manifest.ts";
import { once } from "./put-run.ts";
import type { Manifest } from "./run.ts";
import type { RunRows } from "./run-rows.ts";
import { RUNS, runPathOf } from "./sweep.ts";

/** The row of `setting` with the id that the marker of the archive's store has. */
const ROW = "archive_store_id";

/** What a manifest.json was that could not be read. */
const DAMAGED_KEY = "manifest.damaged.json";

export interface ClaimDeps {
  rows: RunRows;
  setting: PrismaClient["setting"];
  blobs: BlobStore;
  /** The store, for people. */
  where: string;
}

/**
 * Checks that a store is the one that this database has the catalog of. The first time it becomes that, with the runs of its
 * manifest.json, if it has one.
 *
 * @throws ConfigError where it is of another database, or lacks what the catalog lists; UnavailableError.
 */
export async function claimStore(
  { rows, setting, blobs, where }: ClaimDeps,
  signal?: AbortSignal,
): Promise<void> {
  const read = async () => (await setting.findUnique({ where: { name: ROW } }))?.value;
  let id = await read();
  if (id === undefined) {
    // Of several first starts one writes it.
    await setting.createMany({ data: { name: ROW, value: randomUUID() }, skipDuplicates: true });
    id = (await read())!;
  }
  const bytes = await blobs.get(MARKER_KEY, signal);
  const found = bytes && Buffer.from(bytes).toString().trim();
  if (found === undefined) {
    const { runs } = await rows.manifest();
    if (runs.length > 0) throw new ConfigError(emptied(where, runs.length, id));
    await blobs.put(MARKER_KEY, once(Buffer.from(`${id}\n`)));
  } else if (found !== id) throw new ConfigError(ofAnother(where, found, id));
  await takeOver(rows, blobs, signal);
}

/**
 * A manifest.json that is newer than the catalog is of before: a mirror that was pushed, or what was published after the
 * copy from which this database was restored. Its runs are taken over. @returns The revision of what the store has.
 */
export async function takeOver(rows: RunRows, blobs: BlobStore, signal?: AbortSignal): Promise<number> {
  const bytes = await blobs.get(MANIFEST_KEY, signal);
  if (!bytes) return 0;
  const manifest = await readable(rows, blobs, bytes, signal);
  if (!manifest) return 0;
  const { revision = 1 } = manifest;
  if (revision > (await rows.revision()))
    await rows.adopt({ ...manifest, revision }, await bytesOfRuns(blobs, signal));
  return revision;
}

/**
 * A damaged manifest.json is written again from a catalog that has published runs: it is a copy of it. What it was is kept
 * beside it, because it may have been newer.
 *
 * @returns undefined where it is damaged. @throws DamagedManifestError where the catalog is empty: it may be all there is.
 */
async function readable(
  rows: RunRows,
  blobs: BlobStore,
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<Manifest | undefined> {
  try {
    return parseManifest(bytes);
  } catch (error) {
    if (!(error instanceof DamagedManifestError) || (await rows.revision()) === 0) throw error;
    await blobs.put(DAMAGED_KEY, once(bytes), signal);
    return undefined;
  }
}

/** Bytes of the objects of each run that a store has, by its path. */
async function bytesOfRuns(blobs: BlobStore, signal?: AbortSignal): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for await (const { key, bytes } of blobs.list(RUNS)) {
    signal?.throwIfAborted();
    const path = runPathOf(key);
    sums.set(path, (sums.get(path) ?? 0) + bytes);
  }
  return sums;
}

function emptied(where: string, count: number, id: string): string {
  return (
    `${where} is not the archive of this database: it has no ${MARKER_KEY}, and the catalog lists ${count} runs. ` +
    `Where their objects were copied there on purpose, write ${id} into ${where}/${MARKER_KEY}.`
  );
}

function ofAnother(where: string, found: string, id: string): string {
  return (
    `${where} is the archive of another database: ${where}/${MARKER_KEY} says ${found || "nothing"}, and this database ${id}. ` +
    "All processes need the same DATABASE_URL and ARCHIVE_URL; another installation reads it as https://. Where that database " +
    `is lost, delete ${MARKER_KEY} there: the next start takes over the runs of ${MANIFEST_KEY}.`
  );
}
