/** The part of a browser's CacheStorage that is used here. */
export function fakeCaches() {
  const stores = new Map<string, Map<string, Response>>();
  const urlOf = (name: string) => new URL(name, "http://here").href;
  const open = async (store: string) => {
    const entries = stores.get(store) ?? new Map<string, Response>();
    stores.set(store, entries);
    return {
      match: async (name: string) => entries.get(urlOf(name))?.clone(),
      put: async (name: string, reply: Response) => void entries.set(urlOf(name), reply),
      delete: async (request: string | Request) =>
        entries.delete(typeof request === "string" ? urlOf(request) : request.url),
      keys: async () => [...entries.keys()].map((url) => new Request(url)),
    };
  };
  return {
    open,
    has: async (store: string) => stores.has(store),
    keys: async () => [...stores.keys()],
    delete: async (store: string) => stores.delete(store),
  };
}
