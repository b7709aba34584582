import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Run } from "#server/archive/run.ts";
import { createDecoder } from "#server/ingest/decoder.ts";
import { ingestForTest, removeScratch, scratch, storedStep } from "#test/ingest.ts";

/** Path of a file of `make_waves.py`. */
const fixture = (name: string) => join(import.meta.dirname, "fixtures/waves", name);

const midnight = Date.UTC(2024, 1, 29) / 1000;

const decoder = createDecoder();
afterAll(() => decoder.close());
afterAll(removeScratch);

async function first(archive: string, run: Run, ...name: [Parameters<typeof storedStep>[2], number]) {
  return (await storedStep(archive, run, ...name))[0];
}

it("reads a scalar time coordinate as the valid time, so that three files of one step make three steps of one run", async () => {
  const [folder, archive] = [await scratch(), await scratch()];
  for (const hour of [0, 3, 6]) {
    const name = `scalar-time-${hour}.nc`;
    await copyFile(fixture(name), join(folder, name));
  }
  const { runs } = await ingestForTest(archive, decoder, "cmems", folder);
  expect(runs).toHaveLength(1);
  expect(runs[0]).toMatchObject({
    referenceTime: midnight,
    times: [midnight, midnight + 3 * 3600, midnight + 6 * 3600],
  });
  const name = "sea_surface_wave_significant_height";
  const heights = [0, 1, 2].map((step) => first(archive, runs[0]!, name, step));
  expect(await Promise.all(heights)).toEqual([1, 4, 7].map((value) => expect.closeTo(value, 2)));
});

it("follows a standard name that gives the direction to which waves go", async () => {
  const archive = await scratch();
  const { runs } = await ingestForTest(archive, decoder, "cmems", fixture("opposite.nc"));
  // The direction is to 90°, which is from 270°.
  expect(await first(archive, runs[0]!, "sea_surface_wave_from_direction_x", 0)).toBeCloseTo(-1, 3);
  expect(await first(archive, runs[0]!, "sea_surface_wave_from_direction_y", 0)).toBeCloseTo(0, 3);
});

it("follows a depth that grows downwards", async () => {
  const archive = await scratch();
  const { runs } = await ingestForTest(archive, decoder, "etopo", fixture("depth.nc"));
  const values = await storedStep(archive, runs[0]!, "sea_floor_depth_below_sea_surface", 0);
  expect(values).toEqual([...Array(5).fill(Number.NaN), ...Array(20).fill(4000)]);
});

it("refuses longitudes that grow westwards", async () => {
  const refused = ingestForTest(await scratch(), decoder, "cmems", fixture("west.nc"));
  await expect(refused).rejects.toMatchObject({
    rejected: [
      { variable: "VHM0", reason: expect.stringContaining("no latitude and longitude coordinates") },
    ],
  });
});

it("does not take a temperature of the deep sea for that of the surface", async () => {
  const refused = ingestForTest(await scratch(), decoder, "cmems", fixture("deep.nc"));
  await expect(refused).rejects.toThrow("hold nothing that the source cmems reads");
});

it("reports a field without any value, and publishes no run that has only such fields", async () => {
  const { remarks } = await ingestForTest(await scratch(), decoder, "cmems", fixture("opposite.nc"));
  expect(remarks).toEqual(["every value of sea_surface_wave_mean_period is missing"]);
  const refused = ingestForTest(await scratch(), decoder, "cmems", fixture("all-missing.nc"));
  await expect(refused).rejects.toThrow(
    "Nothing was published: every value of sea_surface_wave_significant_height is missing",
  );
});

it("reads heights that packing has put below 0 as 0, by hand as by feeds", async () => {
  const archive = await scratch();
  const { runs } = await ingestForTest(archive, decoder, "cmems", fixture("noise.nc"));
  expect(await first(archive, runs[0]!, "sea_surface_wave_significant_height", 0)).toBe(0);
});

it("publishes no run with a single component of a vector, because nothing could be answered with it", async () => {
  const refused = ingestForTest(await scratch(), decoder, "cmems", fixture("eastward.nc"));
  await expect(refused).rejects.toThrow(
    "Nothing was published: no number of an answer can be made of surface_eastward_sea_water_velocity alone",
  );
});
