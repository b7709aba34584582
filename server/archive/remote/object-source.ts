/** An object that is not as it was, with what tells this version from others. */
export interface ChangedObject {
  bytes: Uint8Array;
  version: string | undefined;
}

/**
 * Where the objects of a remote archive come from. Each call is one request or, where that fails, several. All reject with
 * StoreUnavailableError, or with the signal's reason.
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
  ): Promise<ChangedObject | "unchanged" | undefined>;
  close(): void;
}
