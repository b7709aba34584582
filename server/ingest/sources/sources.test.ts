import { readFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import type { Run } from "#server/archive/run.ts";
import { createDecoder } from "#server/ingest/decoder.ts";
import { ingestForTest, removeScratch, scratch, storedStep } from "#test/ingest.ts";
import { describeWithSamples } from "#test/samples.ts";

interface Digest {
  missing: number;
  mean: number | null;
  picks: Record<string, number | null>;
}

const oracle = JSON.parse(readFileSync(join(import.meta.dirname, "fixtures/oracle.json"), "utf8")) as Record<
  string,
  Record<string, Digest>
>;
const fixtures = join(import.meta.dirname, "../netcdf/fixtures");

const decoder = createDecoder();
afterAll(() => decoder.close());
afterAll(removeScratch);

async function compare(
  archive: string,
  run: Run,
  step: number,
  expected: Record<string, Digest>,
): Promise<void> {
  expect(Object.keys(run.fields).sort()).toEqual(Object.keys(expected).sort());
  for (const [name, { missing, mean, picks }] of Object.entries(expected)) {
    const values = await storedStep(archive, run, name as FieldName, step);
    const valid = values.filter((value) => !Number.isNaN(value));
    // Half a packing step, and the rounding of float32.
    const near = fields[name as FieldName].scale * 0.51 + Math.abs(mean ?? 0) * 1e-6;
    expect(values.length - valid.length, `${name}: missing`).toBe(missing);
    if (mean !== null) {
      expect(Math.abs(valid.reduce((a, b) => a + b, 0) / valid.length - mean), `${name}: mean`).toBeLessThan(
        near,
      );
    }
    for (const [cell, pick] of Object.entries(picks)) {
      const value = values[Number(cell)]!;
      if (pick === null) expect(value, `${name} at ${cell}`).toBeNaN();
      else expect(Math.abs(value - pick), `${name} at ${cell}`).toBeLessThan(near);
    }
  }
}

describeWithSamples("the archive of real files equals eccodes and xarray", (samples) => {
  it("gfs: a whole old file, with comments on fallbacks", async () => {
    const archive = await scratch();
    const file = join(samples, "grib2/gfs.t12z.pgrbf120.2p5deg.grib2");
    const { runs, ...outcome } = await ingestForTest(archive, decoder, "gfs", file);
    expect(outcome).toMatchObject({ fields: 343, messages: 307, used: 8 });
    expect(runs).toHaveLength(1);
    const run = runs[0]!;
    expect(run).toMatchObject({
      dataset: "Forecast",
      source: "gfs",
      model: "GFS 2.5°",
      referenceTime: Date.UTC(2011, 0, 10, 12) / 1000,
      times: [Date.UTC(2011, 0, 15, 12) / 1000],
      grid: {
        latitude: { start: -90, step: 2.5, count: 73 },
        longitude: { start: -180, step: 2.5, count: 144 },
      },
    });
    expect(run.fields.precipitation_flux?.comment).toBe("6-h average ending at the valid time");
    expect(run.fields.cloud_area_fraction?.comment).toBe("6-h average ending at the valid time");
    expect(run.fields.atmosphere_convective_available_potential_energy?.comment).toContain("180 hPa");
    await compare(archive, run, 0, oracle.gfs!);
  });

  it("gfswave: JPEG 2000 with land masked and wind sea missing in places", async () => {
    const archive = await scratch();
    const file = join(samples, "grib2/gdaswave.t00z.wcoast.0p16.f000.grib2");
    const { runs } = await ingestForTest(archive, decoder, "gfswave", file);
    expect(runs[0]).toMatchObject({ model: "GFS-Wave 0.167°", times: [Date.UTC(2021, 10, 30) / 1000] });
    await compare(archive, runs[0]!, 0, oracle.gfswave!);
  });

  it("cmems: currents, waves, sea temperature and wind at seven heights", async () => {
    const archive = await scratch();
    const file = join(samples, "netcdf/reduced_testdata_weather.nc");
    const { runs } = await ingestForTest(archive, decoder, "cmems", file);
    expect(runs[0]?.times).toHaveLength(10);
    expect(runs[0]?.referenceTime).toBe(Date.UTC(2023, 6, 20, 10) / 1000);
    await compare(archive, runs[0]!, 0, oracle["cmems 0"]!);
    await compare(archive, runs[0]!, 9, oracle["cmems 9"]!);
  });

  it("etopo: depths of the sea, land missing, for all times", async () => {
    const archive = await scratch();
    const { runs } = await ingestForTest(archive, decoder, "etopo", join(samples, "netcdf/etopo20.cdf"));
    expect(runs[0]).toMatchObject({ dataset: "Static", times: [0], referenceTime: 0 });
    await compare(archive, runs[0]!, 0, oracle.etopo!);
  });
});

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
    // At 7.5° E, 7.5° N the fixture has 10 + 0.75 + 0.075 + day; its preliminary second day has half a degree more.
    const values = await storedStep(archive, runs[0]!, "sea_surface_temperature", 1);
    expect(values[6 * 24 + 12]).toBeCloseTo(12.825, 1);
    expect(values.filter(Number.isNaN)).toHaveLength(1);
  });

  it("cmems: a day of SMOC, with the base time of its bulletin", async () => {
    const archive = await scratch();
    const { runs } = await ingestForTest(archive, decoder, "cmems", join(fixtures, "smoc_R20260715.nc"));
    expect(runs[0]?.referenceTime).toBe(Date.UTC(2026, 6, 15) / 1000);
    expect(Object.keys(runs[0]!.fields)).toEqual([
      "surface_eastward_sea_water_velocity",
      "surface_northward_sea_water_velocity",
    ]);
  });

  it("publishes to the requested dataset", async () => {
    const archive = await scratch();
    const smoc = join(fixtures, "smoc_R20260715.nc");
    const { runs } = await ingestForTest(archive, decoder, "cmems", smoc, { dataset: "Hindcast-3M" });
    expect(runs[0]?.dataset).toBe("Hindcast-3M");
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
