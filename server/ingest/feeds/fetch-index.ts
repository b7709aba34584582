import { readFile, rm } from "node:fs/promises";
import { ifMissing, replaceFile } from "#server/platform/files.ts";
import { type FetchWork, nameOf } from "./fetch-work.ts";

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
  if (answer.kind === "unchanged" && stored) {
    count.reused += stored.text.length;
    return stored.text;
  }
  if (answer.kind === "unchanged") return fetchIndex(url, { fetcher, folder, signal, count }, true);
  count.fetched += answer.length;
  const text = Buffer.from(answer.bytes!).toString("latin1");
  const { etag, lastModified } = answer;
  await replaceFile(file, JSON.stringify({ etag, lastModified, text } satisfies StoredIndex));
  return text;
}

/** An index that is of no use must not be found again. */
export async function forgetIndex(url: string, folder: string): Promise<void> {
  await rm(indexFile(url, folder), { force: true });
}

const indexFile = (url: string, folder: string) => nameOf(url, folder, "index.json");

/** What was stored, if the host can say whether it is still the newest. */
function readStored(json: string): StoredIndex | undefined {
  if (json === "") return undefined;
  const stored: StoredIndex = JSON.parse(json);
  return (stored.etag ?? stored.lastModified) === undefined ? undefined : stored;
}
