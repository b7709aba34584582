import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readManifest } from "#server/archive/manifest.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { ingestForTest, removeScratch, scratch } from "#test/ingest.ts";
import { describeWithSamples } from "#test/samples.ts";
import { seeded } from "#test/seeded.ts";
import { createDecoder } from "./decoder.ts";
import { DamagedInputError } from "./ingest.ts";

const decoder = createDecoder({ timeout: 20_000 });
afterAll(() => decoder.close());
afterAll(removeScratch);

type Outcome = "published" | "rejected";

/** Ingests damaged bytes. Anything but a run or a rejection with reasons fails the test. */
async function outcomeOf(
  source: string,
  bytes: Uint8Array,
  folder: string,
  partial = false,
): Promise<Outcome> {
  const path = join(folder, "damaged");
  await writeFile(path, bytes);
  const archive = join(folder, "archive");
  const before = (await readManifest(archive)).runs.map(({ id }) => id);
  try {
    await ingestForTest(archive, decoder, source, path, { partial });
    return "published";
  } catch (error) {
    if (error instanceof DamagedInputError) expect(error.rejected.length).toBeGreaterThan(0);
    else if (
      !(
        error instanceof ProcessingError &&
        /^(Nothing was published|The files hold nothing)/.test(error.message)
      )
    )
      throw error;
    expect((await readManifest(archive)).runs.map(({ id }) => id)).toEqual(before);
    return "rejected";
  }
}

async function cutOften(source: string, path: string, times: number): Promise<void> {
  const [bytes, folder, next] = [await readFile(path), await scratch(), seeded(7)];
  for (let i = 0; i < times; i++) {
    // The last bytes of a file may be padding.
    const length = Math.floor(next() * (bytes.length - 8));
    expect(await outcomeOf(source, bytes.subarray(0, length), folder), `cut to ${length} bytes`).toBe(
      "rejected",
    );
  }
}

async function flipOften(source: string, path: string, times: number): Promise<Record<Outcome, number>> {
  const [bytes, folder, next] = [await readFile(path), await scratch(), seeded(11)];
  const outcomes = { published: 0, rejected: 0 };
  for (let i = 0; i < times; i++) {
    const at = Math.floor(next() * bytes.length);
    const flipped = Uint8Array.from(bytes);
    flipped[at] = flipped[at]! ^ (1 + Math.floor(next() * 255));
    outcomes[await outcomeOf(source, flipped, folder)]++;
  }
  return outcomes;
}

const smoc = join(import.meta.dirname, "netcdf/fixtures/smoc_R20260715.nc");
const cyclic = join(import.meta.dirname, "netcdf/fixtures/cyclic.nc");
/** `THOROUGH=1` tries ten times as many files. A worker restarts after each file on which HDF5 fails. */
const thorough = process.env.THOROUGH === "1" ? 10 : 1;
const timeout = 300_000;

describe("hostile files", () => {
  it("publishes nothing from random bytes", { timeout }, async () => {
    const [folder, next] = [await scratch(), seeded(3)];
    const beginnings = [
      [],
      [0x43, 0x44, 0x46, 1],
      [0x43, 0x44, 0x46, 5],
      [71, 82, 73, 66],
      [0x89, 0x48, 0x44, 0x46],
    ];
    for (const beginning of beginnings) {
      for (let i = 0; i < 2; i++) {
        const bytes = Uint8Array.from({ length: Math.floor(next() * 5000) }, () => Math.floor(next() * 256));
        bytes.set(beginning.slice(0, bytes.length));
        expect(await outcomeOf("cmems", bytes, folder)).toBe("rejected");
      }
    }
  });

  it("publishes nothing from a NetCDF-4 file cut anywhere", { timeout }, () =>
    cutOften("cmems", smoc, 2 * thorough),
  );

  it("publishes nothing from a NetCDF-3 file cut anywhere", { timeout }, () =>
    cutOften("etopo", cyclic, 4 * thorough),
  );

  it("survives any changed byte of a NetCDF-4 file", { timeout }, async () => {
    const { published, rejected } = await flipOften("cmems", smoc, 3 * thorough);
    expect(published + rejected).toBe(3 * thorough);
  });

  it("publishes the valid file next to a truncated one with --partial", async () => {
    const folder = await scratch();
    await writeFile(join(folder, "cut.nc"), (await readFile(smoc)).subarray(0, 9000));
    await copyFile(smoc, join(folder, "whole.nc"));
    const archive = await scratch();
    await expect(ingestForTest(archive, decoder, "cmems", folder)).rejects.toThrow(/Nothing was published/);
    expect((await readManifest(archive)).runs).toEqual([]);
    const { runs, leftOut } = await ingestForTest(archive, decoder, "cmems", folder, { partial: true });
    expect(runs).toHaveLength(1);
    expect(leftOut).toEqual([expect.objectContaining({ file: join(folder, "cut.nc"), message: "file" })]);
  });
});

describeWithSamples("hostile copies of real GRIB2 files", (samples) => {
  const wave = join(samples, "grib2/gdaswave.t00z.wcoast.0p16.f000.grib2");

  it("publishes only the undamaged fields with --partial", async () => {
    const bytes = await readFile(wave);
    // The bytes in the middle of the values of message 6, PERPW, are damaged; the messages around it are intact.
    const { records } = await decoder.scan(wave);
    const record = records[5]!;
    if (record.kind !== "grib2") throw new Error("no GRIB2 record");
    bytes.fill(0xff, record.field.data.offset + 200, record.field.data.offset + 1200);
    const folder = await scratch();
    const [path, archive] = [join(folder, "damaged"), join(folder, "archive")];
    await writeFile(path, bytes);
    await expect(ingestForTest(archive, decoder, "gfswave", path)).rejects.toThrow(/Nothing was published/);
    const { runs, leftOut } = await ingestForTest(archive, decoder, "gfswave", path, { partial: true });
    expect(leftOut).toEqual([
      expect.objectContaining({ message: expect.stringContaining("message 6 (10/0/11") }),
    ]);
    const published = Object.keys(runs[0]!.fields);
    expect(published).toHaveLength(11);
    expect(published).not.toContain("sea_surface_wave_mean_period");
  });
});
