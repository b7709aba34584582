/** The methods of `localStorage` and `sessionStorage` that pages use. */
type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * Wraps a storage of the browser so that it never throws. A browser that blocks site data throws as soon as
 * the storage is accessed, and a full storage refuses writes.
 *
 * @param open Accesses the storage of the browser: `() => globalThis.localStorage`.
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
    /** @returns null also if the storage cannot be read. */
    getItem: (name: string): string | null => attempt((storage) => storage.getItem(name)) ?? null,
    /** @returns Whether the browser stored it. */
    setItem: (name: string, value: string): boolean =>
      attempt((storage) => {
        storage.setItem(name, value);
        return true;
      }) ?? false,
    removeItem: (name: string): void => attempt((storage) => storage.removeItem(name)),
    names: (): string[] => attempt((storage) => Object.keys(storage)) ?? [],
  };
}
