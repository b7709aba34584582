import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createDecoder } from "#server/ingest/decoder.ts";
import { ingestForTest, removeScratch, scratch, storedStep } from "#test/ingest.ts";

const fixtures = join(import.meta.dirname, "../netcdf/fixtures");

const decoder = createDecoder();
afterAll(() => decoder.close());
afterAll(removeScratch);

// server/metocean/real-input.test.ts tests real files, from the file to the answer.
describe("feeds without a real sample, with synthetic files of their form", () => {
  it("oisst: days form one run that is valid for two weeks; a final file replaces a preliminary one", async () => {
    const [folder, archive] = [await scratch(), await scratch()];
    for (const day of ["01", "02", "02_preliminary", "03_preliminary"]) {
      const name = `oisst-avhrr-v02r01.202007${day}.nc`;
      await copyFile(join(fixtures, name), join(folder, name));
    }
    const { runs } = await ingestForTest(archive, decoder, "oisst", folder);
    const noon = (day: number) => Date.UTC(2020, 6, day, 12) / 1000;
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      times: [noon(1), noon(2), noon(3)],
      referenceTime: noon(3),
      holds: 14 * 86_400,
      grid: { longitude: { start: -172.5, step: 15, count: 24 } },
    });
    // At 7.5° E, 7.5° N the fixture has 10 + 0.75 + 0.075 + day. The preliminary file of the second day has half a
    // degree more.
    const values = await storedStep(archive, runs[0]!, "sea_surface_temperature", 1);
    expect(values[6 * 24 + 12]).toBeCloseTo(12.825, 1);
    expect(values.filter(Number.isNaN)).toHaveLength(1);
  });

  it("rejects unknown units", async () => {
    const rejected = ingestForTest(await scratch(), decoder, "oisst", join(fixtures, "fahrenheit.nc"));
    await expect(rejected).rejects.toMatchObject({
      rejected: [{ variable: "sst", reason: 'it has the units "degF" where degC is expected' }],
    });
  });

  it("reports content that is already published", async () => {
    const archive = await scratch();
    const smoc = join(fixtures, "smoc_R20260715.nc");
    const first = await ingestForTest(archive, decoder, "cmems", smoc);
    const second = await ingestForTest(archive, decoder, "cmems", smoc);
    expect([first.already, second.already]).toEqual([[false], [true]]);
    expect(second.runs).toEqual(first.runs);
  });
});
