import { join } from "node:path";
import { formatBytes } from "#lib/format-bytes.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { freeBytes, makeFolder } from "#server/platform/files.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import type { Profile } from "./field-feed.ts";

/**
 * Bytes of the archive for each byte fetched of real files, all layouts and frames together, steps that two segments share
 * counted twice: docs/benchmarks.md, "Live feeds". The fewer fields, the more of them have frames; the fewer steps,
 * the emptier the blocks of points.
 */
export const archivedPerFetched: Readonly<Record<Profile, number>> = { lite: 4, standard: 2.2, full: 1.9 };

/** Says whether a fetch would still fit on the disk. */
export interface DiskBudget {
  /** Why so many bytes more do not fit, in words for the operator; undefined if they do. */
  refusal(bytes: number): Promise<string | undefined>;
  /** Bytes of the published runs. */
  used(): Promise<number>;
}

/**
 * @param archive Root folder of the archive.
 * @param budget FEED_DISK_MB, in bytes; undefined for no limit but the disk's.
 * @param minFree Bytes that stay free: MIN_FREE_MB.
 */
export function diskBudget(archive: string, budget: number | undefined, minFree: number): DiskBudget {
  /** Runs are immutable: each is measured once. By path. */
  const sizes = new Map<string, number>();

  async function used(): Promise<number> {
    const { runs, replaced = [] } = await readManifest(archive);
    const paths = new Set([...runs, ...replaced].map(({ path }) => path));
    for (const path of sizes.keys()) if (!paths.has(path)) sizes.delete(path);
    let sum = 0;
    for (const path of paths) {
      if (!sizes.has(path)) sizes.set(path, await bytesIn(join(archive, path)));
      sum += sizes.get(path)!;
    }
    return sum;
  }

  return {
    used,
    async refusal(bytes) {
      await makeFolder(archive);
      const free = await freeBytes(archive);
      if (free - bytes < minFree)
        return `the disk has ${formatBytes(free)} free; the next fetch needs ${formatBytes(bytes)}, and MIN_FREE_MB stays free`;
      if (budget === undefined) return undefined;
      const now = await used();
      if (now + bytes <= budget) return undefined;
      return `the archive has ${formatBytes(now)} of the ${formatBytes(budget)} that FEED_DISK_MB allows, and the next fetch needs ${formatBytes(bytes)}: raise it, retain less (KEEP_…), or choose a smaller profile`;
    },
  };
}

async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  for await (const { bytes } of folderBlobStore(folder).list()) sum += bytes;
  return sum;
}
