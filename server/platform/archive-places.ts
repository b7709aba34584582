import path from "node:path";
import { type ArchivePlace, type BlobPlace, blobUrl, folderPlace, withAwsVariables } from "./blob-url.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The archive of a process, by its settings. @param variables With what Amazon's say of buckets. */
export function archivePlaces(
  read: { DATA_DIR: string; ARCHIVE_URL?: ArchivePlace; ARCHIVE_CACHE_MB: number; MIN_FREE_MB: number },
  variables: Variables,
) {
  const own = path.resolve(read.DATA_DIR, "archive");
  const place = read.ARCHIVE_URL ?? folderPlace(own);
  return {
    /** Folder of the archive that this machine writes. Default: in `dataDir`. */
    archiveDir: place.kind === "folder" ? place.folder : own,
    /** The archive that answers: that folder, or one behind a network, of which parts are cached in `dataDir`. */
    archive: {
      place: withAwsVariables<ArchivePlace>(place, variables),
      cacheBytes: read.ARCHIVE_CACHE_MB * 2 ** 20,
      minFreeBytes: read.MIN_FREE_MB * 2 ** 20,
    },
  };
}

/** A place of blobs by its URL; undefined where the text is none. */
export function parsedPlace(url: string, variables: Variables): BlobPlace | undefined {
  const { success, data } = blobUrl.safeParse(url);
  return success ? withAwsVariables(data, variables) : undefined;
}
