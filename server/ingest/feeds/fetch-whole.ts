import { BrokenError, CutError, ReplacedError } from "#server/platform/fetching/errors.ts";
import { fetchPieces } from "#server/platform/fetching/fetch-pieces.ts";
import { PartialFile } from "#server/platform/fetching/partial-file.ts";
import { type FetchWork, nameOf } from "./fetch-work.ts";
import { isUnsuitable } from "./part-errors.ts";

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
