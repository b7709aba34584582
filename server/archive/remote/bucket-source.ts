import type { S3BlobStore } from "#server/platform/s3-blob-store.ts";
import type { ObjectSource } from "./object-source.ts";

/** Objects of a bucket. */
export function bucketSource(blobs: S3BlobStore): ObjectSource {
  return {
    get: async (key, signal) => blobs.get(key, signal),
    getRange: async (key, offset, length, signal) => blobs.getRange(key, offset, length, signal),
    getChanged: (key, version, signal) => blobs.getChanged(key, version, signal),
    close: () => blobs.close(),
  };
}
