import { open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BrokenError, CutError, ReplacedError } from "#server/platform/fetching/errors.ts";
import { fetchPieces, PartialFile, type Piece } from "#server/platform/fetching/partial-file.ts";
import { ifMissing, makeFolder, syncFolder } from "#server/platform/files.ts";
import type { PartObjects } from "./field-feed.ts";
import { type FetchWork, nameOf, type Ready, readyFile, UnsuitableDataError } from "./part-store.ts";
import { createUnpacker, PackedDataError } from "./unpack.ts";

/** Largest file of a feed, bytes. The relief of the earth at 15″ has 3 GB. */
const MAX_BYTES = 8e9;

/**
 * Fetches a whole object; of several names the first that exists.
 *
 * @throws FetchError; UnsuitableDataError where it is not a whole GRIB or NetCDF file; the signal's reason.
 */
export async function fetchFile(
  base: string,
  { objects }: Extract<PartObjects, { kind: "file" }>,
  work: FetchWork,
): Promise<Ready | "absent"> {
  for (const object of objects) {
    let name = "";
    const file = await fetchWhole(`${base}/${object}`, MAX_BYTES, work, async (fetched) => {
      name = `file.${await formOf(fetched)}`;
    });
    if (file !== "absent") return readyFile(file, name);
  }
  return "absent";
}

/** Largest total of the unpacked files of one step, bytes. Every model has less. */
const MAX_PART_BYTES = 1e9;

/**
 * Fetches whole objects, or takes them from a folder, and unpacks gzip and bzip2. GRIB2 messages are written one after
 * another into one file, and several NetCDF objects into a folder, a file for each.
 *
 * @returns "absent" where one of the objects is absent.
 * @throws FetchError; UnsuitableDataError; the signal's reason.
 */
export async function fetchAll(
  base: string,
  { objects }: Extract<PartObjects, { kind: "all" }>,
  work: FetchWork,
  { maxBytes = MAX_PART_BYTES, maxUnpackMs }: { maxBytes?: number; maxUnpackMs?: number } = {},
): Promise<Ready | "absent"> {
  const path = nameOf(`${base}/${objects.join()}`, work.folder, "unpacked");
  const folder = nameOf(`${base}/${objects.join()}`, work.folder, "files");
  await rm(folder, { recursive: true, force: true });
  await using unpacker = createUnpacker(maxUnpackMs);
  let size = 0;
  let kept = 0;
  let form = "grib2" as "grib2" | "nc";
  const append = async (index: number, packed: string): Promise<void> => {
    const object = objects[index]!;
    await using out = await open(path, size === 0 ? "w+" : "r+");
    const from = size;
    const input = { from: packed, to: path, at: from, maxBytes: maxBytes - kept };
    const length = await unpacker.append(input, work.signal).catch((error: unknown) => {
      if (!(error instanceof PackedDataError)) throw error;
      throw new UnsuitableDataError(`${object} cannot be used: ${error.message}`, { cause: error });
    });
    const found = await formOf({
      size: length,
      read: async (at, bytes) => {
        const { buffer, bytesRead } = await out.read(Buffer.alloc(bytes), 0, bytes, from + at);
        return buffer.subarray(0, bytesRead);
      },
    });
    if (index > 0 && found !== form)
      throw new UnsuitableDataError(`${object} is not a ${form} file as the others`);
    form = found;
    size += length;
    if (form === "grib2" || objects.length === 1) return;
    await makeFolder(folder);
    await rename(path, join(folder, `${index}.nc`));
    kept += length;
    size = 0;
  };
  for (const [index, object] of objects.entries()) {
    const address = `${base}/${object}`;
    if (address.startsWith("/")) {
      const found = await stat(address).catch(ifMissing(undefined));
      if (!found?.isFile()) return "absent";
      if (found.size > maxBytes) throw new UnsuitableDataError(`${address} has more than ${maxBytes} bytes`);
      work.count.fetched += found.size;
      await append(index, address);
    } else {
      // A file that the check refuses is deleted, so that the next look fetches it again.
      const fetched = await fetchWhole(address, maxBytes, work, (file) => append(index, file.path));
      if (fetched === "absent") return "absent";
      await fetched[Symbol.asyncDispose]();
    }
  }
  if (form === "nc" && objects.length > 1)
    return { name: "files", path: folder, settle: () => syncedFiles(folder) };
  return { name: `file.${form}`, path, settle: () => synced(path) };
}

async function syncedFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await synced(join(folder, name));
  await syncFolder(folder);
}

export async function synced(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.sync();
}

/** Version bytes of NetCDF files: classic, with 64-bit offsets, with 64-bit data. */
const CLASSIC_VERSIONS = [1, 2, 5];

const HDF5 = "\x89HDF\r\n\x1a\n";

/**
 * Detects the format of a file by its first bytes, and checks its length if the file states it.
 *
 * @throws UnsuitableDataError
 */
