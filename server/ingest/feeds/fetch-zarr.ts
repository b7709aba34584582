import { mkdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { DamagedFileError } from "#server/ingest/netcdf/file.ts";
import {
  checkFrameHead,
  chunkKeys,
  openZarrStore,
  type ZarrArray,
  zarrTimes,
} from "#server/ingest/zarr/zarr-store.ts";
import type { PartialFile } from "#server/platform/fetching/partial-file.ts";
import { ifMissing, replaceFile, syncTree } from "#server/platform/files.ts";
import { inParallel } from "#server/platform/in-parallel.ts";
import { fetchIndex, fetchWhole, forgetIndex } from "./fetch-files.ts";
import type { Part, PartObjects } from "./field-feed.ts";
import { type FetchWork, LackingError, nameOf, type Ready, UnsuitableDataError } from "./part-store.ts";

/** Largest chunk, bytes. Chunks of ocean models are smaller. */
const MAX_CHUNK = 256e6;

/** Number of chunks that are open at the same time; the host's rules limit the requests. */
const AT_ONCE = 16;

/** Most times that a store is read again because it was updated meanwhile. */
const MAX_RESTARTS = 2;

/**
 * Fetches chunks of a Zarr v2 store into a folder of the same layout: consolidated metadata, all chunks of the
 * coordinates, and those chunks of the arrays that have the part's times.
 *
 * A store is updated in place, and nothing in it names the run. A chunk that was written before `writtenFrom` is
 * therefore not accepted, and the answer is "absent". The metadata is compared again at the end, because each update
 * extends the time axis.
 *
 * @throws FetchError; UnsuitableDataError for damaged metadata and chunks; LackingError; the signal's reason.
 */
export async function fetchZarr(
  base: string,
  objects: Extract<PartObjects, { kind: "zarr" }>,
  part: Part,
  work: FetchWork,
): Promise<Ready | "absent"> {
  const store = `${base}/${objects.store}`;
  const folder = nameOf(store, work.folder, "zarr");
  const metadataUrl = `${store}/.zmetadata`;
  for (let restarts = 0; ; restarts++) {
    const metadata = await fetchIndex(metadataUrl, work);
    if (metadata === "absent") return "absent";
    try {
      await prepare(folder, metadata);
      const { arrays } = await openZarrStore(folder);
      const found = objects.arrays.map((name) =>
        [name, ...(objects.instead?.[name] ?? [])].find((one) => arrays.has(one)),
      );
      const there = [...new Set(found.filter((name) => name !== undefined))];
      const lacking = objects.arrays.filter((_, index) => found[index] === undefined);
      if (there.length === 0) throw new UnsuitableDataError(`the store has no array ${objects.arrays[0]}`);
      if (lacking.length > 0 && !work.takesIncomplete) throw new LackingError("the store", lacking);
      const fetched = { arrays: there, writtenFrom: objects.writtenFrom };
      if (!(await fetchChunks(store, folder, fetched, part, work))) return "absent";
      if ((await fetchIndex(metadataUrl, work)) === metadata)
        return { name: "store.zarr", path: folder, lacking, settle: () => syncTree(folder) };
      if (restarts === MAX_RESTARTS) throw new UnsuitableDataError("the store is being updated");
    } catch (error) {
      if (error instanceof DamagedFileError || error instanceof UnsuitableDataError)
        await forgetIndex(metadataUrl, work.folder);
      throw error instanceof DamagedFileError ? new UnsuitableDataError(error.message) : error;
    }
  }
}

/** Prepares the folder. Chunks stay only with the metadata with which they were fetched. */
async function prepare(folder: string, metadata: string): Promise<void> {
  const file = path.join(folder, ".zmetadata");
  if ((await readFile(file, "latin1").catch(ifMissing(undefined))) === metadata) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await replaceFile(file, Buffer.from(metadata, "latin1"));
}

/** @returns Whether the store has all of them. */
async function fetchChunks(
  store: string,
  folder: string,
  { arrays: names, writtenFrom }: Pick<Extract<PartObjects, { kind: "zarr" }>, "arrays" | "writtenFrom">,
  part: Part,
  work: FetchWork,
): Promise<boolean> {
  const { arrays } = await openZarrStore(folder);
  const arrayOf = (name: string): ZarrArray => {
    const array = arrays.get(name);
    if (!array) throw new UnsuitableDataError(`the store has no array ${name}`);
    return array;
  };
  const coordinates = new Set(["time", ...names.flatMap((name) => arrayOf(name).dimensions)]);
  const axes = [...coordinates].flatMap((name) => {
    const array = arrayOf(name);
    return chunkKeys({ ...array, dimensions: [] }, []).map((key) => ({ key, array, notBefore: 0 }));
  });
  const fetchAll = async (chunks: readonly Chunk[]) => {
    const found = await inParallel(AT_ONCE, chunks, (chunk) => fetchChunk(store, folder, chunk, work));
    return found.every((isThere) => isThere);
  };
  if (!(await fetchAll(axes))) return false;
  const times = await zarrTimes(folder);
  const positions = part.times.map((time) => times.indexOf(time));
  if (positions.includes(-1)) return false;
  const data = names.flatMap((name) => {
    const array = arrayOf(name);
    return chunkKeys(array, positions).map((key) => ({ key, array, notBefore: writtenFrom }));
  });
  // A store may wait for its update for hours, and then each look fetches only these bytes.
  const [first] = data;
  if (first && !(await isOfCycle(store, folder, first, work))) return false;
  return fetchAll(data);
}

interface Chunk {
  key: string;
  array: ZarrArray;
  /** Chunks written before this are not accepted, Unix seconds. */
  notBefore: number;
}

/** Bytes of a chunk that are enough to learn its age. */
const HEAD_BYTES = 16;

/** Whether a chunk belongs to the requested run. */
async function isOfCycle(
  store: string,
  folder: string,
  { key, notBefore }: Chunk,
  { fetcher, signal, count }: FetchWork,
): Promise<boolean> {
  if (await stat(path.join(folder, key)).catch(ifMissing(undefined))) return true;
  const range = { from: 0, to: HEAD_BYTES };
  const head = await fetcher.get(`${store}/${key}`, { range, maxBytes: HEAD_BYTES, signal });
  if (head.kind !== "ok") return false;
  count.fetched += head.length;
  return (head.lastModified ?? Number.POSITIVE_INFINITY) >= notBefore;
}

/** @returns Whether the store has the chunk, which is then in the folder. */
async function fetchChunk(
  store: string,
  folder: string,
  { key, array, notBefore }: Chunk,
  work: FetchWork,
): Promise<boolean> {
  const target = path.join(folder, key);
  if (await stat(target).catch(ifMissing(undefined))) return true;
  const check = (file: PartialFile) => checkChunk(file, key, array);
  const file = await fetchWhole(`${store}/${key}`, MAX_CHUNK, work, check);
  if (file === "absent") return false;
  if ((file.version?.lastModified ?? Number.POSITIVE_INFINITY) < notBefore) {
    await file.discard();
    return false;
  }
  await mkdir(path.dirname(target), { recursive: true });
  await file.sync();
  await file.moveTo(target);
  return true;
}

async function checkChunk(file: PartialFile, key: string, array: ZarrArray): Promise<void> {
  const cells = array.chunks.reduce((product, length) => product * length, 1);
  const unpacked = cells * Number(/\d+$/.exec(array.dtype)?.[0]);
  try {
    if (array.compressor === "blosc")
      checkFrameHead(key, Buffer.from(await file.read(0, 16)), file.size, unpacked);
    else if (array.compressor === undefined && file.size !== unpacked)
      throw new DamagedFileError(`the chunk ${key} has ${file.size} bytes, not ${unpacked}`);
  } catch (error) {
    throw error instanceof DamagedFileError ? new UnsuitableDataError(error.message) : error;
  }
}
