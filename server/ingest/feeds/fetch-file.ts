import { BrokenError, CutError, ReplacedError } from "#server/platform/fetching/errors.ts";
import { fetchPieces } from "#server/platform/fetching/fetch-pieces.ts";
import { PartialFile } from "#server/platform/fetching/partial-file.ts";
import { UnsuitableDataError } from "./check-messages.ts";
import { type FetchWork, nameOf, type Ready } from "./fetch-work.ts";
import type { PartObjects } from "./field-feed.ts";
import { formOf } from "./file-form.ts";

/** Larger than any file of a feed: relief of the earth at 15″ has 3 GB. */
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
    const ready = await fetchObject(`${base}/${object}`, work);
    if (ready !== "absent") return ready;
  }
  return "absent";
}

async function fetchObject(
  url: string,
  { fetcher, folder, signal, count }: FetchWork,
): Promise<Ready | "absent"> {
  const file = await PartialFile.open(nameOf(url, folder, "part"), url);
  try {
    count.reused += file.found;
    const arrived = (bytes: number) => {
      count.fetched += bytes;
    };
    const whole = [{ from: 0, to: undefined, at: 0 }];
    const outcome = await fetchPieces(fetcher, url, whole, file, { maxBytes: MAX_BYTES, arrived, signal });
    if (outcome === "absent") {
      await file.discard();
      return "absent";
    }
    const { form, bytes } = await formOf(file);
    return { name: `file.${form}`, bytes, partial: file };
  } catch (error) {
    const broken = error instanceof BrokenError && !(error instanceof CutError);
    // What cannot be trusted is fetched again; what was merely interrupted stays.
    if (broken || error instanceof UnsuitableDataError || error instanceof ReplacedError)
      await file.discard();
    else await file[Symbol.asyncDispose]();
    throw error;
  }
}
