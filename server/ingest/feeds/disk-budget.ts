import { formatBytes } from "#lib/format-bytes.ts";
import type { RunArchive } from "#server/archive/run-archive.ts";
import { freeBytes, makeFolder } from "#server/platform/files.ts";
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
 * @param budget FEED_DISK_MB, in bytes; undefined for no limit but the disk's.
 * @param minFree Bytes that stay free: MIN_FREE_MB.
 */
export function diskBudget(
  archive: Pick<RunArchive, "usedBytes" | "folder" | "maxStagedBytes">,
  budget: number | undefined,
  minFree: number,
): DiskBudget {
  return {
    used: archive.usedBytes,
    async refusal(bytes) {
      await makeFolder(archive.folder);
      const free = await freeBytes(archive.folder);
      const needed = Math.min(bytes, archive.maxStagedBytes);
      if (free - needed < minFree)
        return `the disk has ${formatBytes(free)} free; the next fetch needs ${formatBytes(needed)}, and MIN_FREE_MB stays free`;
      if (budget === undefined) return undefined;
      const now = await archive.usedBytes();
      if (now + bytes <= budget) return undefined;
      return `the archive has ${formatBytes(now)} of the ${formatBytes(budget)} that FEED_DISK_MB allows, and the next fetch needs ${formatBytes(bytes)}: raise it, retain less (KEEP_…), or choose a smaller profile`;
    },
  };
}
