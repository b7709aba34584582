import { fetchWhole } from "./fetch-whole.ts";
import { type FetchWork, type Ready, readyFile } from "./fetch-work.ts";
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
    let name = "";
    const file = await fetchWhole(`${base}/${object}`, MAX_BYTES, work, async (fetched) => {
      name = `file.${await formOf(fetched)}`;
    });
    if (file !== "absent") return readyFile(file, name);
  }
  return "absent";
}