async function formOf(file: Pick<PartialFile, "size" | "read">): Promise<"grib2" | "nc"> {
  const bytes = file.size;
  if (bytes === 0) throw new UnsuitableDataError("the file is empty");
  const head = Buffer.from(await file.read(0, 64));
  const text = head.toString("latin1");
  if (text.startsWith("GRIB")) {
    const end = Buffer.from(await file.read(Math.max(0, bytes - 4), 4)).toString("latin1");
    if (end !== "7777") throw new UnsuitableDataError("the file does not end with 7777");
    return "grib2";
  }
  if (text.startsWith(HDF5)) {
    const end = endOfHdf5(head);
    if (end !== undefined && end > bytes)
      throw new UnsuitableDataError(`the file has ${bytes} bytes of the ${end} that it says it has`);
    return "nc";
  }
  if (text.startsWith("CDF") && CLASSIC_VERSIONS.includes(head[3]!)) return "nc";
  throw new UnsuitableDataError("the file is neither GRIB nor NetCDF");
}

/** End-of-file address of an HDF5 superblock, versions 0 to 3, with addresses of eight bytes. */
function endOfHdf5(head: Buffer): number | undefined {
  const version = head[8]!;
  const addressBytes = head[version < 2 ? 13 : 9];
  const place = [40, 44, 28, 28][version];
  if (place === undefined || addressBytes !== 8 || head.length < place + 8) return undefined;
  return Number(head.readBigUInt64LE(place));
}

/** Largest index, bytes; that of a GFS step has 40 kB. */
const MAX_INDEX_BYTES = 16e6;

/** An index as stored in the part's folder. */
interface StoredIndex {
  etag?: string;
  lastModified?: number;
  text: string;
}

/**
 * Fetches an index, unless the stored one is still the newest.
 *
 * @param again Whether it is fetched in any case.
 */
export async function fetchIndex(
  url: string,
  { fetcher, folder, signal, count }: FetchWork,
  again = false,
): Promise<string | "absent"> {
  const stored = again ? undefined : await storedIndex(url, folder);
  const condition = stored && {
    etag: stored.etag,
    modifiedSince: stored.etag ? undefined : stored.lastModified,
  };
  const answer = await fetcher.get(url, { ...condition, maxBytes: MAX_INDEX_BYTES, signal });
  if (answer.kind === "absent") return "absent";
  if (answer.kind === "unchanged") return stored!.text;
  count.fetched += answer.length;
  const text = Buffer.from(answer.bytes!).toString("latin1");
  const { etag, lastModified } = answer;
  await writeFile(indexFile(url, folder), JSON.stringify({ etag, lastModified, text } satisfies StoredIndex));
  return text;
}

/** Deletes a stored index that did not match its object. */
export async function forgetIndex(url: string, folder: string): Promise<void> {
  await rm(indexFile(url, folder), { force: true });
}

const indexFile = (url: string, folder: string) => nameOf(url, folder, "index.json");

/** Reads a stored index; undefined unless it is complete and the host can tell whether it is still the newest. */
export async function storedIndex(url: string, folder: string): Promise<StoredIndex | undefined> {
  const json = await readFile(indexFile(url, folder), "utf8").catch(ifMissing(""));
  try {
    const stored: StoredIndex = JSON.parse(json);
    return (stored.etag ?? stored.lastModified) === undefined ? undefined : stored;
  } catch {
    // The file is missing, or torn because it is not synced. It can be fetched again.
    return undefined;
  }
}

/**
 * Fetches a whole object, or the rest of it after an earlier attempt. If the object was replaced meanwhile, it is
 * fetched again from the start, once.
 *
 * @param check Called when the object is complete; throws where it cannot be used, and then nothing of it stays.
 * @returns The file; the caller closes it.
 * @throws FetchError; errors of `check`; the signal's reason.
 */
export async function fetchWhole(
  url: string,
  maxBytes: number,
  work: FetchWork,
  check: (file: PartialFile) => void | Promise<void>,
): Promise<PartialFile | "absent"> {
  const attempt = () => fetchInto(url, url, [{ from: 0, to: undefined, at: 0 }], maxBytes, work, check);
  return attempt().catch((error: unknown) => {
    if (!(error instanceof ReplacedError)) throw error;
    // The failed attempt has deleted the pieces of the old object.
    return attempt();
  });
}

/**
 * Fetches pieces of an object into one file of the part's folder, or the rest of them after an earlier attempt.
 *
 * @param key Identifies the content of the file.
 * @param check Called when all pieces are there; throws where they cannot be used, and then nothing of them stays.
 * @returns The file; the caller closes it.
 */
export async function fetchInto(
  url: string,
  key: string,
  pieces: readonly Piece[],
  maxBytes: number,
  { fetcher, folder, signal, count }: FetchWork,
  check: (file: PartialFile) => void | Promise<void>,
): Promise<PartialFile | "absent"> {
  const file = await PartialFile.open(nameOf(url, folder, "part"), key);
  try {
    const arrived = (bytes: number) => {
      count.fetched += bytes;
    };
    const outcome = await fetchPieces(fetcher, url, pieces, file, { maxBytes, arrived, signal });
    if (outcome === "absent") {
      await file.discard();
      return "absent";
    }
    await check(file);
    return file;
  } catch (error) {
    // Data that cannot be trusted is deleted and fetched again; an interrupted fetch stays.
    if (isUntrusted(error)) await file.discard();
    else await file[Symbol.asyncDispose]();
    throw error;
  }
}

/** Whether the received data may mix several publications or be damaged. */
export function isUntrusted(error: unknown): boolean {
  const isBroken = error instanceof BrokenError && !(error instanceof CutError);
  return isBroken || error instanceof ReplacedError || error instanceof UnsuitableDataError;
}
