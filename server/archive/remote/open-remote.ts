import path from "node:path";
import { describePlace, type RemotePlace } from "#server/platform/blob-url.ts";
import { FolderCache } from "./folder-cache.ts";
import { httpSource } from "./http-source.ts";
import { noCache, type ObjectSource, type RemoteStore, remoteStore } from "./remote-store.ts";

export interface RemoteCacheOptions {
  /** Parent of the folder of the cache. */
  dataDir: string;
  /** 0 for no cache. */
  cacheBytes: number;
  minFreeBytes?: number;
}

/** Opens an archive in a bucket or behind a web server, with a cache of its parts on this machine's disk. */
export async function openRemoteStore(
  place: RemotePlace,
  { dataDir, cacheBytes, minFreeBytes }: RemoteCacheOptions,
): Promise<RemoteStore> {
  const source = await openSource(place);
  if (cacheBytes === 0) return remoteStore(source, noCache);
  const cache = new FolderCache({
    folder: path.join(dataDir, "archive-cache"),
    maxBytes: cacheBytes,
    minFreeBytes,
    store: describePlace(place),
  });
  // The folder of an earlier process may be larger than the budget of this one.
  void cache.trim();
  return remoteStore(source, cache);
}

async function openSource(place: RemotePlace): Promise<ObjectSource> {
  if (place.kind === "https") return httpSource(place.url);
  // The client takes memory and time to load, so it is loaded only when it is used.
  const { s3BlobStore } = await import("#server/platform/s3-blob-store.ts");
  return s3BlobStore(place);
}
