import type { PartialFile } from "#server/platform/fetching/partial-file.ts";
import { UnsuitableDataError } from "./check-messages.ts";

/** NetCDF: classic, with 64-bit offsets, with 64-bit data. */
const CLASSIC_VERSIONS = [1, 2, 5];

const HDF5 = "\x89HDF\r\n\x1a\n";

/**
 * What a file is, by its first bytes, and whether it is whole as far as it says itself how long it is.
 *
 * @throws UnsuitableDataError
 */
export async function formOf(file: Pick<PartialFile, "size" | "read">): Promise<"grib2" | "nc"> {
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
