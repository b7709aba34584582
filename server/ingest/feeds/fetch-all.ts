import { open, stat } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { ifMissing } from "#server/platform/files.ts";
import { UnsuitableDataError } from "./check-messages.ts";
import { fetchWhole } from "./fetch-whole.ts";
import { type FetchWork, nameOf, type Ready } from "./fetch-work.ts";
import type { PartObjects } from "./field-feed.ts";
import { formOf } from "./file-form.ts";

/** Larger than the files of one step of any model, together and unpacked; one is in memory while it is unpacked. */
const MAX_BYTES = 1e9;

/**
 * Fetches whole objects, or copies them from a folder, unpacks what gzip or bzip2 has packed, and writes them one after
 * the other: GRIB2 messages may follow each other, NetCDF is one object.
 *
 * @returns "absent" where one of them is.
 * @throws FetchError; UnsuitableDataError; the signal's reason.
 */
export async function fetchAll(
  base: string,
  { objects }: Extract<PartObjects, { kind: "all" }>,
  work: FetchWork,
  maxBytes = MAX_BYTES,
): Promise<Ready | "absent"> {
  const path = nameOf(`${base}/${objects.join()}`, work.folder, "unpacked");
  await using out = await open(path, "w+");
  let size = 0;
  let form: "grib2" | "nc" = "grib2";
  for (const object of objects) {
    const bytes = await bytesOf(`${base}/${object}`, work, maxBytes);
    if (bytes === "absent") return "absent";
    const unpacked = await unpack(bytes, object, maxBytes);
    if (size + unpacked.length > maxBytes) throw tooLarge("the part", maxBytes);
    form = await formOf({
      size: unpacked.length,
      read: async (from, length) => unpacked.subarray(from, from + length),
    });
    if (form === "nc" && objects.length > 1)
      throw new UnsuitableDataError("several files of NetCDF make no step: only one file has all fields");
    await out.write(unpacked, 0, unpacked.length, size);
    size += unpacked.length;
  }
  return { name: `file.${form}`, path, bytes: size, settle: () => synced(path) };
}

function tooLarge(what: string, maxBytes: number): UnsuitableDataError {
  return new UnsuitableDataError(`${what} has more than ${maxBytes} bytes`);
}

async function synced(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.sync();
}

async function bytesOf(address: string, work: FetchWork, maxBytes: number): Promise<Buffer | "absent"> {
  if (address.startsWith("/")) {
    const found = await stat(address).catch(ifMissing(undefined));
    if (!found?.isFile()) return "absent";
    if (found.size > maxBytes) throw tooLarge(address, maxBytes);
    await using file = await open(address);
    work.count.fetched += found.size;
    return file.readFile();
  }
  const fetched = await fetchWhole(address, maxBytes, work, () => {});
  if (fetched === "absent") return "absent";
  await using file = fetched;
  return Buffer.from(await file.read(0, file.size));
}

/** @throws UnsuitableDataError */
async function unpack(bytes: Buffer, object: string, maxBytes: number): Promise<Buffer> {
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, { maxOutputLength: maxBytes });
    return bytes.toString("latin1", 0, 3) === "BZh" ? await bunzip(bytes, maxBytes) : bytes;
  } catch (error) {
    throw new UnsuitableDataError(`${object} cannot be unpacked: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function bunzip(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  const { default: bunzip2 } = await import("seek-bzip");
  let out = Buffer.allocUnsafe(Math.min(bytes.length * 4, maxBytes));
  let size = 0;
  const writer = {
    writeByte(byte: number) {
      if (size === out.length) {
        if (size >= maxBytes) throw new RangeError(`it has more than ${maxBytes} bytes`);
        out = Buffer.concat([out], Math.min(size * 2, maxBytes));
      }
      out[size++] = byte;
    },
  };
  bunzip2.decode(bytes, writer, true);
  return out.subarray(0, size);
}
