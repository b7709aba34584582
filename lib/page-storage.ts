/** What pages use of `localStorage` and `sessionStorage`. */
type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * A storage of the browser that never throws. A browser that blocks the data of sites throws already when its storage is
 * named, and a full one refuses what is written.
 *
 * @param open Names the storage of the browser: `() => globalThis.localStorage`.
 */
export function pageStorage(open: () => BrowserStorage) {
  const attempt = <T>(use: (storage: BrowserStorage) => T): T | undefined => {
    try {
      return use(open());
    } catch (error) {
      if (error instanceof DOMException) return undefined;
      throw error;
    }
  };
  return {
    /** @returns null also where nothing can be read. */
    getItem: (name: string): string | null => attempt((storage) => storage.getItem(name)) ?? null,
    /** @returns Whether the browser took it. */
    setItem: (name: string, value: string): boolean =>
      attempt((storage) => {
        storage.setItem(name, value);
        return true;
      }) ?? false,
    removeItem: (name: string): void => attempt((storage) => storage.removeItem(name)),
    names: (): string[] => attempt((storage) => Object.keys(storage)) ?? [],
  };
}
