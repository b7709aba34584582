/** Caches blocks of objects. It may drop any of them at any time, and never returns what was not put in. */
export interface BlockCache {
  get(key: string, block: number): Uint8Array | undefined;
  put(key: string, block: number, bytes: Uint8Array): void;
  forget(key: string, block: number): void;
}

export const noCache: BlockCache = { get: () => undefined, put() {}, forget() {} };
