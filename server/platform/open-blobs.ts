import type { BlobStore } from "./blob-store.ts";
import type { BlobPlace } from "./blob-url.ts";
import { freeBytes } from "./files.ts";
import { type FolderOptions, folderBlobStore } from "./folder-blob-store.ts";

/** The blobs of tasks and kept answers, wherever they are. */
export interface OpenedBlobs extends BlobStore {
  /** Space that is left, bytes; infinite in a bucket, which has no disk that could be seen. */
  freeBytes(): Promise<number>;
  close(): void;
}

/**
 * @param reserveBytes Space of the disk that is left to others. Without meaning in a bucket, as `isPublic`.
 */
export async function openBlobs(
  place: BlobPlace,
  reserveBytes = 0,
  { isPublic }: Pick<FolderOptions, "isPublic"> = {},
): Promise<OpenedBlobs> {
  if (place.kind === "folder")
    return {
      ...folderBlobStore(place.folder, { reserveBytes, isPublic }),
      freeBytes: () => freeBytes(place.folder),
      close: () => {},
    };
  // The client takes memory and time to load: only where it is used.
  const { s3BlobStore } = await import("./s3-blob-store.ts");
  return { ...s3BlobStore(place), freeBytes: async () => Number.POSITIVE_INFINITY };
}
