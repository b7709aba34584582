/** Names without a dot in front, joined by slashes: no key leads out of the store. */
const KEY = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;

/** Where a store keeps its id; no blob, and not among those that are listed. */
export const MARKER_KEY = ".store-id";

/** @throws TypeError where a text is no key of a blob. */
export function checkedKey(key: string): string {
  if (!KEY.test(key) && key !== MARKER_KEY) throw new TypeError(`${key} is not a key of a blob`);
  return key;
}

export function isBlobKey(text: string): boolean {
  return KEY.test(text);
}
