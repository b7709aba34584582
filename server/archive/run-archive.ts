import { join } from "node:path";
import type { Clock } from "#server/platform/clock.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { directoryStore } from "./directory-store.ts";
import { removeRuns, type WriterOptions } from "./folder-publication.ts";
import { readManifest } from "./manifest.ts";
import type { Manifest, Run } from "./run.ts";
import type { ChunkStore } from "./store.ts";
import { beginRun, type NewRun, type RunWriter } from "./writer.ts";

/** An archive in which runs are published: a folder, or a bucket with a catalog in PostgreSQL (`storeArchive`). */
export interface RunArchive {
  /** Returns the current manifest. Throws UnavailableError if it cannot be read. */
  manifest(): Promise<Manifest>;
  /** The store that published runs are read from. */
  readonly store: ChunkStore;
  /** See `beginRun`. */
  begin(run: NewRun, options?: WriterOptions): Promise<RunWriter>;
  /** See `removeRuns`. */
  remove(
    unwanted: (runs: readonly Run[]) => ReadonlySet<Run>,
    options?: { clock?: Clock; signal?: AbortSignal },
  ): Promise<Run[]>;
  /** Returns the bytes of the published runs and of replaced ones that are still there. */
  usedBytes(): Promise<number>;
  /** A folder on the disk that runs are written to. */
  readonly folder: string;
  /** Most bytes of runs that lie on that disk at the same time; no limit where runs stay there. */
  readonly maxStagedBytes: number;
}

/** The archive of a folder, which need not exist yet. */
export function folderArchive(root: string): RunArchive {
  /** Bytes of each run by its path. Runs are immutable, so each is measured once. */
  const sizes = new Map<string, number>();
  return {
    manifest: () => readManifest(root),
    store: directoryStore(root),
    begin: (run, options) => beginRun(root, run, options),
    remove: (unwanted, options) => removeRuns(root, unwanted, options),
    async usedBytes() {
      const { runs, replaced = [] } = await readManifest(root);
      const paths = new Set([...runs, ...replaced].map(({ path }) => path));
      for (const path of sizes.keys()) if (!paths.has(path)) sizes.delete(path);
      let sum = 0;
      for (const path of paths) {
        if (!sizes.has(path)) sizes.set(path, await bytesIn(join(root, path)));
        sum += sizes.get(path)!;
      }
      return sum;
    },
    folder: root,
    maxStagedBytes: Number.POSITIVE_INFINITY,
  };
}

async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  for await (const { bytes } of folderBlobStore(folder).list()) sum += bytes;
  return sum;
}
