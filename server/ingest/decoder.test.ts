import { copyFile, readFile, rename, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { removeScratch, scratch } from "#test/ingest.ts";
import { createDecoder, type Decoder, type DecoderOptions } from "./decoder.ts";

afterAll(removeScratch);

const fixtures = join(import.meta.dirname, "netcdf/fixtures");
const smoc = join(fixtures, "smoc_R20260715.nc");

const open: Decoder[] = [];
function decoderOf(options?: Partial<DecoderOptions>): Decoder {
  const decoder = createDecoder(options);
  open.push(decoder);
  return decoder;
}
afterEach(async () => {
  for (const decoder of open.splice(0)) await decoder.close();
});

it("continues with a new worker after a file that cannot be decoded", async () => {
  const decoder = decoderOf();
  const cut = join(await scratch(), "cut.nc");
  await copyFile(smoc, cut);
  await truncate(cut, 9000);
  await expect(decoder.scan(cut)).rejects.toThrow(/truncated file/);
  expect((await decoder.scan(smoc)).records).toHaveLength(6);
});

it("reads a file that was replaced since its last scan", async () => {
  const decoder = decoderOf();
  const folder = await scratch();
  const path = join(folder, "part.nc");
  await copyFile(smoc, path);
  expect((await decoder.scan(path)).records).toHaveLength(6);
  await copyFile(join(fixtures, "cyclic.nc"), join(folder, "new.nc"));
  await rename(join(folder, "new.nc"), path);
  const { records } = await decoder.scan(path);
  expect(records.map((record) => record.kind === "netcdf" && record.variable)).toEqual(["z"]);
  expect(await decoder.decode(records[0]!)).toEqual(
    await decoder.decode((await decoder.scan(join(fixtures, "cyclic.nc"))).records[0]!),
  );
});

it("reports a timeout", async () => {
  await expect(decoderOf({ timeout: 1 }).scan(smoc)).rejects.toThrow("not decoded within 0.001 seconds");
});

it("stops when the call is aborted, with the caller's reason", async () => {
  const decoder = decoderOf();
  const abort = new AbortController();
  const scan = decoder.scan(smoc, abort.signal);
  abort.abort(new Error("the user went away"));
  await expect(scan).rejects.toThrow("the user went away");
  expect((await decoder.scan(smoc)).records).toHaveLength(6);
});

it("rejects a grid that needs more memory than allowed, before it is allocated", async () => {
  const decoder = decoderOf();
  const { records } = await decoder.scan(join(fixtures, "cyclic.nc"));
  const record = records[0]!;
  const longitude = { ...record.grid.longitude, count: 1e6 };
  const latitude = { ...record.grid.latitude, count: 1e4 };
  await expect(decoder.decode({ ...record, grid: { latitude, longitude } })).rejects.toThrow(
    /a grid of 10000000000 cells takes about \d+ MiB, more than the 2048 MiB allowed/,
  );
});

it("does not allocate the length that a hostile header claims", async () => {
  const bytes = await readFile(join(fixtures, "packed-classic.nc"));
  // The length of the first dimension list claims four billion dimensions.
  bytes.writeUInt32BE(0xfffffff0, 12);
  const path = join(await scratch(), "hostile.nc");
  await writeFile(path, bytes);
  await expect(decoderOf().scan(path)).rejects.toThrow(
    /promises 4294967280 entries, more than the file has bytes for/,
  );
});
