import type { VersionedBlob } from "#server/platform/blob-store.ts";

/**
 * Where the objects of a remote archive come from: a bucket (`S3BlobStore`) or a web server (`httpSource`). A request that
 * fails is sent again a few times. All reject with StoreUnavailableError, or with the signal's reason.
 */
export interface ObjectSource {
  /** @returns undefined where there is no such object. */
  get(key: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /**
   * @param offset Bytes; counted from the end where negative.
   * @returns Fewer bytes where the object ends earlier; undefined where there is no such object.
   */
  getRange(key: string, offset: number, length: number, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** A whole object, unless it is still of this version. */
  getChanged(
    key: string,
    version: string | undefined,
    signal: AbortSignal,
  ): Promise<VersionedBlob | "unchanged" | undefined>;
  close(): void;
}
