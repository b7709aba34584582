import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Run } from "#server/archive/run.ts";
import { createDecoder } from "#server/ingest/decoder.ts";
import { ingestForTest, removeScratch, scratch, storedStep } from "#test/ingest.ts";

/** Files of `make_waves.py`. */
const fixture = (name: string) => join(import.meta.dirname, "fixtures/waves", name);

const midnight = Date.UTC(2024, 1, 29) / 1000;

const decoder = createDecoder();
afterAll(() => decoder.close());
afterAll(removeScratch);

async function first(archive: string, run: Run, ...name: [Parameters<typeof storedStep>[2], number]) {
  return (await storedStep(archive, run, ...name))[0];
}

it("time as a scalar coordinate is the valid time: three files of one step each are three steps of one run", async () => {
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

it("believes a standard name that says where waves go to", async () => {
  const archive = await scratch();
  const { runs } = await ingestForTest(archive, decoder, "cmems", fixture("opposite.nc"));
  // To 90°, from 270°.
  expect(await first(archive, runs[0]!, "sea_surface_wave_from_direction_x", 0)).toBeCloseTo(-1, 3);
  expect(await first(archive, runs[0]!, "sea_surface_wave_from_direction_y", 0)).toBeCloseTo(0, 3);
});

it("believes a depth that says that it grows downwards", async () => {
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

it("takes no temperature of the deep sea for that of the surface", async () => {
  const refused = ingestForTest(await scratch(), decoder, "cmems", fixture("deep.nc"));
  await expect(refused).rejects.toThrow("hold nothing that the source cmems reads");
});

it("reports a field of which every value is missing, and publishes no run of such fields alone", async () => {
  const { remarks } = await ingestForTest(await scratch(), decoder, "cmems", fixture("opposite.nc"));
  expect(remarks).toEqual(["every value of sea_surface_wave_mean_period is missing"]);
  const refused = ingestForTest(await scratch(), decoder, "cmems", fixture("all-missing.nc"));
  await expect(refused).rejects.toThrow(
    "Nothing was published: every value of sea_surface_wave_significant_height is missing",
  );
});

it("by hand as by feeds, heights that packing has put below 0 are 0", async () => {
  const archive = await scratch();
  const { runs } = await ingestForTest(archive, decoder, "cmems", fixture("noise.nc"));
  expect(await first(archive, runs[0]!, "sea_surface_wave_significant_height", 0)).toBe(0);
});

it("publishes no run of one component of a vector alone, which nothing could be answered with", async () => {
  const refused = ingestForTest(await scratch(), decoder, "cmems", fixture("eastward.nc"));
  await expect(refused).rejects.toThrow(
    "Nothing was published: no number of an answer can be made of surface_eastward_sea_water_velocity alone",
  );
});
