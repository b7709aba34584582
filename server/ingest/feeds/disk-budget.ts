import { rowOf } from "#lib/catalog/fields.ts";
import { storedSteps } from "#lib/catalog/map-fields.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import type { RunArchive } from "#server/archive/run-archive.ts";
import { freeBytes, makeFolder } from "#server/platform/files.ts";
import type { FieldFeed, Profile } from "./field-feed.ts";
import { fieldsOfProfile } from "./profile-fields.ts";

/** Nodes of 0.25° over the globe. */
const GLOBE = 1440 * 721;
/** Bytes of a number of the archive, as points and as a frame of the map: test/feeds-week/disk-estimate.test.ts. */
const POINT_BYTES = 1.25;
const FRAME_BYTES = 0.8;
/** Part of the nodes that is sea. */
const SEA = 0.7;
/** Steps that two segments share, beside each step. */
const SHARED = 1.07;

/** Bytes for each byte of a source of one's own, whose grid is not known before it is there: the most of the others. */
const OWN = 3;

/** Bytes of the archive for each byte fetched of a feed, all layouts and frames together. */
export function archivedPerFetched(feed: FieldFeed, profile: Profile): number {
  if (feed.isOwn) return OWN;
  const [part] = feed.parts(feed.cycles.offset, profile);
  const names = fieldsOfProfile(feed, profile);
  const isSea = names.every((name) => rowOf(name).absentWhere?.includes("land"));
  const frames = storedSteps
    .filter(({ bands }) => bands.every((band) => names.includes(band)))
    .flatMap(({ bands }) => bands);
  const nodes = (feed.nodes?.[profile] ?? GLOBE) * (isSea ? SEA : 1);
  const stepBytes = nodes * SHARED * (names.length * POINT_BYTES + frames.length * FRAME_BYTES);
  return (stepBytes * (part?.times.length ?? 0)) / feed.partBytes(profile);
}

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
