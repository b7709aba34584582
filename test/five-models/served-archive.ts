import { openCatalog, withSources } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { openReader } from "#server/archive/reader.ts";
import { knownSources } from "#server/context/sources.ts";
import { connectWeather } from "#test/send.ts";

/** Connects the operations to the archive in a folder, at a constant weather clock. @param now Unix seconds. */
export function serveArchive(folder: string, now: number): void {
  const files = directoryStore(folder);
  const reader = openReader(files, { cacheBytes: 1e7 });
  connectWeather(now, {
    archive: {
      ...withSources(openCatalog(files), knownSources({})),
      valuesAt: (...args: Parameters<typeof reader.valuesAt>) => reader.valuesAt(...args),
      mapStep: (...args: Parameters<typeof reader.mapStep>) => reader.mapStep(...args),
      storedFrame: async () => undefined,
    },
    storms: { published: async () => ({ entries: [] }) },
  });
}
