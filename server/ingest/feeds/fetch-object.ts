import { readFile, rm, writeFile } from "node:fs/promises";
import { BrokenError, CutError, ReplacedError } from "#server/platform/fetching/errors.ts";
import { fetchPieces, PartialFile } from "#server/platform/fetching/partial-file.ts";
import { ifMissing } from "#server/platform/files.ts";
import { type FetchWork, isUnsuitable, nameOf } from "./part-store.ts";

/** Longer than any index; that of a GFS step has 40 kB. */
const MAX_BYTES = 16e6;

/** An index as it lies in the part's folder. */
interface StoredIndex {
  etag?: string;
  lastModified?: number;
  text: string;
}

/**
 * Fetches an index, unless the one that is there from before is still the newest.
 *
 * @param again Fetches it in any case.
 */
export async function fetchIndex(
  url: string,
  { fetcher, folder, signal, count }: FetchWork,
  again = false,
): Promise<string | "absent"> {
  const file = indexFile(url, folder);
  const stored = again ? undefined : readStored(await readFile(file, "utf8").catch(ifMissing("")));
  const condition = stored && {
    etag: stored.etag,
    modifiedSince: stored.etag ? undefined : stored.lastModified,
  };
  const answer = await fetcher.get(url, { ...condition, maxBytes: MAX_BYTES, signal });
  if (answer.kind === "absent") return "absent";
  if (answer.kind === "unchanged") return stored!.text;
  count.fetched += answer.length;
  const text = Buffer.from(answer.bytes!).toString("latin1");
  const { etag, lastModified } = answer;
  await writeFile(file, JSON.stringify({ etag, lastModified, text } satisfies StoredIndex));
  return text;
}

/** An index that is of no use must not be found again. */
export async function forgetIndex(url: string, folder: string): Promise<void> {
  await rm(indexFile(url, folder), { force: true });
}

const indexFile = (url: string, folder: string) => nameOf(url, folder, "index.json");

/** What was stored, if it is whole and the host can say whether it is still the newest. */
function readStored(json: string): StoredIndex | undefined {
  try {
    const stored: StoredIndex = JSON.parse(json);
    return (stored.etag ?? stored.lastModified) === undefined ? undefined : stored;
  } catch {
    // None, or torn: it is not synced, because it can be fetched again.
    return undefined;
  }
}

/**
 * Fetches a whole object, or what is missing of it from an attempt before; anew, once, where it was replaced meanwhile.
 *
 * @param check Called when it is whole; throws where it cannot be used. Then nothing of it stays.
 * @returns To be closed by the caller.
 * @throws FetchError; what `check` throws; the signal's reason.
 */
export async function fetchWhole(
  url: string,
  maxBytes: number,
  work: FetchWork,
  check: (file: PartialFile) => void | Promise<void>,
): Promise<PartialFile | "absent"> {
  try {
    return await attempt(url, maxBytes, work, check);
  } catch (error) {
    if (!(error instanceof ReplacedError)) throw error;
    // What was there of the former object is deleted.
    return attempt(url, maxBytes, work, check);
  }
}

async function attempt(
  url: string,
  maxBytes: number,
  { fetcher, folder, signal, count }: FetchWork,
  check: (file: PartialFile) => void | Promise<void>,
): Promise<PartialFile | "absent"> {
  const file = await PartialFile.open(nameOf(url, folder, "part"), url);
  try {
    const arrived = (bytes: number) => {
      count.fetched += bytes;
    };
    const whole = [{ from: 0, to: undefined, at: 0 }];
    const outcome = await fetchPieces(fetcher, url, whole, file, { maxBytes, arrived, signal });
    if (outcome === "absent") {
      await file.discard();
      return "absent";
    }
    await check(file);
    count.reused += file.found;
    return file;
  } catch (error) {
    const broken = error instanceof BrokenError && !(error instanceof CutError);
    // What cannot be trusted is fetched again; what was merely interrupted stays.
    if (broken || error instanceof ReplacedError || isUnsuitable(error)) await file.discard();
    else await file[Symbol.asyncDispose]();
    throw error;
  }
}
